// Midpoint with its precondition: nothing overflows.
// same: middle
//// old
int middle(int low, int high) {
    if (low < 0 || high < low || high > 1000000) return -1;
    return (low + high) / 2;
}
//// new
int middle(int low, int high) {
    if (low < 0 || high < low || high > 1000000) return -1;
    return low + (high - low) / 2;
}
