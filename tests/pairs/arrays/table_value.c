// One entry of a table is mistyped.
// different: days
//// old
static const unsigned char length[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
int days(unsigned month) { return month >= 1 && month <= 12 ? length[month - 1] : 0; }
//// new
static const unsigned char length[12] = { 31, 28, 31, 30, 31, 30, 31, 30, 31, 30, 31, 31 };
int days(unsigned month) { return month >= 1 && month <= 12 ? length[month - 1] : 0; }
