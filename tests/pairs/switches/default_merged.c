// Cases that do what the default does are left out.
// same: priority
//// old
int priority(int kind) {
    switch (kind) {
    case 0: return 3;
    case 1: return 2;
    case 2: return 0;
    case 3: return 0;
    case 7: return 1;
    default: return 0;
    }
}
//// new
int priority(int kind) {
    switch (kind) {
    case 7: return 1;
    case 1: return 2;
    case 0: return 3;
    default: return 0;
    }
}
