// A loop that became a `while` forgets its step behind `continue`.
// different: without_two
//// old
int without_two(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (i == 2) continue;
        sum += i;
    }
    return sum;
}
//// new
int without_two(int n) {
    int sum = 0, i = 0;
    while (i < n) {
        if (i == 2) continue;
        sum += i;
        i++;
    }
    return sum;
}
