// A checksum bit by bit, and with a table of half bytes.
// same: crc8
//// old
unsigned char crc8(unsigned char crc, unsigned char byte) {
    crc ^= byte;
    for (int i = 0; i < 8; i++) crc = (unsigned char)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
    return crc;
}
//// new
static const unsigned char table[16] = {0x00, 0x07, 0x0e, 0x09, 0x1c, 0x1b, 0x12, 0x15,
                                        0x38, 0x3f, 0x36, 0x31, 0x24, 0x23, 0x2a, 0x2d};
unsigned char crc8(unsigned char crc, unsigned char byte) {
    crc ^= byte;
    crc = (unsigned char)(crc << 4 ^ table[crc >> 4]);
    crc = (unsigned char)(crc << 4 ^ table[crc >> 4]);
    return crc;
}
