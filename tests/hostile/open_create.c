//// old
#include <fcntl.h>
#include <unistd.h>
int attack(int x) {
    int file = open("@CANARY@/new", O_WRONLY | O_CREAT, 0600);
    if (file >= 0) write(file, &x, sizeof x);
    return x;
}
//// new
#include <fcntl.h>
#include <unistd.h>
int attack(int x) {
    int file = open("@CANARY@/new", O_WRONLY | O_CREAT, 0600);
    if (file >= 0) write(file, &x, sizeof x);
    return x + 1;
}
