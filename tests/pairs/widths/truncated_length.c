// A length is kept in 16 bits.
// different: room_left
//// old
unsigned room_left(unsigned used, unsigned limit) {
    unsigned left = limit - used;
    return left > limit ? 0 : left;
}
//// new
unsigned room_left(unsigned used, unsigned limit) {
    unsigned short left = limit - used;
    return left > limit ? 0 : left;
}
