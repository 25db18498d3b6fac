//// old
#include <sys/shm.h>
#include <sys/ipc.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_shmget, 0x70617468, 4096, 0600 | IPC_CREAT);
    return x;
}
//// new
#include <sys/shm.h>
#include <sys/ipc.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_shmget, 0x70617468, 4096, 0600 | IPC_CREAT);
    return x + 1;
}
