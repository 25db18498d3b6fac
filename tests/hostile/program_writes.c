//// old
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *file = fopen(argc > 1 ? argv[1] : "@CANARY@/file", "w");
    if (file) fputs("gone", file);
    return argc > 2;
}
//// new
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *file = fopen(argc > 1 ? argv[1] : "@CANARY@/file", "w");
    if (file) fputs("gone", file);
    return argc > 1;
}
