// Fast powers: the odd factor is lost.
// different: power
//// old
unsigned power(unsigned base, unsigned exponent) {
    if (exponent > 7) return 0;
    if (exponent == 0) return 1;
    unsigned half = power(base, exponent / 2);
    return exponent % 2 ? half * half * base : half * half;
}
//// new
unsigned power(unsigned base, unsigned exponent) {
    if (exponent > 7) return 0;
    if (exponent == 0) return 1;
    unsigned half = power(base, exponent / 2);
    return half * half;
}
