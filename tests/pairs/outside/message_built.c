// A message is built on the stack and given to the outside.
// different: report
//// old
#include <stdio.h>
void say(const char *text);
void report(int code) {
    char text[16];
    if (code < 0 || code > 9) return;
    snprintf(text, sizeof text, "code %d", code);
    say(text);
}
//// new
#include <stdio.h>
void say(const char *text);
void report(int code) {
    char text[16];
    if (code < 0 || code > 9) return;
    snprintf(text, sizeof text, "code: %d", code);
    say(text);
}
