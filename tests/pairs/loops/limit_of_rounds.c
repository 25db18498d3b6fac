// A limit far beyond the usual bounds is one less.
// different: countdown
//// old
unsigned countdown(unsigned n) {
    unsigned steps = 0;
    if (n > 40) n = 40;
    while (n > 0) {
        n--;
        steps += 3;
    }
    return steps;
}
//// new
unsigned countdown(unsigned n) {
    unsigned steps = 0;
    if (n > 39) n = 39;
    while (n > 0) {
        n--;
        steps += 3;
    }
    return steps;
}
