// What was not read decides in both versions: the same uninitialised values, in variables of other names.
// same within bounds: main
//// old
#include <stdio.h>
int main(void) {
    int x, y;
    scanf("%d", &x);
    scanf("%d", &y);
    if (x % 2 == 0 && y > 0) puts("yes");
    else puts("no");
    return 0;
}
//// new
#include <stdio.h>
static int fits(int a, int b) {
    if (b <= 0) return 0;
    return a % 2 == 0;
}
int main(void) {
    int first, second;
    scanf("%d %d", &first, &second);
    puts(fits(first, second) ? "yes" : "no");
    return 0;
}
