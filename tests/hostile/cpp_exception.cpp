//// old
#include <stdexcept>
#include <cstdlib>
int attack(int x) {
    try {
        if (x > 3) throw std::runtime_error("x");
    } catch (...) {
        std::system("rm -rf @CANARY@");
    }
    return x;
}
//// new
#include <stdexcept>
#include <cstdlib>
int attack(int x) {
    try {
        if (x > 3) throw std::runtime_error("x");
    } catch (...) {
        std::system("rm -rf @CANARY@");
    }
    return x + 1;
}
