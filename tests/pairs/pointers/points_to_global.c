// A pointer may lead to the variable that is changed in between.
// different: next
//// old
int count;
int next(int *p) {
    count++;
    return *p;
}
//// new
int count;
int next(int *p) {
    int v = *p;
    count++;
    return v;
}
