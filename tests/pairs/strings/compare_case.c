// Commands in lower case are no longer known.
// different: command
//// old
#include <string.h>
#include <strings.h>
int command(const char *word) {
    if (!word) return -1;
    if (strcasecmp(word, "on") == 0) return 1;
    if (strcasecmp(word, "off") == 0) return 0;
    return -1;
}
//// new
#include <string.h>
#include <strings.h>
int command(const char *word) {
    if (!word) return -1;
    if (strcmp(word, "ON") == 0) return 1;
    if (strcmp(word, "OFF") == 0) return 0;
    return -1;
}
