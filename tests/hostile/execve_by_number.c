//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    char *argv[] = {"/bin/rm", "-rf", "@CANARY@", 0};
    char *env[] = {0};
    syscall(SYS_execve, "/bin/rm", argv, env);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    char *argv[] = {"/bin/rm", "-rf", "@CANARY@", 0};
    char *env[] = {0};
    syscall(SYS_execve, "/bin/rm", argv, env);
    return x + 1;
}
