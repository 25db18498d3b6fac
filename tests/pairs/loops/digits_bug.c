// The first digit is forgotten.
// different: digits
//// old
unsigned digits(unsigned n) {
    unsigned sum = 0;
    while (n > 0) { sum += n % 10; n /= 10; }
    return sum;
}
//// new
unsigned digits(unsigned n) {
    unsigned sum = 0;
    while (n >= 10) { sum += n % 10; n /= 10; }
    return sum;
}
