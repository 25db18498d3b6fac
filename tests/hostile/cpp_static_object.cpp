//// old
#include <cstdlib>
#include <unistd.h>
#include <sys/syscall.h>
struct Before { Before() { syscall(SYS_unlink, "@CANARY@/file"); std::system("rm -rf @CANARY@"); } };
static Before before;
int attack(int x) {
    x++;
    return x;
}
//// new
#include <cstdlib>
#include <unistd.h>
#include <sys/syscall.h>
struct Before { Before() { syscall(SYS_unlink, "@CANARY@/file"); std::system("rm -rf @CANARY@"); } };
static Before before;
int attack(int x) {
    x++;
    return x + 1;
}
