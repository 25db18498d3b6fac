// A line that is written at once waits in a buffer now: behind what was printed before.
// different: tell
// open
//// old
#include <unistd.h>
#include <stdio.h>
void tell(void) { if (write(1, "x", 1) < 0) return; }
//// new
#include <unistd.h>
#include <stdio.h>
void tell(void) { fputs("x", stdout); }
