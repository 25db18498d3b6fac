// The record is cast to where it is used.
// same: compare
//// old
struct entry { int rank; int key; };
int compare(const void *a, const void *b) {
    return ((const struct entry *)a)->key < ((const struct entry *)b)->key ? -1 : 1;
}
//// new
struct entry { int key; long stamp; int rank; };
int compare(const void *a, const void *b) {
    return ((const struct entry *)a)->key >= ((const struct entry *)b)->key ? 1 : -1;
}
