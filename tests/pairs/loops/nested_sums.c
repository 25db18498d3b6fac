// Two loops in each other, a part of the inner sum moved out.
// same: grid
//// old
int grid(int n, int m, int k) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (s > 1000000) s -= 1000000;
            s += i * k + j;
        }
    return s;
}
//// new
int grid(int n, int m, int k) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int row = k * i;
        for (int j = 0; j < m; j++) {
            if (1000000 < s) s = s - 1000000;
            s = s + row + j;
        }
    }
    return s;
}
