// The guard is a temporary: it ends at once.
// different: work
//// old
extern "C" void enter(int);
extern "C" void leave(int);
extern "C" int compute(int);
struct Guard {
    int id;
    explicit Guard(int id) : id(id) { enter(id); }
    ~Guard() { leave(id); }
};
extern "C" int work(int id, int v) {
    Guard guard(id);
    return compute(v);
}
//// new
extern "C" void enter(int);
extern "C" void leave(int);
extern "C" int compute(int);
struct Guard {
    int id;
    explicit Guard(int id) : id(id) { enter(id); }
    ~Guard() { leave(id); }
};
extern "C" int work(int id, int v) {
    Guard{id};
    return compute(v);
}
