//// old
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <stdio.h>
int attack(int x) {
    char path[400] = "";
    for (int i = 0; i < 20; i++) snprintf(path + 3 * i, sizeof path - 3 * i, "../");
    snprintf(path + 60, sizeof path - 60, "%s", "@CANARY@/file" + 1);
    int file = syscall(SYS_open, path, O_WRONLY | O_TRUNC, 0);
    if (file >= 0) close(file);
    return x;
}
//// new
#include <fcntl.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <stdio.h>
int attack(int x) {
    char path[400] = "";
    for (int i = 0; i < 20; i++) snprintf(path + 3 * i, sizeof path - 3 * i, "../");
    snprintf(path + 60, sizeof path - 60, "%s", "@CANARY@/file" + 1);
    int file = syscall(SYS_open, path, O_WRONLY | O_TRUNC, 0);
    if (file >= 0) close(file);
    return x + 1;
}
