// Whether a text begins with a word: strncmp and a loop.
// same within bounds: is_get
//// old
#include <string.h>
int is_get(const char *line) { return line && strncmp(line, "GET ", 4) == 0; }
//// new
int is_get(const char *line) {
    static const char word[] = "GET ";
    if (!line) return 0;
    for (int i = 0; word[i]; i++) {
        if (line[i] != word[i]) return 0;
    }
    return 1;
}
