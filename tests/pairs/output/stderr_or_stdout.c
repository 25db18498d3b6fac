// The message goes to the other stream.
// different: warn
//// old
#include <stdio.h>
void warn(int level) { if (level > 2) fprintf(stderr, "level %d\n", 3); }
//// new
#include <stdio.h>
void warn(int level) { if (level > 2) fprintf(stdout, "level %d\n", 3); }
