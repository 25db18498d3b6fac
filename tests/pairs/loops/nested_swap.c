// Two nested loops are exchanged.
// same: grid
//// old
unsigned grid(unsigned n, unsigned m) {
    if (n > 3 || m > 3) return 0;
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++) sum += i * 3 + j;
    return sum;
}
//// new
unsigned grid(unsigned n, unsigned m) {
    if (n > 3 || m > 3) return 0;
    unsigned sum = 0;
    for (unsigned j = 0; j < m; j++)
        for (unsigned i = 0; i < n; i++) sum += i * 3 + j;
    return sum;
}
