//// old
#include <sys/uio.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    char byte = 0;
    struct iovec own = {&byte, 1}, other = {(void *)0x400000, 1};
    syscall(SYS_process_vm_writev, @VICTIM@, &own, 1, &other, 1, 0);
    return x;
}
//// new
#include <sys/uio.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    char byte = 0;
    struct iovec own = {&byte, 1}, other = {(void *)0x400000, 1};
    syscall(SYS_process_vm_writev, @VICTIM@, &own, 1, &other, 1, 0);
    return x + 1;
}
