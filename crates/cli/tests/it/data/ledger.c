// Adds up amounts by name: `ledger [-l LIMIT] [-r] [FILE]`, standard input without a file, rates in `rates.txt`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char name[12];
    long total;
    struct entry *next;
};

static struct entry *entries;
static long limit = 1000;
static int reverse;
static int started;
static double rate = 1.0;

__attribute__((constructor)) static void start(void) { started = 1; }

static struct entry *find(const char *name) {
    for (struct entry *e = entries; e; e = e->next)
        if (strcmp(e->name, name) == 0) return e;
    return 0;
}

static struct entry *add(const char *name) {
    struct entry *e = malloc(sizeof *e);
    if (!e) exit(9);
    strncpy(e->name, name, sizeof e->name - 1);
    e->name[sizeof e->name - 1] = '\0';
    e->total = 0;
    e->next = entries;
    entries = e;
    return e;
}

static void book(const char *name, long amount) {
    struct entry *e = find(name);
    if (!e) e = add(name);
    if (amount > limit) {
        printf("%s: too much\n", name);
        return;
    }
    e->total += amount;
}

static void turn(void) {
    struct entry *turned = 0;
    while (entries) {
        struct entry *next = entries->next;
        entries->next = turned;
        turned = entries;
        entries = next;
    }
    entries = turned;
}

static void read_rate(void) {
    FILE *file = fopen("rates.txt", "r");
    if (!file) return;
    if (fscanf(file, "%lf", &rate) != 1) rate = 1.0;
    fclose(file);
}

int main(int argc, char **argv) {
    FILE *in = stdin;
    char line[64], name[32];
    long amount;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-l") == 0 && i + 1 < argc) limit = atol(argv[++i]);
        else if (strcmp(argv[i], "-r") == 0) reverse = 1;
        else if (!(in = fopen(argv[i], "r"))) {
            printf("no file %s\n", argv[i]);
            return 2;
        }
    }
    read_rate();
    while (fgets(line, sizeof line, in)) {
        if (line[0] == '#' || line[0] == '\n') continue;
        if (sscanf(line, "%31s %ld", name, &amount) != 2) {
            fprintf(stderr, "? %s", line);
            continue;
        }
        book(name, amount);
    }
    if (reverse) turn();
    for (struct entry *e = entries; e; e = e->next) printf("%s %ld\n", e->name, (long)(e->total * rate));
    return started && entries ? 0 : 1;
}
