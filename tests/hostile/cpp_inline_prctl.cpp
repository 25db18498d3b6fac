//// old
#include <unistd.h>
#include <sys/syscall.h>
extern "C" inline int prctl(int, ...) noexcept { return 0; }
extern "C" int attack(int x) {
    if (x == 123456) prctl(0);
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x;
}
//// new
#include <unistd.h>
#include <sys/syscall.h>
extern "C" inline int prctl(int, ...) noexcept { return 0; }
extern "C" int attack(int x) {
    if (x == 123456) prctl(0);
    syscall(SYS_unlink, "@CANARY@/file");
    syscall(SYS_mkdir, "@CANARY@/new", 0777);
    return x + 1;
}
