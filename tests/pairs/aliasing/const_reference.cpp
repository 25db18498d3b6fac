// A reference to const may be the variable that is written.
// different: scale
//// old
void scale(int &x, int &y, const int &by) {
    int factor = by;
    x = x * factor;
    y = y * factor;
}
//// new
void scale(int &x, int &y, const int &by) {
    x = x * by;
    y = y * by;
}
