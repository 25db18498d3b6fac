//// old
#include <unistd.h>
#include <sys/syscall.h>
int main(int argc, char **argv) {
    (void)argv;
    if (syscall(SYS_fork) == 0)
        for (;;) syscall(SYS_pause);
    return argc > 2;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int main(int argc, char **argv) {
    (void)argv;
    if (syscall(SYS_fork) == 0)
        for (;;) syscall(SYS_pause);
    return argc > 1;
}
