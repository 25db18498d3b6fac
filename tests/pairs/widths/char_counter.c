// A counter of another width: 200 additions overflow a char.
// different: count_bits
//// old
int count_bits(unsigned char a, unsigned char b) {
    unsigned int sum = a + b;
    return sum > 255;
}
//// new
int count_bits(unsigned char a, unsigned char b) {
    unsigned char sum = a + b;
    return sum > 255;
}
