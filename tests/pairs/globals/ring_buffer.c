// A ring buffer's index wraps by remainder and by comparison.
// same: push
//// old
static unsigned char ring[4];
static unsigned head, count;
int push(unsigned char b) {
    if (head > 3 || count >= 4) return 0;
    ring[head] = b;
    head = (head + 1) % 4;
    count++;
    return 1;
}
void clear(unsigned h, unsigned c) { head = h; count = c; ring[0] = 0; }
//// new
static unsigned char ring[4];
static unsigned head, count;
int push(unsigned char b) {
    if (head > 3 || count >= 4) return 0;
    ring[head++] = b;
    if (head == 4) head = 0;
    ++count;
    return 1;
}
void clear(unsigned h, unsigned c) { head = h; count = c; ring[0] = 0; }
