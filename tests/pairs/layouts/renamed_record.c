// A record gets another name and another field.
// same: first
//// old
struct user { int id; int age; };
int first(struct user *u) { return u->age > 17 ? u->id : 0; }
//// new
struct person { char *name; int id; int age; };
int first(struct person *u) { return u->age <= 17 ? 0 : u->id; }
