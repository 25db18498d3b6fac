//// old
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_kill, @VICTIM@, SIGKILL);
    syscall(SYS_tkill, @VICTIM@, SIGKILL);
    syscall(SYS_tgkill, @VICTIM@, @VICTIM@, SIGKILL);
    return x;
}
//// new
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    syscall(SYS_kill, @VICTIM@, SIGKILL);
    syscall(SYS_tkill, @VICTIM@, SIGKILL);
    syscall(SYS_tgkill, @VICTIM@, @VICTIM@, SIGKILL);
    return x + 1;
}
