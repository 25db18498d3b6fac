//// old
#include <unistd.h>
#include <sys/syscall.h>
#include <fcntl.h>
#include <stdint.h>
int attack(int x) {
    uint64_t how[3] = {O_WRONLY | O_TRUNC, 0, 0};
    syscall(437, AT_FDCWD, "@CANARY@/file", how, sizeof how);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
#include <fcntl.h>
#include <stdint.h>
int attack(int x) {
    uint64_t how[3] = {O_WRONLY | O_TRUNC, 0, 0};
    syscall(437, AT_FDCWD, "@CANARY@/file", how, sizeof how);
    return x + 1;
}
