//// old
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    struct sockaddr_un name = {AF_UNIX, "\0pathshift-canary"};
    long both[2], one = syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
    syscall(SYS_bind, one, &name, offsetof(struct sockaddr_un, sun_path) + 17);
    syscall(SYS_listen, one, 1);
    syscall(SYS_connect, one, &name, offsetof(struct sockaddr_un, sun_path) + 17);
    syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, both);
    return x;
}
//// new
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    struct sockaddr_un name = {AF_UNIX, "\0pathshift-canary"};
    long both[2], one = syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
    syscall(SYS_bind, one, &name, offsetof(struct sockaddr_un, sun_path) + 17);
    syscall(SYS_listen, one, 1);
    syscall(SYS_connect, one, &name, offsetof(struct sockaddr_un, sun_path) + 17);
    syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, both);
    return x + 1;
}
