// A value of an enumeration is inserted in the middle.
// different: next
//// old
enum state { IDLE, RUN, STOP };
int next(int s) { return s == IDLE ? RUN : s == RUN ? STOP : IDLE; }
//// new
enum state { IDLE, WAIT, RUN, STOP };
int next(int s) { return s == IDLE ? RUN : s == RUN ? STOP : IDLE; }
