// The same with a counter of eight bits: it comes back to where it was after 128 rounds.
// different: pairs
//// old
int pairs(unsigned char n) {
    int c = 0;
    for (unsigned char i = 0; i < n; i += 2)
        c++;
    return c;
}
//// new
int pairs(unsigned char n) {
    int c = 0;
    for (unsigned char i = 0; i != n; i += 2)
        c++;
    return c;
}
