// A boundary belongs to the wrong bracket, but both formulas agree there.
// same: tax
//// old
unsigned tax(unsigned income) {
    if (income <= 10000) return 0;
    if (income <= 50000) return (income - 10000) / 4;
    return 10000 + (income - 50000) / 2;
}
//// new
unsigned tax(unsigned income) {
    if (income < 10000) return 0;
    if (income < 50000) return (income - 10000) / 4;
    return 10000 + (income - 50000) / 2;
}
