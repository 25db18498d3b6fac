// August has thirty-one days.
// different: days
//// old
int days(int month) {
    static const int table[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12) return -1;
    return table[month - 1];
}
//// new
int days(int month) {
    if (month < 1 || month > 12) return -1;
    if (month == 2) return 28;
    return month % 2 ? 31 : 30;
}
