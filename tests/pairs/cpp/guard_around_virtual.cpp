// A guard object counts down when the call throws; what takes its place does not.
// different: run
// open
//// old
int depth;
struct Guard { Guard() { ++depth; } ~Guard() { --depth; } };
struct Callback { virtual int call(int) = 0; };
int run(Callback *callback, int x) { Guard guard; return callback->call(x); }
//// new
int depth;
struct Guard { Guard() { ++depth; } ~Guard() { --depth; } };
struct Callback { virtual int call(int) = 0; };
int run(Callback *callback, int x) { ++depth; int result = callback->call(x); --depth; return result; }
