//// old
#include <sys/msg.h>
#include <sys/ipc.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_msgget, 0x70617468, 0600 | IPC_CREAT);
    return x;
}
//// new
#include <sys/msg.h>
#include <sys/ipc.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_msgget, 0x70617468, 0600 | IPC_CREAT);
    return x + 1;
}
