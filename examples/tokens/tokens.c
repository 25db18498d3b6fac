/* A tokenizer: identifiers, numbers, strings and single characters. */
enum kind { END, NAME, NUMBER, STRING, OTHER, BAD };

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static enum kind next(const char **at) {
    while (**at == ' ')
        ++*at;
    if (!**at)
        return END;
    if (is_letter(**at)) {
        while (is_letter(**at) || is_digit(**at))
            ++*at;
        return NAME;
    }
    if (is_digit(**at)) {
        while (is_digit(**at))
            ++*at;
        return is_letter(**at) ? BAD : NUMBER;
    }
    if (**at == '"') {
        for (++*at; **at && **at != '"'; ++*at)
            ;
        if (!**at)
            return BAD;
        ++*at;
        return STRING;
    }
    ++*at;
    return OTHER;
}

int names, numbers, strings, others;

/* Counts tokens of each kind; the first bad one ends it. */
static int count(const char *at) {
    names = numbers = strings = others = 0;
    for (;;) {
        switch (next(&at)) {
        case END:
            return 0;
        case NAME:
            names++;
            break;
        case NUMBER:
            numbers++;
            break;
        case STRING:
            strings++;
            break;
        case OTHER:
            others++;
            break;
        case BAD:
            return -1;
        }
    }
}

int tokens(char a, char b, char c) {
    char text[4] = {a, b, c, 0};
    return count(text);
}

#ifdef SIZE
char input[SIZE];

/* The same for so many characters. */
int tokens_of(void) {
    char text[SIZE + 1] = {0};
    for (int i = 0; i < SIZE; i++)
        text[i] = input[i];
    return count(text);
}
#endif
