// Tail recursion with an accumulator and a loop.
// same within bounds: sum_to
//// old
static long add(int n, long acc) { return n <= 0 ? acc : add(n - 1, acc + n); }
long sum_to(int n) { return add(n, 0); }
//// new
long sum_to(int n) {
    long acc = 0;
    for (; n > 0; n--) acc += n;
    return acc;
}
