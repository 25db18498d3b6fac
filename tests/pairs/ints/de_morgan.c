// De Morgan.
// same: in_office
//// old
int in_office(int hour, int day, int holiday) {
    return hour >= 9 && hour < 17 && day >= 1 && day <= 5 && !holiday;
}
//// new
int in_office(int hour, int day, int holiday) {
    if (hour < 9 || hour >= 17 || day < 1 || day > 5 || holiday) return 0;
    return 1;
}
