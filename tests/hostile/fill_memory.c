//// old
#include <stdlib.h>
#include <string.h>
int attack(int x) {
    for (int i = 0; i < 60; i++) {
        char *piece = malloc(64 << 20);
        if (!piece) break;
        memset(piece, 1, 64 << 20);
    }
    return x;
}
//// new
#include <stdlib.h>
#include <string.h>
int attack(int x) {
    for (int i = 0; i < 60; i++) {
        char *piece = malloc(64 << 20);
        if (!piece) break;
        memset(piece, 1, 64 << 20);
    }
    return x + 1;
}
