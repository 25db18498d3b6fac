// Moves of a tower, counted and computed.
// same: moves
//// old
unsigned moves(unsigned n) { return n > 10 ? 0 : n == 0 ? 0 : 2 * moves(n - 1) + 1; }
//// new
unsigned moves(unsigned n) { return n > 10 ? 0 : (1u << n) - 1; }
