// A table of the function's own, read at a place that only the loop knows, and a buffer that both versions fill alike.
// same: weigh, digits
//// old
int weigh(unsigned value, int rounds) {
    const int weights[5] = {3, 1, 4, 1, 5};
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        sum += weights[i % 5] * (int)(value & 1);
        value >>= 1;
    }
    return sum;
}
unsigned digits(unsigned value, unsigned rounds) {
    unsigned char last[4] = {0, 0, 0, 0};
    unsigned sum = 0;
    while (rounds > 0) {
        sum = sum * 3 + last[rounds & 3];
        last[rounds & 3] = (unsigned char)(value % 10);
        value = value / 10 + sum;
        rounds--;
    }
    return sum + last[0] + last[2];
}
//// new
int weigh(unsigned value, int rounds) {
    const int weights[5] = {3, 1, 4, 1, 5};
    int sum = 0, i = 0;
    while (i < rounds) {
        int bit = (int)(value & 1);
        sum = sum + bit * weights[i % 5];
        value = value >> 1;
        i++;
    }
    return sum;
}
unsigned digits(unsigned value, unsigned rounds) {
    unsigned char kept[4] = {0, 0, 0, 0};
    unsigned sum = 0;
    for (unsigned left = rounds; left != 0; left--) {
        unsigned at = left & 3;
        sum = kept[at] + 3 * sum;
        kept[at] = (unsigned char)(value % 10);
        value = sum + value / 10;
    }
    return kept[2] + sum + kept[0];
}
