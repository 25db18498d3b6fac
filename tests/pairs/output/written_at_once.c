// What is written at once is written in two parts.
// same: tell
//// old
#include <unistd.h>
long tell(void) { return write(1, "ab", 2); }
//// new
#include <unistd.h>
long tell(void) { return write(1, "a", 1) + write(1, "b", 1); }
