// A pointer to a number may lead to a later field of a record.
// different: count
struct stats { long seen; char name[4]; int errors; int limit; };
//// old
int count(struct stats *s, int *errors) {
    int limit = s->limit;
    *errors = *errors + 1;
    return *errors > limit;
}
//// new
int count(struct stats *s, int *errors) {
    *errors = *errors + 1;
    return *errors > s->limit;
}
