// The text that is given to the outside differs.
// different: report
//// old
void say(const char *text);
void report(int code) { say(code ? "failed" : "done"); }
//// new
void say(const char *text);
void report(int code) { say(code ? "failure" : "done"); }
