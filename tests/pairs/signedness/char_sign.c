// Bytes of a text are signed: those above 127 are negative.
// different: is_high
//// old
int is_high(const char *s) { return s && (unsigned char)s[0] >= 0x80; }
//// new
int is_high(const char *s) { return s && s[0] >= 0x80; }
