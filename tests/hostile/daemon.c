//// old
#include <unistd.h>
int attack(int x) {
    daemon(0, 0);
    for (int i = 0; i < 5; i++) sleep(60);
    return x;
}
//// new
#include <unistd.h>
int attack(int x) {
    daemon(0, 0);
    for (int i = 0; i < 5; i++) sleep(60);
    return x + 1;
}
