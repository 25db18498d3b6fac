// A parameter may be the address of a field of a global record.
// different: raise
struct config { int level; int limit; } config;
//// old
int raise(int *level) {
    int limit = config.limit;
    *level = 10;
    return limit;
}
//// new
int raise(int *level) {
    *level = 10;
    return config.limit;
}
