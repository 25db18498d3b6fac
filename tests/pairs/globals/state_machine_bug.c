// One transition is missing.
// different: step
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
void step(int event) {
    switch (state) {
    case IDLE: if (event == 1) state = RUN; break;
    case RUN: if (event == 2) state = STOP; break;
    case STOP: if (event == 0) state = IDLE; break;
    }
}
