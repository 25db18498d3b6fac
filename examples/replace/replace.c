/* Replaces what a small pattern matches: `?` is any character, `[ab]` one of two, everything else itself. */
static int matches(const char *pattern, int *used, char c) {
    if (pattern[0] == '?') {
        *used = 1;
        return c != 0;
    }
    if (pattern[0] == '[' && pattern[1] && pattern[2] && pattern[3] == ']') {
        *used = 4;
        return c == pattern[1] || c == pattern[2];
    }
    *used = 1;
    return pattern[0] != 0 && c == pattern[0];
}

static int match_at(const char *pattern, const char *text) {
    int length = 0;
    while (*pattern) {
        int used;
        if (!matches(pattern, &used, text[length]))
            return -1;
        pattern += used;
        length++;
    }
    return length;
}

/* How many replacements there are, and in `out` the text with each match replaced by `with`. */
static int replace_all(const char *pattern, const char *text, char *out, char with) {
    int count = 0, at = 0, end = 0;
    while (text[at]) {
        int length = match_at(pattern, text + at);
        if (length > 0) {
            out[end++] = with;
            at += length;
            count++;
        } else {
            out[end++] = text[at++];
        }
    }
    return count * 256 + out[0];
}

int replace(char p0, char p1, char t0, char t1, char t2, char with) {
    char pattern[3] = {p0, p1, 0}, text[4] = {t0, t1, t2, 0}, out[8] = {0};
    return replace_all(pattern, text, out, with);
}

#ifdef SIZE
char input[SIZE];

/* The same for a text of so many characters. */
int replace_of(char p0, char p1, char with) {
    char pattern[3] = {p0, p1, 0}, text[SIZE + 1] = {0}, out[SIZE + 1] = {0};
    for (int i = 0; i < SIZE; i++)
        text[i] = input[i];
    return replace_all(pattern, text, out, with);
}
#endif
