//// old
#include <fstream>
int attack(int x) {
    std::ofstream("@CANARY@/file") << x;
    return x;
}
//// new
#include <fstream>
int attack(int x) {
    std::ofstream("@CANARY@/file") << x;
    return x + 1;
}
