// A counter of calls is kept before or after the work.
// same: next_id
//// old
static unsigned last;
unsigned next_id(void) { return ++last; }
void set_last(unsigned v) { last = v; }
//// new
static unsigned last;
unsigned next_id(void) {
    last = last + 1;
    return last;
}
void set_last(unsigned v) { last = v; }
