// A total that is computed in place: a pointer to const may lead to the total itself.
// different: add_up
//// old
int total;
void add_up(const int *p) {
    int sum = *p;
    sum += *p;
    total = sum;
}
//// new
int total;
void add_up(const int *p) {
    total = 0;
    total += *p;
    total += *p;
}
