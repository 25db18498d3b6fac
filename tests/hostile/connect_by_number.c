//// old
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    struct sockaddr_in to = {AF_INET, htons(@PORT@), {htonl(INADDR_LOOPBACK)}, {0}};
    int s = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    syscall(SYS_connect, s, &to, sizeof to);
    return x;
}
//// new
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    struct sockaddr_in to = {AF_INET, htons(@PORT@), {htonl(INADDR_LOOPBACK)}, {0}};
    int s = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    syscall(SYS_connect, s, &to, sizeof to);
    return x + 1;
}
