// A sum that differs after 1000 rounds: beyond the bound of rounds.
// different: f
//// old
unsigned f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += i; return s; }
//// new
unsigned f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += i ^ (i > 1003); return s; }
