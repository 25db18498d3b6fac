// The error way leaves without the unlock.
// different: update
//// old
void lock(void);
void unlock(void);
int check(int v);
int value;
int update(int v) {
    lock();
    if (check(v) != 0) { unlock(); return -1; }
    value = v;
    unlock();
    return 0;
}
//// new
void lock(void);
void unlock(void);
int check(int v);
int value;
int update(int v) {
    lock();
    if (check(v) != 0) return -1;
    value = v;
    unlock();
    return 0;
}
