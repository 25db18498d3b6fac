//// old
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>
int attack(int x) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    listen(s, 1);
    accept(s, 0, 0);
    return x;
}
//// new
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>
int attack(int x) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    listen(s, 1);
    accept(s, 0, 0);
    return x + 1;
}
