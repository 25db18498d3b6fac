/* Scalars only: what a decision changes is seen through joins. */
int printf(const char *, ...);
void exit(int);
static int mode = 2;

static int brake(int pedal, int cmd, int pressed) {
    int alt = 0, meter = 0;
    if (pedal <= 0) cmd = cmd + 1;
    else if (pedal == 1) cmd = cmd + 2;
    else cmd = pedal;
    if (pressed) {
        if (pressed == 1) alt = 0;
        else alt = 1;
    } else {
        meter = 2;
    }
    if (cmd == 3) alt = 4;
    else if (cmd == 2) meter = 6;
    return alt * 10 + meter;
}

static int search(int key) {
    int low = 0, high = 64, found = -1, rounds = 0;
    while (low < high) {
        int middle = (low + high) / 2;
        rounds++;
        if (middle * 3 == key) { found = middle; break; }
        if (middle * 3 < key) low = middle + 1;
        else high = middle;
        if (rounds > 20) exit(3);
    }
    return found * 100 + rounds;
}

static int classify(int n) {
    int kind;
    switch (n % 5) {
    case 0: kind = 1; break;
    case 1:
    case 2: kind = 7; if (n > 10) goto out;
    case 3: kind = 3; break;
    default: kind = mode;
    }
    n = n && kind > 2 || n > 7 ? kind : -kind;
out:
    return n + kind;
}

static void guard(int n) {
    if (n < -1000) exit(1);
    mode = n > 3;
}

int main(void) {
    int total = 0, i;
    for (i = 0; i < 6; i++) {
        int a = brake(i - 2, i, i % 3);
        int b = search(i * 9);
        guard(total);
        int c;
        if (a > b) c = classify(a);
        else c = 5;
        do { total += c; c--; } while (c > 0 && total % 3);
        total += a + b;
    }
    printf("%d\n", total);
    return mode;
}
