#include <getopt.h>
#include <stdio.h>
int main(int argc, char **argv) {
    static struct option longs[] = {{"long", required_argument, 0, 'l'}, {"flag", no_argument, 0, 'f'}, {0, 0, 0, 0}};
    int c, index = -1;
    while ((c = getopt_long(argc, argv, "ab:c::", longs, &index)) != -1)
        printf("%c %s %d %d\n", c, optarg ? optarg : "-", optind, index);
    for (int i = 0; i < argc; i++) printf("%s ", i ? argv[i] : "");
    printf("%d\n", optind);
    char *more[] = {"p", "-ab", "x", "-bval", "-q", "--", "-a", 0};
    optind = 0;
    while ((c = getopt(7, more, "ab:")) != -1) printf("%c %s %d %c\n", c, optarg ? optarg : "-", optind, optopt);
    for (int i = 0; i < 7; i++) printf("%s ", more[i]);
    printf("%d\n", optind);
    char *third[] = {"p", "x", "-a", 0};
    optind = 0;
    printf("%d %d\n", getopt(3, third, "+ab:"), optind);
    char *fourth[] = {"p", "-b", 0};
    optind = 0;
    opterr = 0;
    printf("%d %c\n", getopt(2, fourth, "ab:"), optopt);
    optind = 0;
    printf("%c %c\n", getopt(2, fourth, ":ab:"), optopt);
    return 0;
}
