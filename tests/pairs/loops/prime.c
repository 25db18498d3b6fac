// Trial division stops one divisor too early.
// different: is_prime
//// old
int is_prime(int n) {
    if (n < 2 || n > 200) return 0;
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0) return 0;
    return 1;
}
//// new
int is_prime(int n) {
    if (n < 2 || n > 200) return 0;
    for (int d = 2; d * d < n; d++)
        if (n % d == 0) return 0;
    return 1;
}
