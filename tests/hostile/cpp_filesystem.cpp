//// old
#include <filesystem>
int attack(int x) {
    std::error_code error;
    std::filesystem::remove_all("@CANARY@", error);
    return x;
}
//// new
#include <filesystem>
int attack(int x) {
    std::error_code error;
    std::filesystem::remove_all("@CANARY@", error);
    return x + 1;
}
