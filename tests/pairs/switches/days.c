// Days of a month from a table and from a switch.
// same: days
//// old
int days(int month, int leap) {
    static const int table[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12) return -1;
    return table[month - 1] + (month == 2 && leap ? 1 : 0);
}
//// new
int days(int month, int leap) {
    switch (month) {
    case 2: return leap ? 29 : 28;
    case 4: case 6: case 9: case 11: return 30;
    case 1: case 3: case 5: case 7: case 8: case 10: case 12: return 31;
    default: return -1;
    }
}
