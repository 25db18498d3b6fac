// A narrower counter never gets past the last value.
// different: sum
//// old
int sum(int last) {
    int total = 0;
    if (last < 0 || last > 255) return -1;
    for (int i = 0; i <= last; i++) total += i;
    return total;
}
//// new
int sum(int last) {
    int total = 0;
    if (last < 0 || last > 255) return -1;
    for (unsigned char i = 0; i <= last; i++) total += i;
    return total;
}
