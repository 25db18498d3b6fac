// The control register is loaded by assembly.
// different: large
// open
void load(unsigned word) { __asm__ volatile("ldmxcsr %0" : : "m"(word)); }
//// old
int large(float a, float b) { return a + b > 1.0f; }
//// new
int large(float a, float b) { return -(-a - b) > 1.0f; }
