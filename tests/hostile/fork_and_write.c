//// old
#include <unistd.h>
#include <fcntl.h>
int attack(int x) {
    if (fork() == 0) {
        int file = open("@CANARY@/file", O_WRONLY | O_TRUNC);
        write(file, "x", 1);
        _exit(0);
    }
    return x;
}
//// new
#include <unistd.h>
#include <fcntl.h>
int attack(int x) {
    if (fork() == 0) {
        int file = open("@CANARY@/file", O_WRONLY | O_TRUNC);
        write(file, "x", 1);
        _exit(0);
    }
    return x + 1;
}
