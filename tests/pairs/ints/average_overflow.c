// The fix of the famous midpoint overflow: other results where the sum is too large.
// different: middle
//// old
unsigned middle(unsigned low, unsigned high) { return (low + high) / 2; }
//// new
unsigned middle(unsigned low, unsigned high) { return low + (high - low) / 2; }
