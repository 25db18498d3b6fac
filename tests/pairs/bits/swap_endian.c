// Bytes in the other order: the middle ones are forgotten.
// different: swap
//// old
unsigned swap(unsigned v) {
    return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}
//// new
unsigned swap(unsigned v) {
    return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff00) | v << 24;
}
