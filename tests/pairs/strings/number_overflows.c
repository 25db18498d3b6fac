// Where a number gets too large is looked at before a digit is added instead of after.
// different: parse
//// old
#include <limits.h>
int parse(const char *s) {
    long v = 0;
    while (*s >= '0' && *s <= '9') {
        v = v * 10 + (*s++ - '0');
        if (v > INT_MAX)
            return INT_MAX;
    }
    return v;
}
//// new
#include <limits.h>
int parse(const char *s) {
    int v = 0;
    while (*s >= '0' && *s <= '9') {
        if (v > INT_MAX / 10)
            return INT_MAX;
        v = v * 10 + (*s++ - '0');
    }
    return v;
}
