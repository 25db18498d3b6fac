// A reference may be a member of the object itself.
// different: fill
struct box {
    int size;
    int used;
    void fill(const int &amount);
};
//// old
void box::fill(const int &amount) {
    int n = amount;
    used = 0;
    size = n;
}
//// new
void box::fill(const int &amount) {
    used = 0;
    size = amount;
}
