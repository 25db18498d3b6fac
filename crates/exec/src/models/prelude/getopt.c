// Options of the command line as glibc takes them: arguments that are no options are moved behind those that are.
#include <getopt.h>
#include <stdio.h>
#include <string.h>

__attribute__((weak, section("pathshift"))) char *optarg;
__attribute__((weak, section("pathshift"))) int optind = 1, opterr = 1, optopt = '?';

// Where in an argument of several letters the next one is, and the range of arguments that were skipped.
__attribute__((section("pathshift"))) static char *next_letter;
__attribute__((section("pathshift"))) static int first_skipped, last_skipped, begun;

// Moves the skipped arguments behind those that were taken since.
static void exchange(char **argv) {
    int skipped = last_skipped - first_skipped, taken = optind - last_skipped;
    for (int i = 0; i < taken; i++) {
        char *moved = argv[last_skipped + i];
        for (int j = last_skipped + i; j > first_skipped + i; j--) argv[j] = argv[j - 1];
        argv[first_skipped + i] = moved;
    }
    first_skipped += taken;
    last_skipped = first_skipped + skipped;
}

static int long_option(int argc, char *const *argv, const struct option *longs, int *index, int quiet, int missing,
                       const char *dashes) {
    size_t length = strcspn(next_letter, "=");
    const struct option *found = 0;
    int number = 0, ambiguous = 0;
    for (int i = 0; longs[i].name; i++) {
        if (strncmp(longs[i].name, next_letter, length)) continue;
        if (strlen(longs[i].name) == length) {
            found = &longs[i];
            number = i;
            ambiguous = 0;
            break;
        }
        if (!found) {
            found = &longs[i];
            number = i;
        } else if (found->has_arg != longs[i].has_arg || found->flag != longs[i].flag || found->val != longs[i].val) {
            ambiguous = 1;
        }
    }
    char *rest = next_letter + length;
    if (ambiguous || !found) {
        if (!quiet)
            fprintf(stderr, ambiguous ? "%s: option '%s%s' is ambiguous\n" : "%s: unrecognized option '%s%s'\n", argv[0],
                    dashes, next_letter);
        next_letter = 0;
        optind++;
        optopt = 0;
        return '?';
    }
    next_letter = 0;
    optind++;
    if (*rest) {
        if (!found->has_arg) {
            if (!quiet)
                fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv[0], dashes, found->name);
            optopt = found->val;
            return '?';
        }
        optarg = rest + 1;
    } else if (found->has_arg == 1) {
        if (optind >= argc) {
            if (!quiet) fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv[0], dashes, found->name);
            optopt = found->val;
            return missing;
        }
        optarg = argv[optind++];
    }
    if (index) *index = number;
    if (found->flag) {
        *found->flag = found->val;
        return 0;
    }
    return found->val;
}

static int next_option(int argc, char **argv, const char *letters, const struct option *longs, int *index, int only) {
    if (argc < 1) return -1;
    optarg = 0;
    if (optind == 0 || !begun) {
        if (optind == 0) optind = 1;
        begun = 1;
        first_skipped = last_skipped = optind;
        next_letter = 0;
    }
    int order = *letters;
    if (order == '+' || order == '-') letters++;
    int quiet = !opterr || *letters == ':';
    int missing = *letters == ':' ? ':' : '?';
    if (!next_letter || !*next_letter) {
        if (last_skipped > optind) last_skipped = optind;
        if (first_skipped > optind) first_skipped = optind;
        if (order != '+' && order != '-') {
            if (first_skipped != last_skipped && last_skipped != optind) exchange(argv);
            else if (last_skipped != optind) first_skipped = optind;
            while (optind < argc && (argv[optind][0] != '-' || !argv[optind][1])) optind++;
            last_skipped = optind;
        }
        if (optind != argc && !strcmp(argv[optind], "--")) {
            optind++;
            if (first_skipped != last_skipped && last_skipped != optind) exchange(argv);
            else if (first_skipped == last_skipped) first_skipped = optind;
            last_skipped = argc;
            optind = argc;
        }
        if (optind == argc) {
            if (first_skipped != last_skipped) optind = first_skipped;
            return -1;
        }
        if (argv[optind][0] != '-' || !argv[optind][1]) {
            if (order == '+') return -1;
            optarg = argv[optind++];
            return 1;
        }
        if (longs) {
            if (argv[optind][1] == '-') {
                next_letter = argv[optind] + 2;
                return long_option(argc, argv, longs, index, quiet, missing, "--");
            }
            if (only && (argv[optind][2] || !strchr(letters, argv[optind][1]))) {
                next_letter = argv[optind] + 1;
                return long_option(argc, argv, longs, index, quiet, missing, "-");
            }
        }
        next_letter = argv[optind] + 1;
    }
    char letter = *next_letter++;
    const char *known = strchr(letters, letter);
    if (!*next_letter) optind++;
    if (!known || letter == ':' || letter == ';') {
        if (!quiet) fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], letter);
        optopt = letter;
        return '?';
    }
    if (known[1] != ':') return letter;
    if (*next_letter) {
        optarg = next_letter;
        optind++;
    } else if (known[2] != ':') {
        if (optind == argc) {
            if (!quiet) fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], letter);
            optopt = letter;
            next_letter = 0;
            return missing;
        }
        optarg = argv[optind++];
    }
    next_letter = 0;
    return letter;
}

__attribute__((weak)) int getopt(int argc, char *const *argv, const char *letters) {
    return next_option(argc, (char **)argv, letters, 0, 0, 0);
}

__attribute__((weak)) int getopt_long(int argc, char *const *argv, const char *letters, const struct option *longs,
                                      int *index) {
    return next_option(argc, (char **)argv, letters, longs, index, 0);
}

__attribute__((weak)) int getopt_long_only(int argc, char *const *argv, const char *letters,
                                           const struct option *longs, int *index) {
    return next_option(argc, (char **)argv, letters, longs, index, 1);
}
