// What the C library remembers of what was asked before: the seed, `errno`, a text, what is called at the end.
// different: roll, number, token, leave, caught
// open
//// old
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static void one(void) { abort(); }
static void two(void) { exit(2); }
static void stop(int code) { exit(code); }
static void fail(int code) { (void)code; abort(); }
int roll(void) { srand(1); return rand() % 6; }
long number(const char *s) { errno = 0; long v = strtol(s, 0, 10); return errno ? -1 : v; }
char *token(void) { return strtok(0, ","); }
void leave(void) { atexit(one); }
void caught(void) { signal(SIGINT, stop); }
//// new
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static void one(void) { abort(); }
static void two(void) { exit(2); }
static void stop(int code) { exit(code); }
static void fail(int code) { (void)code; abort(); }
int roll(void) { return rand() % 6; }
long number(const char *s) { long v = strtol(s, 0, 10); return errno ? -1 : v; }
char *token(void) { return strtok(0, ";"); }
void leave(void) { atexit(two); }
void caught(void) { signal(SIGINT, fail); }
