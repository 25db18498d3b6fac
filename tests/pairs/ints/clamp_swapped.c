// Bounds are parameters: with low above high the order of the tests matters.
// different: clamp
//// old
int clamp(int v, int low, int high) {
    if (v < low) return low;
    if (v > high) return high;
    return v;
}
//// new
int clamp(int v, int low, int high) {
    if (v > high) return high;
    if (v < low) return low;
    return v;
}
