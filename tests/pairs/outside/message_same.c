// The same message, built in two ways.
// same: report
//// old
#include <stdio.h>
void say(const char *text);
void report(int code) {
    char text[8];
    if (code < 0 || code > 9) return;
    snprintf(text, sizeof text, "code %d", code);
    say(text);
}
//// new
#include <string.h>
void say(const char *text);
void report(int code) {
    char text[8];
    if (code < 0 || code > 9) return;
    strcpy(text, "code ");
    text[5] = (char)('0' + code);
    text[6] = 0;
    text[7] = 0;
    say(text);
}
