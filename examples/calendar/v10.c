/* The day on which a payment is booked: the first bank day from its own day on, within the years 2001 to 2099.
 *
 * Saturdays, Sundays, New Year's Day, the first of May and both days of Christmas are no bank days.
 */

enum { FIRST_YEAR = 2001, LAST_YEAR = 2099 };
enum { WRONG_DATE = -1, TOO_LATE = -2 };

/* What the last call found. */
int BookedMonth;
int BookedDay;
int NextYear;

static const int Before[13] = {0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};

static int days_of(int year, int month)
{
    if (month == 2)
        return year % 4 == 0 ? 29 : 28;
    if (month == 4 || month == 6 || month == 9 || month == 11)
        return 30;
    return 31;
}

/* Days since the first of January 2001, which was a Monday. */
static int number_of(int year, int month, int day)
{
    int number = 365 * (year - FIRST_YEAR) + (year - FIRST_YEAR) / 4 + Before[month] + day - 1;
    if (month > 2 && year % 4 == 0)
        number = number + 1;
    return number;
}

static int is_feast(int month, int day)
{
    if (month == 1 || month == 5)
        return day == 1;
    return month == 12 && (day == 25 || day == 26);
}

/* How many days later it is booked. */
int book(int year, int month, int day)
{
    int wait = 0;
    NextYear = 0;
    if (year < FIRST_YEAR || year > LAST_YEAR)
        return WRONG_DATE;
    if (month < 1 || month > 12)
        return WRONG_DATE;
    if (day < 1 || day > days_of(year, month))
        return WRONG_DATE;
    int number = number_of(year, month, day);
    while (number % 7 >= 5 || is_feast(month, day)) {
        number = number + 1;
        wait = wait + 1;
        day = day + 1;
        if (day > days_of(year, month)) {
            day = 1;
            month = month + 1;
            if (month > 12) {
                month = 1;
                year = year + 1;
                NextYear = 1;
            }
        }
    }
    if (year > LAST_YEAR)
        return TOO_LATE;
    if (wait > 0) {
        BookedMonth = month;
        BookedDay = day;
    }
    return wait;
}
