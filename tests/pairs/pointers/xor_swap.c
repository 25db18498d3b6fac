// Swapping with exclusive or makes zero of a number that is swapped with itself.
// different: swap
//// old
void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
//// new
void swap(int *a, int *b) {
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
}
