//// old
#include <pthread.h>
#include <unistd.h>
#include <sys/syscall.h>
static void *work(void *x) { syscall(SYS_unlink, "@CANARY@/file"); return x; }
int attack(int x) {
    pthread_t id;
    if (pthread_create(&id, 0, work, 0) == 0) pthread_join(id, 0);
    return x;
}
//// new
#include <pthread.h>
#include <unistd.h>
#include <sys/syscall.h>
static void *work(void *x) { syscall(SYS_unlink, "@CANARY@/file"); return x; }
int attack(int x) {
    pthread_t id;
    if (pthread_create(&id, 0, work, 0) == 0) pthread_join(id, 0);
    return x + 1;
}
