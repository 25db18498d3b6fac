// The number of a day, its sum in steps.
// same: day
//// old
int day(int y, int m, int d) {
    int a = (14 - m) / 12, yy = y + 4800 - a, mm = m + 12 * a - 3;
    return d + (153 * mm + 2) / 5 + 365 * yy + yy / 4 - yy / 100 + yy / 400 - 32045;
}
//// new
int day(int y, int m, int d) {
    int a = (14 - m) / 12;
    int yy = 4800 + y - a;
    int mm = 12 * a + m - 3;
    int r = 365 * yy - 32045 + d;
    r += yy / 4;
    r -= yy / 100;
    r += yy / 400;
    return r + (153 * mm + 2) / 5;
}
