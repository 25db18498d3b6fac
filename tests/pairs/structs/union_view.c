// Bytes of a word through a union and through shifts (little endian).
// same: low_byte
//// old
unsigned low_byte(unsigned v) {
    union { unsigned word; unsigned char bytes[4]; } u;
    u.word = v;
    return u.bytes[0] + 256u * u.bytes[3];
}
//// new
unsigned low_byte(unsigned v) { return (v & 0xff) | (v >> 24) << 8; }
