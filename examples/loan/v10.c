/* A loan that is paid back month by month: interest, a fee for late payers, the last rate. */
enum { MOST = 50000, WRONG = -1 };

/* What is left of it. */
int Rest;
int Paid;
int Fees;

static int interest(int rest, int rate) { return (rest * rate + 600) / 1200; }

/* In how many months it is paid back, 0 if not within three. */
int pay(int amount, int rate, int monthly, int late)
{
    Rest = 0, Paid = 0, Fees = 0;
    if (amount < 100 || amount > MOST || rate < 1 || rate > 18)
        return WRONG;
    if (monthly < amount / 12)
        return WRONG;
    int rest = amount;
    for (int month = 1; month <= 3; month++) {
        rest = rest + interest(rest, rate);
        if (month == late) {
            int fee = rest / 40;
            if (fee < 5)
                fee = 5;
            else if (fee > 100)
                fee = 100;
            Fees = Fees + fee;
            rest = rest + fee;
            continue;
        }
        if (rest <= monthly) {
            Paid = Paid + rest;
            return month;
        }
        rest = rest - monthly;
        Paid = Paid + monthly;
    }
    Rest = rest;
    return 0;
}
