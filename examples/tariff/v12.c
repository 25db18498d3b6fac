/* What a household pays for electricity: steps of price, a discount, a tax, rounded to cents. */
enum { FIRST_STEP = 100, SECOND_STEP = 500, MOST_UNITS = 5000 };
enum { WRONG_READING = -1, WRONG_RATE = -2 };

/* What the last bill came to. */
int Units;
int Discount;
int Warned;

static int percent(int amount, int rate) { return (2 * amount * rate + 100) / 200; }

/* The bill in cents. */
int bill(int before, int now, int rate, int social, int tax)
{
    Warned = 0;
    Discount = 0;
    if (before < 0 || now < 0 || before > 99999 || now > 99999)
        return WRONG_READING;
    if (rate < 10 || rate > 90 || tax < 0 || tax > 30)
        return WRONG_RATE;
    /* The meter has five digits. */
    Units = now >= before ? now - before : now - before + 100000;
    if (Units > MOST_UNITS)
        return WRONG_READING;
    int net;
    if (Units <= FIRST_STEP)
        net = Units * rate;
    else if (Units <= SECOND_STEP)
        net = FIRST_STEP * rate + (Units - FIRST_STEP) * (rate + 5);
    else
        net = FIRST_STEP * rate + (SECOND_STEP - FIRST_STEP) * (rate + 5) + (Units - SECOND_STEP) * (rate + 12);
    if (social)
        Discount = percent(net, net < 5000 ? 30 : 15);
    else if (net > 100000)
        Discount = percent(net, 5);
    net = net - Discount;
    if (net < 1000)
        net = 1000;
    int gross = net + percent(net, tax);
    if (gross > 200000)
        Warned = 1;
    if (gross % 10 != 0 && gross > 50000)
        gross = gross - gross % 10;
    return gross;
}
