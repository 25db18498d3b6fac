// Upper bound is tested first. The bounds are in order, so nothing changes.
// same: clamp_percent
//// old
int clamp_percent(int v) {
    if (v < 0) return 0;
    if (v > 100) return 100;
    return v;
}
//// new
int clamp_percent(int v) {
    if (v > 100) return 100;
    return v < 0 ? 0 : v;
}
