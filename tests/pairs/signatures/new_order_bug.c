// Parameters changed places, and one use of them was forgotten.
// different: within
//// old
int within(unsigned char low, int value) {
    return value >= low && value < low + 10;
}
//// new
int within(int value, unsigned char low) {
    return value >= low && low < value + 10;
}
