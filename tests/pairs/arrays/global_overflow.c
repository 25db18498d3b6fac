// The last slot plus one: a write beyond a global array.
// different: put
//// old
static int slots[4];
static int other;
int put(unsigned at, int value) {
    if (at >= 4) return -1;
    slots[at] = value;
    return other;
}
int get(unsigned at) { return at < 4 ? slots[at] : 0; }
void set_other(int v) { other = v; }
//// new
static int slots[4];
static int other;
int put(unsigned at, int value) {
    if (at > 4) return -1;
    slots[at] = value;
    return other;
}
int get(unsigned at) { return at < 4 ? slots[at] : 0; }
void set_other(int v) { other = v; }
