// Another exit code.
// different: quit
//// old
#include <stdlib.h>
void quit(int status) { if (status) exit(status > 0 ? 1 : 2); }
//// new
#include <stdlib.h>
void quit(int status) { if (status) exit(status > 0 ? 1 : 3); }
