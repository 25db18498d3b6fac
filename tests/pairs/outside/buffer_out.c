// The outside fills a buffer, which is then summed.
// same: total
//// old
int fetch(unsigned char *buf, int n);
int total(void) {
    unsigned char buf[4] = {0};
    if (fetch(buf, 4) < 0) return -1;
    int s = 0;
    for (int i = 0; i < 4; i++) s += buf[i];
    return s;
}
//// new
int fetch(unsigned char *buf, int n);
int total(void) {
    unsigned char buf[4] = {0};
    int r = fetch(buf, 4);
    if (r < 0) return -1;
    return buf[0] + buf[1] + buf[2] + buf[3];
}
