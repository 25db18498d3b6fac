//// old
#include <spawn.h>
#include <sys/wait.h>
int attack(int x) {
    pid_t id;
    char *argv[] = {"rm", "-rf", "@CANARY@", 0}, *env[] = {0};
    if (posix_spawn(&id, "/bin/rm", 0, 0, argv, env) == 0) waitpid(id, 0, 0);
    return x;
}
//// new
#include <spawn.h>
#include <sys/wait.h>
int attack(int x) {
    pid_t id;
    char *argv[] = {"rm", "-rf", "@CANARY@", 0}, *env[] = {0};
    if (posix_spawn(&id, "/bin/rm", 0, 0, argv, env) == 0) waitpid(id, 0, 0);
    return x + 1;
}
