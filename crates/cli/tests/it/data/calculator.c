#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line calculator: tokens, a stack, variables, a report at the end. */

enum kind { T_END, T_NUM, T_NAME, T_OP, T_BAD };

struct token { enum kind kind; long value; char name[8]; };

static long vars[26];
static long stack[8];
static int depth;
static int errors;
static int trace_on;
static int counts[5];
static int order[5] = {0, 1, 2, 3, 4};

static const char *skip_space(const char *p) {
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

static const char *next_token(const char *p, struct token *t) {
    p = skip_space(p);
    t->value = 0;
    t->name[0] = 0;
    if (*p == 0) {
        t->kind = T_END;
        return p;
    }
    if (isdigit((unsigned char)*p)) {
        t->kind = T_NUM;
        while (isdigit((unsigned char)*p)) {
            t->value = t->value * 10 + (*p - '0');
            p++;
        }
        return p;
    }
    if (islower((unsigned char)*p)) {
        int n = 0;
        t->kind = T_NAME;
        while (islower((unsigned char)*p)) {
            if (n < 7)
                t->name[n++] = *p;
            p++;
        }
        t->name[n] = 0;
        return p;
    }
    if (strchr("+-*/=!", *p)) {
        t->kind = T_OP;
        t->value = *p;
        return p + 1;
    }
    t->kind = T_BAD;
    t->value = *p;
    return p + 1;
}

static void fail(const char *why) {
    errors++;
    if (trace_on)
        printf("error: %s\n", why);
}

static void push(long v) {
    if (depth >= 8) {
        fail("full");
        return;
    }
    stack[depth++] = v;
}

static long pop(void) {
    if (depth <= 0) {
        fail("empty");
        return 0;
    }
    return stack[--depth];
}

static int index_of(const char *name) {
    if (name[0] < 'a' || name[0] > 'z')
        return -1;
    return name[0] - 'a';
}

static void apply(int op) {
    long b, a;
    switch (op) {
    case '!':
        a = pop();
        push(-a);
        return;
    case '=':
        a = pop();
        if (errors == 0)
            printf("%ld\n", a);
        return;
    }
    b = pop();
    a = pop();
    switch (op) {
    case '+':
        push(a + b);
        break;
    case '-':
        push(a - b);
        break;
    case '*':
        push(a * b);
        break;
    case '/':
        if (b == 0) {
            fail("zero");
            push(0);
        } else {
            push(a / b);
        }
        break;
    }
}

static int by_count(const void *x, const void *y) {
    int a = *(const int *)x, b = *(const int *)y;
    if (counts[a] != counts[b])
        return counts[b] - counts[a];
    return a - b;
}

static void report(void) {
    int i, shown = 0;
    qsort(order, 5, sizeof order[0], by_count);
    for (i = 0; i < 5; i++) {
        if (counts[order[i]] > 0) {
            printf("%d:%d ", order[i], counts[order[i]]);
            shown++;
        }
    }
    if (shown > 0)
        printf("\n");
}

static void run_line(const char *p) {
    struct token t;
    for (;;) {
        p = next_token(p, &t);
        counts[t.kind]++;
        switch (t.kind) {
        case T_END:
            return;
        case T_NUM:
            push(t.value);
            break;
        case T_NAME: {
            int at = index_of(t.name);
            if (strcmp(t.name, "set") == 0)
                vars[0] = pop();
            else if (strcmp(t.name, "on") == 0)
                trace_on = 1;
            else if (at >= 0)
                push(vars[at]);
            break;
        }
        case T_OP:
            apply((int)t.value);
            break;
        default:
            fail("bad");
        }
    }
}

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        size_t n = strlen(line);
        if (n > 0 && line[n - 1] == '\n')
            line[n - 1] = 0;
        run_line(line);
    }
    if (depth > 0)
        printf("left %ld\n", stack[depth - 1]);
    report();
    return errors > 3 ? 2 : errors > 0;
}
