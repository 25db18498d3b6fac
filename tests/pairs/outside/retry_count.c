// One retry less.
// different: fetch
//// old
int try_fetch(int url);
int fetch(int url) {
    for (int i = 0; i < 3; i++) {
        int r = try_fetch(url);
        if (r >= 0) return r;
    }
    return -1;
}
//// new
int try_fetch(int url);
int fetch(int url) {
    for (int i = 0; i < 2; i++) {
        int r = try_fetch(url);
        if (r >= 0) return r;
    }
    return -1;
}
