#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum end { RETURNS, EXITS, CRASHES };

/* The exit code of a test with a wrong value; tests that expect this code themselves cannot be told apart. */
enum { WRONG = 113 };

static int failures;

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            _exit(WRONG);                                                   \
        }                                                                   \
    } while (0)

__attribute__((unused)) static void set_pointer(void *at, void *value) { memcpy(at, &value, sizeof value); }

__attribute__((unused)) static void run(int number, void (*test)(void), enum end end, int code, const char *output, size_t length) {
    FILE *written = tmpfile();
    if (!written) exit(2);
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) exit(2);
    if (child == 0) {
        dup2(fileno(written), 1);
        test();
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    int good = 0;
    if (end == RETURNS) good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (end == EXITS) good = WIFEXITED(status) && WEXITSTATUS(status) == code;
    if (end == CRASHES) good = WIFSIGNALED(status);
    if (good && end != CRASHES) {
        char *bytes = malloc(length + 1);
        rewind(written);
        good = bytes && fread(bytes, 1, length + 1, written) == length && memcmp(bytes, output, length) == 0;
        free(bytes);
    }
    fclose(written);
    if (!good) printf("test %d failed\n", number);
    failures += !good;
}

__attribute__((unused)) static int finish(void) {
    if (failures) printf("%d failed\n", failures);
    return failures != 0;
}
