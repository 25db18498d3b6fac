// Siemens style: a comparison in an alarm logic turns lax.
// different: alarm
//// old
int inhibit(int climb, int up) { return climb ? up + 100 : up; }
int alarm(int cur, int other, int up, int down, int climb, int high) {
    if (cur > 100000 || cur < 0 || up > 100000 || up < 0) return -1;
    int need_up = 0, need_down = 0;
    if (high && other < 600) {
        int prefer = inhibit(climb, up) > down;
        need_up = prefer && cur < other;
        need_down = !prefer && other < cur;
    }
    if (need_up && need_down) return 0;
    return need_up ? 1 : need_down ? 2 : 0;
}
//// new
int inhibit(int climb, int up) { return climb ? up + 100 : up; }
int alarm(int cur, int other, int up, int down, int climb, int high) {
    if (cur > 100000 || cur < 0 || up > 100000 || up < 0) return -1;
    int need_up = 0, need_down = 0;
    if (high && other < 600) {
        int prefer = inhibit(climb, up) >= down;
        need_up = prefer && cur < other;
        need_down = !prefer && other < cur;
    }
    if (need_up && need_down) return 0;
    return need_up ? 1 : need_down ? 2 : 0;
}
