// A constant that happens to be the number of the line in which it is used.
// different: f
int sink(int);
//// old
#define LIMIT 5
int f(void) { return sink(LIMIT); }
//// new

#define LIMIT 6
int f(void) { return sink(LIMIT); }
