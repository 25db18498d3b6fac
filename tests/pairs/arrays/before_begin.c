// The search for the last blank may run before the beginning: a guard is lost.
// different: last_blank
//// old
int last_blank(const char line[8]) {
    int i = 7;
    if (!line) return -2;
    while (i >= 0 && line[i] != ' ') i--;
    return i;
}
//// new
int last_blank(const char line[8]) {
    int i = 7;
    if (!line) return -2;
    while (line[i] != ' ') {
        if (i == -1) return -1;
        i--;
    }
    return i;
}
