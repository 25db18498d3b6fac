/* The wall around a case.

   The driver itself was confined before it was loaded, see the crate `sandbox`. A case is confined once more, before anything
   of the program is called: it sees no files but those of its folder, reaches no process but itself, and is stopped where it
   makes a system call that the filters of that crate do not let through. */

#include <dirent.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>

/* What the headers of older systems lack. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
enum { LANDLOCK_VERSION = 1, BENEATH_PATH = 1 };
enum {
    FS_WRITE_FILE = 1 << 1, FS_READ_FILE = 1 << 2, FS_READ_DIR = 1 << 3, FS_REMOVE_FILE = 1 << 5, FS_MAKE_REG = 1 << 8,
    FS_TRUNCATE = 1 << 14,
    FS_ALL_1 = (1 << 13) - 1, FS_ALL_2 = (1 << 14) - 1, FS_ALL_3 = (1 << 15) - 1
};
struct ruleset_attr {
    uint64_t files;
};
struct beneath_attr {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

/* Most files that a case may have in its folder, and how often all of them together may be as large as one. */
enum { MAX_FILES = 64, MAX_FULL_FILES = 4 };

/* A ruleset that bounds files to the folder of cases, or -1; whether the folder may become the root folder; whether either of them
   bounds files; how much of the address space is taken before a case begins. */
static int ruleset = -1, may_change_root, is_bounded;
static uint64_t space_taken;

static uint64_t address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return (uint64_t)pages * PAGE;
}

static void install(const struct sock_filter *code, uint64_t count) {
    struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)code};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) finish(NOT_RUN, 9);
}

/* Installs some of a list of filters. The last one stops a case where it makes any other call, those before it let calls fail. */
static void install_filters(const uint64_t *at, uint64_t from, uint64_t to) {
    uint64_t all = *at++;
    for (uint64_t i = 0; i < all && i < to; i++) {
        uint64_t count = *at++ / 8;
        if (i >= from) install((const struct sock_filter *)at, count);
        at += count;
    }
}

/* What all cases have in common; called once. */
static void prepare_wall(const char *directory) {
    space_taken = address_space();
    if (!settings->contained) return;
    may_change_root = unshare(CLONE_NEWUSER) == 0;
    long version = syscall(SYS_landlock_create_ruleset, 0, 0, LANDLOCK_VERSION);
    if (version > 0) {
        struct ruleset_attr all = {version == 1 ? FS_ALL_1 : version == 2 ? FS_ALL_2 : FS_ALL_3};
        struct beneath_attr beneath = {
            all.files & (FS_WRITE_FILE | FS_READ_FILE | FS_READ_DIR | FS_REMOVE_FILE | FS_MAKE_REG | FS_TRUNCATE),
            open(directory, O_PATH | O_CLOEXEC)};
        ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
        if (beneath.folder < 0 || syscall(SYS_landlock_add_rule, ruleset, BENEATH_PATH, &beneath, 0)) ruleset = -1;
        close(beneath.folder);
    }
    install_filters(case_filters[1], 0, *case_filters[1] - 1);
}

/* Signals go to the process itself alone. */
static void keep_signals(void) {
    const uint32_t number = offsetof(struct seccomp_data, nr), first = offsetof(struct seccomp_data, args[0]);
    const struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, first),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
    };
    install(code, sizeof code / sizeof *code);
}

static void limit(int what, uint64_t to) {
    struct rlimit value = {to, to};
    setrlimit(what, &value);
}

/* Confines the process that runs a case, in its folder. */
static void put_up_wall(const char *directory) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, settings->output);
    limit(RLIMIT_DATA, settings->memory);
    limit(RLIMIT_NOFILE, 64);
    if (space_taken) limit(RLIMIT_AS, space_taken + settings->memory + (64 << 20));
    struct rlimit time = {settings->time_ms / 1000 + 2, settings->time_ms / 1000 + 4};
    setrlimit(RLIMIT_CPU, &time);
    if (chdir(directory)) finish(NOT_RUN, 5);
    if (settings->contained) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) finish(NOT_RUN, 9);
        /* A namespace of users may be there and give nothing. */
        is_bounded = may_change_root && !chroot(".") && !chdir("/");
        if (ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0)) finish(NOT_RUN, 9);
        is_bounded |= ruleset >= 0;
    } else {
        setpgid(0, 0);
    }
    if (syscall(SYS_close_range, 3, ~0u, 0)) {
        for (int i = 3; i < 64; i++) close(i);
    }
}

/* The last stones: from here on only what the filters let through takes place. The kernel takes its time for each filter, so those that
   the driver can live with it has already. */
static void close_wall(void) {
    if (!settings->contained) return;
    const uint64_t *filters = case_filters[is_bounded];
    keep_signals();
    install_filters(filters, is_bounded ? *filters - 1 : 0, *filters);
}

/* Whether a case has filled its folder with more than it may. */
static int is_folder_full(const char *directory) {
    DIR *folder = opendir(directory);
    if (!folder) return 0;
    uint64_t files = 0, bytes = 0;
    for (struct dirent *entry; (entry = readdir(folder)) && files <= MAX_FILES + 2;) {
        struct stat status;
        files++;
        if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0) bytes += (uint64_t)status.st_blocks * 512;
    }
    closedir(folder);
    return files > MAX_FILES + 2 || bytes / MAX_FULL_FILES > settings->output;
}
