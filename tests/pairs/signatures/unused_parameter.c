// A parameter that nobody looked at is gone.
// same: level
//// old
int level(int depth, int unused, int limit) {
    return depth > limit ? limit : depth;
}
//// new
int level(int depth, int limit) {
    if (depth < limit)
        return depth;
    return limit;
}
