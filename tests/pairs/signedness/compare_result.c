// A comparison by subtraction overflows.
// different: compare
//// old
int compare(int a, int b) { return a < b ? -1 : a > b; }
//// new
int compare(int a, int b) {
    int d = (int)((unsigned)a - (unsigned)b);
    return d < 0 ? -1 : d > 0;
}
