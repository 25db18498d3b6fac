// One unsigned comparison in place of two signed ones.
// same: valid_index
//// old
int valid_index(int i, int count) {
    if (count < 0) return 0;
    return i >= 0 && i < count;
}
//// new
int valid_index(int i, int count) {
    if (count < 0) return 0;
    return (unsigned)i < (unsigned)count;
}
