// Rules of leap years, nested in another way.
// same: leap
//// old
int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
//// new
int leap(int y) {
    if (y % 400 == 0) return 1;
    if (y % 100 == 0) return 0;
    return y % 4 == 0;
}
