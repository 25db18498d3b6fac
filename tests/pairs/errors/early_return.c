// An early return skips the clean-up of a flag.
// different: run
//// old
struct job { int busy, result; };
int run(struct job *j, int input) {
    int r = 0;
    if (!j || j->busy) return -1;
    j->busy = 1;
    if (input < 0) r = -2;
    else j->result = input / 2;
    j->busy = 0;
    return r;
}
//// new
struct job { int busy, result; };
int run(struct job *j, int input) {
    if (!j || j->busy) return -1;
    j->busy = 1;
    if (input < 0) return -2;
    j->result = input / 2;
    j->busy = 0;
    return 0;
}
