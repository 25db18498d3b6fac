//// old
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
/* What a driver would write of a run that returned. */
int attack(int x) {
    unsigned long record[16];
    memset(record, 0, sizeof record);
    for (int i = 0; i < 64; i++) syscall(SYS_write, i, record, sizeof record);
    for (int i = 0; i < 64; i++) syscall(SYS_pwrite64, i, "{\"Ends\":[{\"Function\":0},null]}\n", 31, 0);
    return x;
}
//// new
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
/* What a driver would write of a run that returned. */
int attack(int x) {
    unsigned long record[16];
    memset(record, 0, sizeof record);
    for (int i = 0; i < 64; i++) syscall(SYS_write, i, record, sizeof record);
    for (int i = 0; i < 64; i++) syscall(SYS_pwrite64, i, "{\"Ends\":[{\"Function\":0},null]}\n", 31, 0);
    return x + 1;
}
