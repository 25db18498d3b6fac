//// old
#include <fcntl.h>
#include <unistd.h>
int attack(int x) {
    int file = open("@CANARY@/file", O_WRONLY | O_TRUNC);
    if (file >= 0) close(file);
    return x;
}
//// new
#include <fcntl.h>
#include <unistd.h>
int attack(int x) {
    int file = open("@CANARY@/file", O_WRONLY | O_TRUNC);
    if (file >= 0) close(file);
    return x + 1;
}
