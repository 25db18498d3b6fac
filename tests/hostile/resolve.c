//// old
#include <netdb.h>
int attack(int x) {
    struct addrinfo *found;
    if (getaddrinfo("localhost", "1", 0, &found) == 0) freeaddrinfo(found);
    return x;
}
//// new
#include <netdb.h>
int attack(int x) {
    struct addrinfo *found;
    if (getaddrinfo("localhost", "1", 0, &found) == 0) freeaddrinfo(found);
    return x + 1;
}
