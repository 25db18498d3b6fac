// A table and a switch.
// same: days
//// old
static const unsigned char length[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
int days(unsigned month) { return month >= 1 && month <= 12 ? length[month - 1] : 0; }
//// new
int days(unsigned month) {
    switch (month) {
    case 2: return 28;
    case 4: case 6: case 9: case 11: return 30;
    case 1: case 3: case 5: case 7: case 8: case 10: case 12: return 31;
    default: return 0;
    }
}
