// A length that became unsigned and wide: negative ones are huge now.
// different: is_short
//// old
int is_short(int length) { return length < 16; }
//// new
int is_short(unsigned long length) { return length < 16; }
