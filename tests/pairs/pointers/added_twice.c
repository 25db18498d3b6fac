// Adding twice is adding the double, unless both are the same place.
// different: add
//// old
void add(int *a, int *b) {
    *a += *b;
    *a += *b;
}
//// new
void add(int *a, int *b) {
    *a += 2 * *b;
}
