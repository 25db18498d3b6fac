// Words counted at their beginnings and at their ends.
// same within bounds: words
//// old
int words(const char *s) {
    int count = 0, inside = 0;
    if (!s) return 0;
    for (; *s; s++) {
        if (*s == ' ') inside = 0;
        else if (!inside) { inside = 1; count++; }
    }
    return count;
}
//// new
int words(const char *s) {
    int count = 0;
    if (!s) return 0;
    for (int i = 0; s[i]; i++) {
        if (s[i] != ' ' && (s[i + 1] == ' ' || s[i + 1] == '\0')) count++;
    }
    return count;
}
