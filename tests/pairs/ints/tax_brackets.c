// Brackets as a chain and as a sum of parts.
// same: tax
//// old
unsigned tax(unsigned income) {
    if (income > 1000000) income = 1000000;
    if (income <= 10000) return 0;
    if (income <= 30000) return (income - 10000) * 20 / 100;
    if (income <= 70000) return 4000 + (income - 30000) * 30 / 100;
    return 16000 + (income - 70000) * 45 / 100;
}
//// new
static unsigned part(unsigned income, unsigned from, unsigned to, unsigned percent) {
    if (income <= from) return 0;
    return ((income < to ? income : to) - from) * percent / 100;
}
unsigned tax(unsigned income) {
    if (income > 1000000) income = 1000000;
    return part(income, 10000, 30000, 20) + part(income, 30000, 70000, 30) + part(income, 70000, 1000000, 45);
}
