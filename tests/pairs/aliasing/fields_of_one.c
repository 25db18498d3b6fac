// Two pointers of one record may lead to the same number.
// different: move_on
struct range { int *begin, *end; };
//// old
int move_on(struct range *r) {
    int was = *r->begin;
    *r->end = was + 1;
    return was;
}
//// new
int move_on(struct range *r) {
    *r->end = *r->begin + 1;
    return *r->begin;
}
