//// old
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (int i = 0; i < 3; i++) syscall(SYS_fcntl, i, F_SETFL, O_APPEND | O_NONBLOCK | O_ASYNC);
    return x;
}
//// new
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    for (int i = 0; i < 3; i++) syscall(SYS_fcntl, i, F_SETFL, O_APPEND | O_NONBLOCK | O_ASYNC);
    return x + 1;
}
