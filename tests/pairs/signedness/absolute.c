// The smallest number has no absolute value, whatever computes it.
// same: magnitude
//// old
unsigned magnitude(int v) { return v < 0 ? 0u - (unsigned)v : (unsigned)v; }
//// new
unsigned magnitude(int v) {
    unsigned mask = (unsigned)(v >> 31);
    return ((unsigned)v ^ mask) - mask;
}
