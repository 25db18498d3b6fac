// The register of the argument holds another number.
// different: f
// open
//// old
void ext(char c);
void f(void) { ext(200); }
//// new
void ext(unsigned char c);
void f(void) { ext(200); }
