//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_userfaultfd, 0);
    syscall(SYS_userfaultfd, 1);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_userfaultfd, 0);
    syscall(SYS_userfaultfd, 1);
    return x + 1;
}
