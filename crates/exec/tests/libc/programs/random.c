#include <stdio.h>
#include <stdlib.h>
int main(void) {
    for (int i = 0; i < 5; i++) printf("%d ", rand());
    srand(42);
    for (int i = 0; i < 100; i++) printf("%d ", rand());
    srandom(7);
    for (int i = 0; i < 5; i++) printf("%ld ", random());
    srand(0);
    printf("%d\n", rand());
    unsigned seed = 5;
    for (int i = 0; i < 5; i++) printf("%d ", rand_r(&seed));
    printf("%f %ld %ld\n", drand48(), lrand48(), mrand48());
    srand48(9);
    printf("%f %ld %ld\n", drand48(), lrand48(), mrand48());
    return 0;
}
