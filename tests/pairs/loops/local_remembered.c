// different: last_two
//// old
/* What the round before wrote is read again: the memory of a loop counts. */
int last_two(int n, int start) {
    int kept[2];
    kept[0] = start;
    kept[1] = start + 1;
    for (int i = 0; i < n; i++)
        kept[i & 1] = kept[(i + 1) & 1] + i;
    return kept[n & 1];
}
//// new
int last_two(int n, int start) {
    int kept[2];
    kept[0] = start;
    kept[1] = start + 1;
    for (int i = 0; i < n; i++)
        kept[i & 1] = kept[i & 1] + i;
    return kept[n & 1];
}
