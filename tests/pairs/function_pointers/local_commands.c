// Commands in a table of the function itself: one of them does something else.
// different: add, dispatch
//// old
#include <string.h>
struct command { const char *name; int (*run)(int); };
static int add(int x) { return x + 1; }
static int drop(int x) { return x - 1; }
int dispatch(const char *name, int x) {
    const struct command commands[] = {{"add", add}, {"drop", drop}};
    for (unsigned i = 0; i < 2; i++)
        if (strcmp(commands[i].name, name) == 0) return commands[i].run(x);
    return 0;
}
//// new
#include <string.h>
struct command { const char *name; int (*run)(int); };
static int add(int x) { return x + 10; }
static int drop(int x) { return x - 1; }
int dispatch(const char *name, int x) {
    const struct command commands[] = {{"add", add}, {"drop", drop}};
    for (unsigned i = 0; i < 2; i++)
        if (strcmp(commands[i].name, name) == 0) return commands[i].run(x);
    return 0;
}
