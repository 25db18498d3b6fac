// Letters of hexadecimal numbers change.
// different: show
//// old
#include <stdio.h>
void show(unsigned char b) { printf("%02x", b); }
//// new
#include <stdio.h>
void show(unsigned char b) { printf("%02X", b); }
