// Day of the year: the leap day is counted one month too early.
// different: day_of_year
//// old
int day_of_year(int y, int m, int d) {
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    if (m < 1 || m > 12 || y < 0) return -1;
    int leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    return before[m - 1] + d + (leap && m > 2);
}
//// new
int day_of_year(int y, int m, int d) {
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    if (m < 1 || m > 12 || y < 0) return -1;
    int leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    return before[m - 1] + d + (leap && m >= 2);
}
