// Ranges inside one array: copied in another order.
// different: shift
//// old
void shift(int *to, int *from) {
    for (int i = 0; i < 3; i++) to[i] = from[i];
}
//// new
void shift(int *to, int *from) {
    for (int i = 2; i >= 0; i--) to[i] = from[i];
}
