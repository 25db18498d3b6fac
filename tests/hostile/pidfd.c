//// old
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    int id = syscall(434, @VICTIM@, 0);
    syscall(424, id, SIGKILL, 0, 0);
    return x;
}
//// new
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    int id = syscall(434, @VICTIM@, 0);
    syscall(424, id, SIGKILL, 0, 0);
    return x + 1;
}
