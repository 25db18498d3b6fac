// A growing buffer: growth by doubling and by a fixed amount is not seen.
// same: collect
// open
//// old
#include <stdlib.h>
int collect(const int *v, int n) {
    if (!v || n < 0 || n > 6) return -1;
    int *kept = 0, count = 0, room = 0;
    for (int i = 0; i < n; i++) {
        if (v[i] < 0) continue;
        if (count == room) {
            room = room ? 2 * room : 1;
            int *more = realloc(kept, sizeof(int) * room);
            if (!more) { free(kept); return -1; }
            kept = more;
        }
        kept[count++] = v[i];
    }
    int last = count ? kept[count - 1] : 0;
    free(kept);
    return last;
}
//// new
#include <stdlib.h>
int collect(const int *v, int n) {
    if (!v || n < 0 || n > 6) return -1;
    int last = 0;
    for (int i = 0; i < n; i++) if (v[i] >= 0) last = v[i];
    return last;
}
