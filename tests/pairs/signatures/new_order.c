// Parameters that changed places are known by their names.
// same within bounds: occurrences
//// old
int occurrences(const char *text, long wanted) {
    int count = 0;
    while (*text)
        if (*text++ == wanted)
            count++;
    return count;
}
//// new
int occurrences(long wanted, const char *text) {
    int count = 0;
    for (; *text; text++)
        count += *text == wanted;
    return count;
}
