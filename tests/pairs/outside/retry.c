// A retry as a loop and written out.
// same: fetch
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
    int r = try_fetch(url);
    if (r < 0) r = try_fetch(url);
    if (r < 0) r = try_fetch(url);
    return r < 0 ? -1 : r;
}
