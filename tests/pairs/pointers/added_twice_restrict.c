// The same where the caller promises that they are not the same place.
// same: add
//// old
void add(int *restrict a, int *restrict b) {
    *a += *b;
    *a += *b;
}
//// new
void add(int *restrict a, int *restrict b) {
    *a += 2 * *b;
}
