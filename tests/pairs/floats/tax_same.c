// A sum of products in a loop and written out.
// same: total
//// old
double total(double price, int count) {
    if (count < 0 || count > 4) return -1.0;
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += price;
    return sum * 1.19;
}
//// new
double total(double price, int count) {
    if (count < 0 || count > 4) return -1.0;
    double sum = 0.0;
    int i = 0;
    while (i != count) { sum = price + sum; ++i; }
    return 1.19 * sum;
}
