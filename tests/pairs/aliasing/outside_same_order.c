// Both versions read a global variable behind the same call.
// same: f
int level;
void notify(void);
//// old
int f(int x) {
    level = x;
    notify();
    return level + level;
}
//// new
int f(int x) {
    level = x;
    notify();
    return 2 * level;
}
