// A small record whose fields changed places, given to a function of somebody else and returned by one.
// same: give, take
// open
//// old
struct pair { int a, b; };
void send(struct pair p);
struct pair receive(void);
void give(int x) { struct pair p; p.a = x; p.b = 2; send(p); }
int take(void) { return receive().a; }
//// new
struct pair { int b, a; };
void send(struct pair p);
struct pair receive(void);
void give(int x) { struct pair p; p.a = x; p.b = 2; send(p); }
int take(void) { return receive().a; }
