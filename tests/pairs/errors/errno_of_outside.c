// A function outside may set errno.
// same: reset, late
// scope: nor errno
//// old
#include <errno.h>
int ext(int);
void log_it(const char *);
int late(int x) { ext(x); int e = errno; log_it("bad"); return e; }
int reset(int x) { errno = 0; ext(x); return errno; }
//// new
#include <errno.h>
int ext(int);
void log_it(const char *);
int late(int x) { ext(x); log_it("bad"); return errno; }
int reset(int x) { errno = 0; ext(x); return 0; }
