//// old
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <unistd.h>
int attack(int x) {
    struct sockaddr_in to = {AF_INET, htons(@PORT@), {htonl(INADDR_LOOPBACK)}, {0}};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&to, sizeof to) == 0) send(s, "x", 1, 0);
    close(s);
    return x;
}
//// new
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <unistd.h>
int attack(int x) {
    struct sockaddr_in to = {AF_INET, htons(@PORT@), {htonl(INADDR_LOOPBACK)}, {0}};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&to, sizeof to) == 0) send(s, "x", 1, 0);
    close(s);
    return x + 1;
}
