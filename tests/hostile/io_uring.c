//// old
#include <unistd.h>
#include <sys/syscall.h>
#include <string.h>
int attack(int x) {
    char params[256];
    memset(params, 0, sizeof params);
    syscall(425, 8, params);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
#include <string.h>
int attack(int x) {
    char params[256];
    memset(params, 0, sizeof params);
    syscall(425, 8, params);
    return x + 1;
}
