// Escapes of web addresses, by pointers and by indices: too many ways for long texts.
// same: decode
//// old
static int value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}
void decode(char *s) {
    char *out = s;
    while (*s) {
        if (*s == '+') {
            *out++ = ' ';
            s++;
        } else if (*s == '%' && value(s[1]) >= 0 && value(s[2]) >= 0) {
            *out++ = (char)(value(s[1]) * 16 + value(s[2]));
            s += 3;
        } else {
            *out++ = *s++;
        }
    }
    *out = 0;
}
//// new
static int value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}
void decode(char *s) {
    int i, o = 0;
    for (i = 0; s[i] != 0; i++) {
        char c = s[i];
        if (c == '+') {
            c = ' ';
        } else if (c == '%') {
            int high = value(s[i + 1]);
            int low = high < 0 ? -1 : value(s[i + 2]);
            if (low >= 0) {
                c = (char)((high << 4) | low);
                i += 2;
            }
        }
        s[o++] = c;
    }
    s[o] = 0;
}
