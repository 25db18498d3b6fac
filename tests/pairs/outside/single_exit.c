// Early returns become one exit.
// same: update
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
    int result = 0;
    lock();
    if (check(v) == 0) value = v;
    else result = -1;
    unlock();
    return result;
}
