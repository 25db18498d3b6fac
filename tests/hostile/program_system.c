//// old
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc > 1) system("rm -rf @CANARY@");
    return argc > 2;
}
//// new
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc > 1) system("rm -rf @CANARY@");
    return argc > 1;
}
