// The first bytes are cleared, and a field got in between.
// different: clear
//// old
#include <string.h>
struct score { int points, bonus, total; };
void clear(struct score *s) { memset(&s->points, 0, 2 * sizeof(int)); }
//// new
#include <string.h>
struct score { int points, level, bonus, total; };
void clear(struct score *s) { memset(&s->points, 0, 2 * sizeof(int)); }
