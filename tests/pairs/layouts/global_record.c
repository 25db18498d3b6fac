// A variable whose record changed.
// same: spend
//// old
struct account { int limit; int balance; };
struct account account;
int spend(int amount) {
    if (amount < 0 || account.balance - amount < account.limit) return 0;
    account.balance -= amount;
    return 1;
}
//// new
struct account { int balance; char currency[4]; int limit; };
struct account account;
int spend(int amount) {
    if (amount < 0) return 0;
    if (account.balance - amount < account.limit) return 0;
    account.balance -= amount;
    return 1;
}
