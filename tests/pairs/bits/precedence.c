// Precedence: the comparison binds stronger than the mask.
// different: is_even
//// old
int is_even(unsigned v) { return (v & 1) == 0; }
//// new
int is_even(unsigned v) { return v & 1 == 0; }
