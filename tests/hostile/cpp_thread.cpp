//// old
#include <thread>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    std::thread([] { syscall(SYS_unlink, "@CANARY@/file"); }).join();
    return x;
}
//// new
#include <thread>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    std::thread([] { syscall(SYS_unlink, "@CANARY@/file"); }).join();
    return x + 1;
}
