// A local buffer shrinks, its guard does not.
// different: count
//// old
#include <string.h>
int count(const char *s) {
    char copy[24];
    int n = 0;
    if (!s || strlen(s) >= 24) return -1;
    strcpy(copy, s);
    for (char *p = copy; *p; p++) n++;
    return n;
}
//// new
#include <string.h>
int count(const char *s) {
    char copy[20];
    int n = 0;
    if (!s || strlen(s) >= 24) return -1;
    strcpy(copy, s);
    for (char *p = copy; *p; p++) n++;
    return n;
}
