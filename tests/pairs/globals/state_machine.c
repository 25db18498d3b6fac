// A state machine over globals: nested ifs and a table.
// same: step
//// old
enum { IDLE, RUN, STOP };
int state;
void step(int event) {
    switch (state) {
    case IDLE: if (event == 1) state = RUN; break;
    case RUN: if (event == 2) state = STOP; else if (event == 0) state = IDLE; break;
    case STOP: if (event == 0) state = IDLE; break;
    }
}
//// new
enum { IDLE, RUN, STOP };
int state;
static const signed char next[3][3] = { { IDLE, RUN, IDLE }, { IDLE, RUN, STOP }, { IDLE, STOP, STOP } };
void step(int event) {
    if (state < 0 || state > 2 || event < 0 || event > 2) return;
    state = next[state][event];
}
