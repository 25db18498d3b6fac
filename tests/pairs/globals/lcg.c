// A random generator: another constant.
// different: random_number
//// old
static unsigned seed = 1;
void set_seed(unsigned s) { seed = s; }
unsigned random_number(void) { seed = seed * 1103515245u + 12345u; return seed >> 16 & 0x7fff; }
//// new
static unsigned seed = 1;
void set_seed(unsigned s) { seed = s; }
unsigned random_number(void) { seed = seed * 1103515245u + 12354u; return seed >> 16 & 0x7fff; }
