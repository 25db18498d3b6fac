//// old
#include <unistd.h>
int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1)
        for (;;) pause();
    return argc > 2;
}
//// new
#include <unistd.h>
int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1)
        for (;;) pause();
    return argc > 1;
}
