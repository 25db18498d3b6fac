//// old
int attack(int x) {
    long (*time)(long *) = (long (*)(long *))0xffffffffff600400;
    time((long *)0);
    return x;
}
//// new
int attack(int x) {
    long (*time)(long *) = (long (*)(long *))0xffffffffff600400;
    time((long *)0);
    return x + 1;
}
