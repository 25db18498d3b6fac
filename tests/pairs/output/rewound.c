// A stream is not read from its beginning any more, and its end not forgotten.
// different: again, clean, ended
// open
//// old
#include <stdio.h>
void again(void) { rewind(stdin); }
void clean(void) { clearerr(stdin); }
int ended(void) { return feof(stdin) != 0; }
//// new
#include <stdio.h>
void again(void) { }
void clean(void) { }
int ended(void) { return 0; }
