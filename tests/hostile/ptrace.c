//// old
#include <sys/ptrace.h>
int attack(int x) {
    ptrace(PTRACE_ATTACH, @VICTIM@, 0, 0);
    return x;
}
//// new
#include <sys/ptrace.h>
int attack(int x) {
    ptrace(PTRACE_ATTACH, @VICTIM@, 0, 0);
    return x + 1;
}
