// The guard of a buffer is one too lax: only a string as long as the buffer shows it.
// different: store
//// old
#include <string.h>
static char buffer[32];
int store(const char *s) {
    if (!s) return -1;
    size_t n = strlen(s);
    if (n >= sizeof buffer) return -1;
    strcpy(buffer, s);
    return (int)n;
}
const char *stored(void) { return buffer; }
void clear(void) { buffer[0] = 0; }
//// new
#include <string.h>
static char buffer[32];
int store(const char *s) {
    if (!s) return -1;
    size_t n = strlen(s);
    if (n > sizeof buffer) return -1;
    strcpy(buffer, s);
    return (int)n;
}
const char *stored(void) { return buffer; }
void clear(void) { buffer[0] = 0; }
