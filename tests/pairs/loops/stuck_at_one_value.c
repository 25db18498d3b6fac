// One value in the middle is never halved; a counter goes round and round beside it.
// different: halvings
// open
//// old
int halvings(unsigned x) {
    int c = 0;
    while (x > 100) {
        x /= 2;
        c++;
    }
    return c;
}
//// new
int halvings(unsigned x) {
    int c = 0;
    while (x > 100) {
        if (x != 12345)
            x /= 2;
        c++;
        if (c < 0)
            c = 0;
    }
    return c;
}
