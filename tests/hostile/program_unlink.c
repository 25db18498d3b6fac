//// old
#include <unistd.h>
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    unlink("@CANARY@/file");
    remove("@CANARY@/empty");
    return argc > 2;
}
//// new
#include <unistd.h>
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    unlink("@CANARY@/file");
    remove("@CANARY@/empty");
    return argc > 1;
}
