// The address of a weak function is passed on, returned and stored.
// same: returned, stored
// different: passed
typedef void (*callback)(void);
extern __attribute__((weak)) void hook(void);
callback kept;
static int is_set(callback p) { return p != 0; }
//// old
callback returned(void) { return hook; }
int passed(void) { return is_set(hook); }
void stored(void) { kept = hook; }
//// new
callback returned(void) { return hook ? hook : 0; }
int passed(void) { return 1; }
void stored(void) {
    callback next = 0;
    if (hook) next = hook;
    kept = next;
}
