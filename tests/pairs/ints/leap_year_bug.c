// The rule of 400 years is lost.
// different: days_in_february
//// old
int days_in_february(int y) {
    if (y % 400 == 0) return 29;
    if (y % 100 == 0) return 28;
    return y % 4 == 0 ? 29 : 28;
}
//// new
int days_in_february(int y) {
    if (y % 100 == 0) return 28;
    return y % 4 == 0 ? 29 : 28;
}
