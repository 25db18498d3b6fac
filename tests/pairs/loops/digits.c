// Sum of digits, by a loop and by recursion.
// same: digits
//// old
unsigned digits(unsigned n) {
    unsigned sum = 0;
    while (n > 0) { sum += n % 10; n /= 10; }
    return sum;
}
//// new
unsigned digits(unsigned n) { return n == 0 ? 0 : n % 10 + digits(n / 10); }
