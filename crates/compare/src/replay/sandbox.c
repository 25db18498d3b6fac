/* The wall around a case.

   The driver itself was confined before it was loaded, see the crate `sandbox`. Before its first case it confines itself once more, to
   the folder of cases and to the system calls of cases and its own. A case then gives up what only the driver needs, before anything of
   the program is called: it sees no files but those of its folder, reaches no process but itself, and is stopped where it makes a system
   call that the filters of that crate do not let through. */

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

/* Most threads that a case may have. */
enum { MAX_THREADS = 256 };

/* Whether something bounds files to the folder of cases; how much of the address space is taken before a case begins; the
   folder of all processes. */
static int is_bounded, processes = -1;
static uint64_t space_taken;

static uint64_t address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    fclose(file);
    return (uint64_t)pages * PAGE;
}

/* Installs a filter, with the number of this process where it is to stand. */
static int install(const struct filter *filter) {
    static struct sock_filter code[BPF_MAXINSNS];
    if (filter->count > BPF_MAXINSNS) return 0;
    memcpy(code, filter->code, filter->count * sizeof *code);
    for (uint64_t i = 0; i < filter->own_count; i++) {
        if (filter->own[i] < filter->count) code[filter->own[i]].k = (uint32_t)getpid();
    }
    struct sock_fprog program = {(unsigned short)filter->count, code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Lets this process and its children open files below a folder only. */
static int bound_files(const char *directory) {
    long version = syscall(SYS_landlock_create_ruleset, 0, 0, LANDLOCK_VERSION);
    if (version <= 0) return 0;
    struct ruleset_attr all = {version == 1 ? FS_ALL_1 : version == 2 ? FS_ALL_2 : FS_ALL_3};
    struct beneath_attr beneath = {
        all.files & (FS_WRITE_FILE | FS_READ_FILE | FS_READ_DIR | FS_REMOVE_FILE | FS_MAKE_REG | FS_TRUNCATE),
        open(directory, O_PATH | O_CLOEXEC)};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    int is_done = beneath.folder >= 0 && ruleset >= 0 &&
                  !syscall(SYS_landlock_add_rule, ruleset, BENEATH_PATH, &beneath, 0) &&
                  !syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(beneath.folder);
    close(ruleset);
    return is_done;
}

/* Makes a folder the root folder of this process and its children, in a namespace of users. That may be there and give nothing. */
static int change_root(const char *directory) {
    return unshare(CLONE_NEWUSER) == 0 && chroot(directory) == 0 && chdir("/") == 0;
}

/* Confines the driver as far as all cases are, whose folder becomes the current one; called once. */
static int prepare_wall(const char *directory) {
    space_taken = address_space();
    if (!settings->contained) return chdir(directory) == 0;
    processes = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 0;
    is_bounded = bound_files(directory);
    if (change_root(directory)) is_bounded = 1;
    else if (chdir(directory)) return 0;
    return install(&filters[SHARED]);
}

static void limit(int what, uint64_t to) {
    struct rlimit value = {to, to};
    setrlimit(what, &value);
}

/* Limits what the process that runs a case may use up, and closes what it is not to see. */
static void put_up_wall(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, settings->output);
    limit(RLIMIT_DATA, settings->memory);
    limit(RLIMIT_NOFILE, 64);
    if (space_taken) limit(RLIMIT_AS, space_taken + settings->memory + (64 << 20));
    struct rlimit time = {settings->time_ms / 1000 + 2, settings->time_ms / 1000 + 4};
    setrlimit(RLIMIT_CPU, &time);
    if (!settings->contained) setpgid(0, 0);
    if (syscall(SYS_close_range, 3, ~0u, 0)) {
        for (int i = 3; i < 64; i++) close(i);
    }
}

/* The last stone: from here on only what the filters let through takes place. The kernel takes its time for each filter, so all that
   the driver can live with it has already. */
static void close_wall(void) {
    if (settings->contained && !install(&filters[is_bounded ? BOUNDED : UNBOUNDED])) finish(NOT_RUN, 9);
}

/* Whether a case has filled its folder with more than it may. */
static int is_folder_full(void) {
    DIR *folder = opendir(".");
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

/* Whether a case has more threads than it may. Limits on processes count all that the user has, and none of those of root. */
static int has_many_threads(pid_t child) {
    char name[32];
    struct stat status;
    snprintf(name, sizeof name, "%d/task", (int)child);
    return processes >= 0 && fstatat(processes, name, &status, 0) == 0 && status.st_nlink > MAX_THREADS + 2;
}
