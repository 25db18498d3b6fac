// The buffer of the new version is filled one place further on; a table has another number.
// different: weigh, digits
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
        last[rounds & 3] = (unsigned char)(value % 10);
        value = value / 10 + sum;
        rounds--;
    }
    return sum + last[0] + last[2];
}
//// new
int weigh(unsigned value, int rounds) {
    const int weights[5] = {3, 1, 4, 1, 6};
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
        last[(rounds + 1) & 3] = (unsigned char)(value % 10);
        value = value / 10 + sum;
        rounds--;
    }
    return sum + last[0] + last[2];
}
