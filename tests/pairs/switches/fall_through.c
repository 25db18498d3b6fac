// A break is missing.
// different: cost
//// old
int cost(int kind) {
    int c = 0;
    switch (kind) {
    case 0: c = 1; break;
    case 1: c = 5; break;
    case 2: c = 9; break;
    default: c = -1;
    }
    return c;
}
//// new
int cost(int kind) {
    int c = 0;
    switch (kind) {
    case 0: c = 1; break;
    case 1: c = 5;
    case 2: c = 9; break;
    default: c = -1;
    }
    return c;
}
