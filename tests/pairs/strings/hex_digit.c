// Upper case is handled by setting a bit.
// same: hex
//// old
int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}
//// new
int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    int low = c | 0x20;
    if (low >= 'a' && low <= 'f') return low - 'a' + 10;
    return -1;
}
