// A guard object and explicit calls.
// same: work
//// old
extern "C" void enter(int);
extern "C" void leave(int);
struct Guard {
    int id;
    explicit Guard(int id) : id(id) { enter(id); }
    ~Guard() { leave(id); }
};
extern "C" int work(int id, int v) {
    Guard guard(id);
    if (v < 0) return 0;
    return v / 2;
}
//// new
extern "C" void enter(int);
extern "C" void leave(int);
extern "C" int work(int id, int v) {
    int r = 0;
    enter(id);
    if (v >= 0) r = v / 2;
    leave(id);
    return r;
}
