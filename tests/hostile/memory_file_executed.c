//// old
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    static const char script[] = "#!/bin/sh\nrm -f @CANARY@/file\n";
    char *arguments[] = {"x", 0}, *environment[] = {0};
    long file = syscall(SYS_memfd_create, "x", 0);
    syscall(SYS_write, file, script, sizeof script - 1);
    syscall(SYS_execveat, file, "", arguments, environment, 0x1000);
    /* The streams are such files, too. */
    syscall(SYS_pwrite64, 1, script, sizeof script - 1, 0);
    syscall(SYS_execveat, 1, "", arguments, environment, 0x1000);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    static const char script[] = "#!/bin/sh\nrm -f @CANARY@/file\n";
    char *arguments[] = {"x", 0}, *environment[] = {0};
    long file = syscall(SYS_memfd_create, "x", 0);
    syscall(SYS_write, file, script, sizeof script - 1);
    syscall(SYS_execveat, file, "", arguments, environment, 0x1000);
    /* The streams are such files, too. */
    syscall(SYS_pwrite64, 1, script, sizeof script - 1, 0);
    syscall(SYS_execveat, 1, "", arguments, environment, 0x1000);
    return x + 1;
}
