// Zero is forgotten.
// different: is_power
//// old
int is_power(unsigned v) { return v && !(v & (v - 1)); }
//// new
int is_power(unsigned v) { return !(v & (v - 1)); }
