/* The part of a replay driver that is the same for all programs.

   The parent reads cases from a file and runs each in a child of its own, under limits; what the child did is in
   memory that both share, so a crash loses nothing. The formats are those of `wire.rs`: 64-bit words in the
   machine's order, bytes padded to whole words. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <wchar.h>

/* Kinds of faults, in the order of `FaultKind`. */
enum {
    NULL_POINTER, OUT_OF_BOUNDS, WILD_POINTER, USE_AFTER_FREE, DOUBLE_FREE, INVALID_FREE, READ_ONLY, DIVISION,
    UNREACHABLE, ASSERTION, PANIC, ABORT, UNCAUGHT, OVERFLOW, SHIFT, CONVERSION, UNINITIALIZED, BAD_CALL,
    STACK_OVERFLOW
};

/* How a run ended. */
enum { RETURNED, EXITED, FAULT, SIGNAL, TIME_LIMIT, OUTPUT_LIMIT, MEMORY_LIMIT, NOT_RUN, REFUSED };

/* What is worth knowing besides. */
enum { TURNS_CUT = 1, DUMP_CUT = 2, RESULTS_MISSING = 4, MISALIGNED = 8, CALLS_CUT = 16 };

/* What a pointer leads to. */
enum { TO_NULL, TO_OBJECT, TO_SYMBOL, TO_OWN, TO_ADDRESS, TO_ARGV, TO_ENVIRONMENT, TO_EARLIER };

/* Properties of symbols. */
enum { MUTABLE = 1, READONLY = 2 };

/* An object of the input. */
struct object {
    uint64_t start, size, first_page, end_page;
    const uint64_t *blob;
    int freed, extra;
};

/* Addresses of ours begin with a byte that is no character, and have no bytes of zeros before the last ones: neither texts nor
   small numbers should look like pointers. */
#define OBJECTS_BASE 0x1a6bd3590000ull
#define OBJECTS_SIZE (1ull << 38)
enum { MAX_OBJECTS = 16384, CALLS_BYTES = 16 << 20, ALTERNATE_STACK = 1 << 16, CANARY = 0xa5 };

#include "heap.c"

/* What the program's part brings. */
extern void *pathshift_symbols[];
extern void pathshift_thread_symbols(void *table);
extern const uint64_t pathshift_constructor_count;
extern void (*const pathshift_constructors[])(void);
extern const uint64_t pathshift_guard_count;
extern char *const pathshift_guards[];
extern void (*const pathshift_ways[])(void *arguments, void *result);

/* What parent and child share. */
struct shared {
    uint64_t end, code, flags, turn_count, calls_bytes, dump_bytes, running;
};

struct settings {
    uint64_t magic, time_ms, memory, output, max_turns, dump_bytes, result_size, exact, program, symbol_count, case_count, fill,
        time_after_hang_ms, entry, contained;
};

#define MAGIC 0x3159414c50455250ull

static volatile struct shared *shared;
static uint64_t *turns;
static char *calls, *dump;
static const struct settings *settings;
static const uint64_t *symbols; /* size and properties of each */

/* A filter of system calls, and which of its instructions compare with the number of the process. */
struct filter {
    const uint64_t *code, *own;
    uint64_t count, own_count;
};

/* That of the driver and all cases; those of a case where files are not bounded to its folder, and where they are. */
enum { SHARED, UNBOUNDED, BOUNDED, FILTERS };
static struct filter filters[FILTERS];
static struct object objects[MAX_OBJECTS];
static uint64_t object_count, objects_next = OBJECTS_BASE;
static const uint64_t *outside_results;
static uint64_t outside_count;
static char *outside_used;
static char **argv_array;
static char *no_environment[1];
static int recording, asserted;
static uint64_t stack_base, stack_limit;

static uint64_t padded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/* Whole lines that the program holds back, which a terminal would have shown. The rest is lost when a program dies. */
static void show_lines(void) {
#ifdef __GLIBC__
    const char *text = stdout->_IO_write_base;
    if (!text || fwide(stdout, 0) > 0) return;
    size_t length = (size_t)(stdout->_IO_write_ptr - text);
    while (length && text[length - 1] != '\n') length--;
    while (length) {
        ssize_t written = write(1, text, length);
        if (written <= 0) return;
        text += written;
        length -= (size_t)written;
    }
#endif
}

/* Ends the run. Output that the program holds back comes out if it would sooner or later. */
static _Noreturn void finish(int end, uint64_t code) {
    static volatile int finishing;
    if (!finishing) {
        finishing = 1;
        shared->end = end;
        shared->code = code;
        if (end == FAULT || end == SIGNAL) show_lines();
        else fflush(stdout);
    }
    _exit(0);
}

static _Noreturn void fault(int kind) {
    if (memory_refused) finish(MEMORY_LIMIT, 0);
    finish(FAULT, kind);
}

void pathshift_fault(uint32_t kind) { fault(kind); }

void pathshift_check(uint32_t bad, uint32_t kind) {
    if (bad && recording) fault(kind);
}

void pathshift_turn(uint32_t branch, uint32_t side) {
    if (!recording) return;
    uint64_t n = shared->turn_count;
    if (n < settings->max_turns) {
        turns[n] = (uint64_t)branch << 32 | side;
        shared->turn_count = n + 1;
    } else {
        shared->flags |= TURNS_CUT;
    }
}

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
    fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", "program", file, line, function, condition);
    asserted = 1;
    abort();
}

/* ---- Harnesses of other tools ---- */

/* What only tells KLEE or a verifier something; a program may bring its own. What makes up an input answers as any
   other function outside of the program does. */
#define HARNESS __attribute__((weak))
/* Nobody waits for a program that only waits. */
HARNESS unsigned sleep(unsigned seconds) { return (void)seconds, 0; }
HARNESS int usleep(unsigned microseconds) { return (void)microseconds, 0; }
HARNESS int nanosleep(const struct timespec *time, struct timespec *left) { return (void)time, (void)left, 0; }

HARNESS void klee_assume(uintptr_t condition) { (void)condition; }
HARNESS void __VERIFIER_assume(int condition) { (void)condition; }
HARNESS void __VERIFIER_atomic_begin(void) {}
HARNESS void __VERIFIER_atomic_end(void) {}
HARNESS void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
HARNESS void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
HARNESS void klee_warning(const char *message) { (void)message; }
HARNESS void klee_warning_once(const char *message) { (void)message; }
HARNESS void klee_print_expr(const char *message, ...) { (void)message; }
HARNESS void klee_print_range(const char *name, int value) { (void)name, (void)value; }
HARNESS void klee_open_merge(void) {}
HARNESS void klee_close_merge(void) {}
HARNESS void klee_mark_global(void *object) { (void)object; }
HARNESS void klee_set_forking(unsigned enable) { (void)enable; }
HARNESS void klee_stack_trace(void) {}
HARNESS void klee_check_memory_access(const void *address, size_t size) { (void)address, (void)size; }
HARNESS float klee_get_valuef(float value) { return value; }
HARNESS double klee_get_valued(double value) { return value; }
HARNESS long klee_get_valuel(long value) { return value; }
HARNESS long long klee_get_valuell(long long value) { return value; }
HARNESS int32_t klee_get_value_i32(int32_t value) { return value; }
HARNESS int64_t klee_get_value_i64(int64_t value) { return value; }

HARNESS void klee_silent_exit(int code) {
    fflush(0);
    _exit(code);
}

HARNESS void klee_abort(void) { abort(); }

HARNESS void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    (void)suffix;
    __assert_fail(message, file, (unsigned)line, "");
}

HARNESS void reach_error(void) { __assert_fail("reach_error", "", 0, ""); }
HARNESS void __VERIFIER_error(void) { __assert_fail("__VERIFIER_error", "", 0, ""); }

/* ---- Formatters of Rust among the inputs ---- */

/* What is written to one goes to standard output. Nothing has to be done when it is no longer used; a result of zero says that
   all went well. */
static uint8_t write_text(void *formatter, const char *text, size_t length) {
    (void)formatter;
    fwrite(text, 1, length, stdout);
    return 0;
}

static uint8_t write_character(void *formatter, uint32_t c) {
    char text[4];
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; --i > 0; c >>= 6) text[i] = (char)(0x80 | (c & 0x3f));
    text[0] = (char)(marks[length] | c);
    return write_text(formatter, text, length);
}

/* Formatters do that themselves. */
static uint8_t write_formatted(void *formatter, const void *template, const void *arguments) {
    (void)formatter, (void)template, (void)arguments;
    finish(NOT_RUN, 7);
}

/* A table of `dyn core::fmt::Write`. */
void *const pathshift_formatter_table[6] = {
    0, 0, (void *)1, (void *)write_text, (void *)write_character, (void *)write_formatted};

/* ---- Objects of the input ---- */

static struct object *object_at(uint64_t address) {
    if (address < OBJECTS_BASE || address >= OBJECTS_BASE + OBJECTS_SIZE) return 0;
    /* They come in ascending order of addresses. */
    uint64_t low = 0, high = object_count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (objects[middle].end_page + PAGE <= address) low = middle + 1;
        else high = middle;
    }
    return low < object_count && objects[low].first_page - PAGE <= address ? &objects[low] : 0;
}

static void release_object(struct object *object) {
    object->freed = 1;
    make_unusable(object->first_page, object->end_page);
}

static struct object *new_object(uint64_t size, uint64_t align) {
    if (object_count == MAX_OBJECTS || size > OBJECTS_SIZE / 4 || align > 1 << 20) finish(NOT_RUN, 1);
    struct object *object = &objects[object_count];
    if (align == 0) align = 1;
    if (settings->exact == 1) align = exact_align(size, align);
    uint64_t pages = round_up(size, PAGE), first = objects_next + PAGE;
    if (align > PAGE) {
        pages = round_up(pages, align);
        first = round_up(first, align);
    }
    if (first + pages + PAGE > OBJECTS_BASE + OBJECTS_SIZE || !make_usable(first, first + pages)) finish(NOT_RUN, 2);
    object->first_page = first;
    object->end_page = first + pages;
    object->start = settings->exact == 2 ? first : (first + pages - size) / align * align;
    object->size = size;
    object->freed = object->extra = 0;
    objects_next = first + pages;
    object_count++;
    memset((void *)first, CANARY, object->start - first);
    memset((void *)(object->start + size), CANARY, first + pages - object->start - size);
    return object;
}

/* Whether the bytes around an object that no guard page covers are as they were. */
static int untouched(const struct object *object) {
    const unsigned char *at = (const unsigned char *)object->first_page;
    const unsigned char *end = (const unsigned char *)object->end_page;
    for (; at < (const unsigned char *)object->start; at++) {
        if (*at != CANARY) return 0;
    }
    for (at += object->size; at < end; at++) {
        if (*at != CANARY) return 0;
    }
    return 1;
}

static uint64_t resolve(const uint64_t *target) {
    switch (target[0]) {
        case TO_OBJECT: return target[1] < object_count ? objects[target[1]].start + target[2] : 0;
        case TO_SYMBOL: return (uint64_t)pathshift_symbols[target[1]] + target[2];
        case TO_ADDRESS: return target[2];
        case TO_ARGV: return (uint64_t)argv_array;
        case TO_ENVIRONMENT: return (uint64_t)no_environment;
        default: return 0;
    }
}

/* Writes contents with their pointers; where the contents end. */
static const uint64_t *place(const uint64_t *blob, uint64_t size, void *at) {
    memcpy(at, blob, size);
    blob += padded(size) / 8;
    uint64_t count = *blob++;
    for (uint64_t i = 0; i < count; i++, blob += 4) {
        uint64_t address = resolve(blob + 1);
        memcpy((char *)at + blob[0], &address, 8);
    }
    return blob;
}

static const uint64_t *skip_blob(const uint64_t *blob, uint64_t size) {
    blob += padded(size) / 8;
    return blob + 1 + 4 * *blob;
}

/* ---- What came of it ---- */

/* Allocations that the caller can see, in the order in which pointers lead to them. */
enum { MAX_MET = 512 };
static struct piece *met[MAX_MET];
static uint64_t met_count;
static int meeting;

/* Which of them an address is in, from 1, and how far from its beginning; nothing if it is in none. */
static void meet(uint64_t address, uint64_t *number, uint64_t *distance) {
    struct piece *piece = meeting && in_heap(address) ? piece_at(address) : 0;
    if (!piece || piece->freed || piece->stack || address < piece->start) return;
    uint64_t at = 0;
    while (at < met_count && met[at] != piece) at++;
    if (at == MAX_MET) return;
    if (at == met_count) met[met_count++] = piece;
    *number = at + 1;
    *distance = address - piece->start;
}

/* What an address leads to; zero if it is none that we know. */
static int describe(uint64_t address, uint64_t *target) {
    target[0] = target[1] = target[2] = 0;
    if (address < 65536) return 0;
    struct object *object = object_at(address);
    if (object && !object->extra) {
        target[0] = TO_OBJECT;
        target[1] = object - objects;
        target[2] = address - object->start;
        return 1;
    }
    for (uint64_t i = 0; i < settings->symbol_count; i++) {
        uint64_t start = (uint64_t)pathshift_symbols[i], size = symbols[2 * i];
        if (start && address >= start && address < start + (size ? size : 1)) {
            target[0] = TO_SYMBOL;
            target[1] = i;
            target[2] = address - start;
            return 1;
        }
    }
    if (object || is_given_out(address) || (address > stack_base - stack_limit && address < stack_base)) {
        target[0] = TO_OWN;
        meet(address, target + 1, target + 2);
        return 1;
    }
    return 0;
}

/* Whether it could be an address at all; asked first because most words are none. */
static int may_be_address(uint64_t word) { return word >= 65536 && word < 0x800000000000ull; }

struct area {
    char *at;
    uint64_t used, size;
    uint64_t cut;
};

static void put(struct area *area, const void *bytes, uint64_t size) {
    if (area->used + padded(size) > area->size) {
        area->cut = 1;
        return;
    }
    memcpy(area->at + area->used, bytes, size);
    memset(area->at + area->used + size, 0, padded(size) - size);
    area->used += padded(size);
}

static void put_word(struct area *area, uint64_t word) { put(area, &word, 8); }

/* Writes memory with what the words in it lead to. Pointers lie at multiples of 8, or where `hints` had them. */
static void put_memory(struct area *area, const void *bytes, uint64_t size, const uint64_t *hints, uint64_t hint_count) {
    put_word(area, size);
    put(area, bytes, size);
    uint64_t count_at = area->used, count = 0;
    put_word(area, 0);
    for (uint64_t i = 0; i < size / 8 + hint_count; i++) {
        uint64_t offset = i < size / 8 ? i * 8 : hints[4 * (i - size / 8)];
        if (i >= size / 8 && offset % 8 == 0) continue;
        uint64_t word, entry[4];
        memcpy(&word, (const char *)bytes + offset, 8);
        if (!may_be_address(word) || !describe(word, entry + 1)) continue;
        entry[0] = offset;
        put(area, entry, sizeof entry);
        count++;
    }
    if (!area->cut) memcpy(area->at + count_at, &count, 8);
}

static void put_outcome(const void *result, char *const *before) {
    struct area area = {dump, 0, settings->dump_bytes, 0};
    meeting = 1;
    put_memory(&area, result, settings->result_size, 0, 0);
    for (uint64_t i = 0; i < object_count; i++) {
        struct object *object = &objects[i];
        if (object->extra) continue;
        put_word(&area, object->freed);
        if (object->freed) continue;
        const uint64_t *hints = object->blob + padded(object->size) / 8;
        put_memory(&area, (void *)object->start, object->size, hints + 1, hints[0]);
    }
    for (uint64_t i = 0; i < settings->symbol_count; i++) {
        if (!before[i] || !memcmp(before[i], pathshift_symbols[i], symbols[2 * i])) continue;
        put_word(&area, i);
        put_memory(&area, pathshift_symbols[i], symbols[2 * i], 0, 0);
    }
    put_word(&area, ~0ull);
    /* Allocations lead to others, which are met on the way. */
    uint64_t count_at = area.used, count = 0;
    put_word(&area, 0);
    for (; count < met_count && !area.cut; count++) put_memory(&area, (void *)met[count]->start, met[count]->size, 0, 0);
    meeting = 0;
    if (!area.cut) memcpy(area.at + count_at, &count, 8);
    shared->dump_bytes = area.cut ? 0 : area.used;
    if (area.cut) shared->flags |= DUMP_CUT;
}

/* The end of a call that never returns, to a function that is not part of the program. */
void pathshift_never_returns(void) { abort(); }

/* A call to code of Rust's library that nobody has: what it would do is not known, and no case can say. */
void pathshift_nobody_has(void) { finish(NOT_RUN, 8); }

/* What a function outside of the program wrote through its arguments: a count, then for each the place of the argument
   in the record of arguments, the distance from where it leads to, and the bytes. */
static const uint64_t *skip_writes(const uint64_t *at) {
    uint64_t count = *at++;
    for (uint64_t i = 0; i < count; i++) at = skip_blob(at + 3, at[2]);
    return at;
}

/* What it does to memory that it is not given: a count, then for each where that is, a distance from there, whether it is
   written, and the bytes. */
static const uint64_t *skip_elsewhere(const uint64_t *at) {
    uint64_t count = *at++;
    for (uint64_t i = 0; i < count; i++) at = skip_blob(at + 6, at[5]);
    return at;
}

/* Arguments of earlier calls to the outside. */
enum { EARLIER = 64, EARLIER_BYTES = 64 };
static struct {
    uint64_t symbol;
    char arguments[EARLIER_BYTES];
} earlier[EARLIER];
static uint64_t earlier_count;

static void remember_arguments(uint64_t symbol, const void *arguments, uint64_t size) {
    if (earlier_count == EARLIER) return;
    earlier[earlier_count].symbol = symbol;
    memcpy(earlier[earlier_count].arguments, arguments, size < EARLIER_BYTES ? size : EARLIER_BYTES);
    earlier_count++;
}

static char *elsewhere_at(const uint64_t *target) {
    if (target[0] != TO_EARLIER) return (char *)resolve(target);
    uint64_t left = target[2] >> 32, offset = target[2] & 0xffffffff;
    for (uint64_t i = 0; i < earlier_count; i++) {
        if (earlier[i].symbol != target[1] || left--) continue;
        char *to = 0;
        if (offset + sizeof to <= EARLIER_BYTES) memcpy(&to, earlier[i].arguments + offset, sizeof to);
        return to;
    }
    return 0;
}

/* Tells what it sees there if an area is given, writes there otherwise. */
static void visit_elsewhere(const uint64_t *at, struct area *area) {
    uint64_t count = *at++, seen = 0;
    const uint64_t *first = at;
    for (uint64_t i = 0; i < count; i++, at = skip_blob(at + 6, at[5])) seen += !at[4] && elsewhere_at(at);
    if (area) put_word(area, seen);
    at = first;
    for (uint64_t i = 0; i < count; i++, at = skip_blob(at + 6, at[5])) {
        char *to = elsewhere_at(at);
        if (!to) continue;
        if (area && !at[4]) put_memory(area, to + (int64_t)at[3], at[5], 0, 0);
        if (!area && at[4]) place(at + 6, at[5], to + (int64_t)at[3]);
    }
}

static void write_to_arguments(const uint64_t *at, const void *arguments) {
    uint64_t count = *at++;
    for (uint64_t i = 0; i < count; i++) {
        char *to;
        memcpy(&to, (const char *)arguments + at[0], sizeof to);
        place(at + 3, at[2], to + (int64_t)at[1]);
        at = skip_blob(at + 3, at[2]);
    }
}

/* How many bytes of an object there are from an address on, as far as that is known. */
static uint64_t bytes_from(uint64_t address, const uint64_t *target) {
    enum { MOST = 4096 };
    uint64_t end = address;
    struct piece *piece = target[0] == TO_OWN && in_heap(address) ? piece_at(address) : 0;
    const struct object *object = target[0] == TO_OBJECT ? &objects[target[1]] : 0;
    /* A pointer before the beginning of an object belongs to it, but leads to its guard. */
    if (object && !object->freed && address >= object->start) end = object->start + object->size;
    if (target[0] == TO_SYMBOL) end = address + symbols[2 * target[1]] - target[2];
    if (piece && !piece->freed && address >= piece->start) end = piece->start + piece->size;
    if (end <= address) return 0;
    return end - address < MOST ? end - address : MOST;
}

/* What an input brings in place of a function: the object that was called last. */
static uint64_t called_object;

/* The function to call in place of a pointer: one that answers what the case says if the pointer is of the input. */
void *pathshift_callee(void *function, void *answering) {
    struct object *object = object_at((uint64_t)function);
    if (!recording || !object || object->freed || object->extra) return function;
    called_object = object - objects;
    return answering;
}

/* Numbers of functions that stand for pointers of the input: this bit, their own number, the object's number. */
#define OF_INPUT (1ull << 63)
#define OBJECT_BITS 0xffffffffull

/* A call to a function that is not part of the program. */
void pathshift_outside(uint64_t symbol, const void *arguments, uint64_t size, void *result, uint64_t result_size) {
    if (symbol & OF_INPUT) symbol |= called_object;
    struct area area = {calls, shared->calls_bytes, CALLS_BYTES, 0};
    put_word(&area, symbol);
    put_memory(&area, arguments, size, 0, 0);
    /* What its pointers lead to, in their order. */
    for (uint64_t i = 0; i < size / 8; i++) {
        uint64_t word, target[3];
        memcpy(&word, (const char *)arguments + i * 8, 8);
        if (!may_be_address(word) || !describe(word, target)) continue;
        put_memory(&area, (const void *)word, bytes_from(word, target), 0, 0);
    }
    if (symbol & OF_INPUT) symbol &= OF_INPUT | OBJECT_BITS;
    remember_arguments(symbol, arguments, size);
    const uint64_t *at = outside_results, *answer = 0;
    for (uint64_t i = 0; i < outside_count && !answer; i++) {
        if (at[0] == symbol && !outside_used[i]) {
            outside_used[i] = 1;
            answer = at;
        }
        at = skip_elsewhere(skip_writes(skip_blob(at + 2, at[1])));
    }
    const uint64_t *writes = answer ? skip_blob(answer + 2, answer[1]) : 0;
    if (answer) visit_elsewhere(skip_writes(writes), &area);
    else put_word(&area, 0);
    if (area.cut) shared->flags |= CALLS_CUT;
    else if (!(shared->flags & CALLS_CUT)) shared->calls_bytes = area.used;
    memset(result, 0, result_size);
    if (answer) {
        if (answer[1] <= result_size) place(answer + 2, answer[1], result);
        write_to_arguments(writes, arguments);
        visit_elsewhere(skip_writes(writes), 0);
    } else if (result_size) {
        shared->flags |= RESULTS_MISSING;
    }
}

/* ---- Signals ---- */

static int is_access_beside_stack(uint64_t address, uint64_t stack_pointer) {
    return stack_pointer < stack_base - stack_limit + (1 << 20) && address + (1 << 20) > stack_pointer &&
           address < stack_pointer + (1 << 20);
}

/* Says of SIGSYS that a filter sent it; not all headers have a name for it. */
enum { BY_FILTER = 1 };

static void on_signal(int number, siginfo_t *info, void *context) {
    uint64_t address = (uint64_t)info->si_addr, code_pointer = 1, stack_pointer = 0;
#if defined(__x86_64__)
    ucontext_t *registers = context;
    code_pointer = registers->uc_mcontext.gregs[REG_RIP];
    stack_pointer = registers->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    ucontext_t *registers = context;
    code_pointer = registers->uc_mcontext.pc;
    stack_pointer = registers->uc_mcontext.sp;
#endif
    if (number == SIGSYS && info->si_code == BY_FILTER) finish(REFUSED, (uint64_t)info->si_syscall);
    if (number == SIGFPE) fault(DIVISION);
    if (number == SIGXFSZ) finish(OUTPUT_LIMIT, 0);
    if (number == SIGXCPU) finish(TIME_LIMIT, 0);
    if (number == SIGABRT) fault(asserted ? ASSERTION : ABORT);
    if (number == SIGILL || number == SIGTRAP) fault(ABORT);
    if (number != SIGSEGV && number != SIGBUS) finish(SIGNAL, number);
    if (info->si_code == SI_KERNEL) {
        /* A misaligned vector access, or an address that no processor has. */
        shared->flags |= MISALIGNED;
        fault(WILD_POINTER);
    }
    if (code_pointer == address) fault(address < 65536 ? NULL_POINTER : BAD_CALL);
    if (address < 65536) fault(NULL_POINTER);
    struct object *object = object_at(address);
    if (object) fault(object->freed ? USE_AFTER_FREE : OUT_OF_BOUNDS);
    if (in_heap(address)) {
        struct piece *piece = piece_at(address);
        if (!piece) fault(WILD_POINTER);
        fault(piece->freed && address >= piece->start && address < piece->start + piece->size ? USE_AFTER_FREE
                                                                                             : OUT_OF_BOUNDS);
    }
    for (uint64_t i = 0; i < pathshift_guard_count; i++) {
        if (address - (uint64_t)pathshift_guards[i] < PAGE) fault(OUT_OF_BOUNDS);
    }
    if (is_access_beside_stack(address, stack_pointer)) fault(STACK_OVERFLOW);
    uint64_t target[3];
    if (describe(address, target) && target[0] == TO_SYMBOL) fault(READ_ONLY);
    fault(WILD_POINTER);
}

static void catch_signals(void) {
    stack_t stack = {0};
    stack.ss_sp = mmap(0, ALTERNATE_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack.ss_size = ALTERNATE_STACK;
    sigaltstack(&stack, 0);
    struct sigaction action = {0};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGXFSZ, SIGXCPU, SIGSYS};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, 0);
}

#include "sandbox.c"

/* ---- One case ---- */

struct parts {
    const uint64_t *objects, *globals, *arguments, *argv, *input, *files, *results;
};

static const uint64_t *skip_bytes(const uint64_t *at) { return at + 1 + padded(*at) / 8; }

static struct parts find_parts(const uint64_t *at) {
    struct parts parts;
    parts.objects = at;
    uint64_t count = *at++;
    for (uint64_t i = 0; i < count; i++) at = skip_blob(at + 2, at[0]);
    parts.globals = at;
    count = *at++;
    for (uint64_t i = 0; i < count; i++) at = skip_blob(at + 2, at[1]);
    parts.arguments = at;
    at = skip_blob(at + 1, at[0]);
    parts.argv = at;
    count = *at++;
    for (uint64_t i = 0; i < count; i++) at = skip_bytes(at);
    parts.input = at;
    at = skip_bytes(at);
    parts.files = at;
    count = *at++;
    for (uint64_t i = 0; i < count; i++) at = skip_bytes(skip_bytes(at));
    parts.results = at;
    return parts;
}

static void build_objects(const uint64_t *at) {
    uint64_t count = *at++;
    for (uint64_t i = 0; i < count; i++) {
        struct object *object = new_object(at[0], at[1]);
        object->blob = at + 2;
        at = skip_blob(at + 2, at[0]);
    }
}

static void build_argv(const uint64_t *at) {
    uint64_t count = *at++;
    argv_array = (char **)new_object((count + 1) * 8, 8)->start;
    objects[object_count - 1].extra = 1;
    for (uint64_t i = 0; i < count; i++, at = skip_bytes(at)) {
        struct object *string = new_object(at[0] + 1, 1);
        string->extra = 1;
        memcpy((char *)string->start, at + 1, at[0]);
        ((char *)string->start)[at[0]] = 0;
        argv_array[i] = (char *)string->start;
    }
    argv_array[count] = 0;
}

static void fill_objects(const uint64_t *at) {
    uint64_t count = *at++;
    for (uint64_t i = 0; i < count; i++) {
        at = place(at + 2, at[0], (void *)objects[i].start);
    }
}

static void fill_globals(const uint64_t *at) {
    uint64_t count = *at++;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t symbol = at[0], size = at[1];
        if (symbols[2 * symbol + 1] & READONLY || size > symbols[2 * symbol]) finish(NOT_RUN, 3);
        at = place(at + 2, size, pathshift_symbols[symbol]);
    }
}

/* Copies of all global variables that the program can change. */
static char **remember_globals(void) {
    char **before = calloc(settings->symbol_count + 1, sizeof *before);
    for (uint64_t i = 0; before && i < settings->symbol_count; i++) {
        if (!(symbols[2 * i + 1] & MUTABLE) || !pathshift_symbols[i]) continue;
        before[i] = malloc(symbols[2 * i]);
        if (!before[i]) finish(NOT_RUN, 4);
        memcpy(before[i], pathshift_symbols[i], symbols[2 * i]);
    }
    if (!before) finish(NOT_RUN, 4);
    return before;
}

static void forget_output(void) {
    fflush(0);
    for (int i = 1; i < 3; i++) {
        if (ftruncate(i, 0) == 0) lseek(i, 0, SEEK_SET);
    }
}

static _Noreturn void run_child(const uint64_t *at, const int *files) {
    _Alignas(64) static char result[1 << 16];
    struct parts parts = find_parts(at);
    for (int i = 0; i < 3; i++) dup2(files[i], i);
    put_up_wall();
    catch_signals();
    close_wall();
    environ = no_environment;
    build_objects(parts.objects);
    build_argv(parts.argv);
    fill_objects(parts.objects);
    outside_count = parts.results[0];
    outside_results = parts.results + 1;
    outside_used = calloc(outside_count + 1, 1);
    char *arguments = aligned_alloc(64, padded(parts.arguments[0]) + 64);
    if (!outside_used || !arguments) finish(NOT_RUN, 4);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    memory_refused = 0;
    exact_ends = settings->exact == 1;
    pathshift_fill[0] = pathshift_fill[1] = settings->fill * 0x0101010101010101ull;
    begin_at_pages = settings->exact == 2;
    guarding = 1;
    /* What runs before `main` is part of the program, but not of a function. */
    recording = settings->program;
    for (uint64_t i = 0; i < pathshift_constructor_count; i++) pathshift_constructors[i]();
    guarding = recording = 0;
    if (!settings->program) forget_output();
    pathshift_thread_symbols(pathshift_symbols);
    fill_globals(parts.globals);
    place(parts.arguments + 1, parts.arguments[0], arguments);
    char **before = remember_globals();
    guarding = 1;
    shared->running = 1;
    recording = 1;
    errno = 0;
    pathshift_ways[settings->entry](arguments, result);
    recording = 0;
    for (uint64_t i = 0; i < object_count; i++) {
        if (!objects[i].freed && !untouched(&objects[i])) fault(OUT_OF_BOUNDS);
    }
    put_outcome(result, before);
    shared->end = RETURNED;
    if (settings->program) {
        int code;
        memcpy(&code, result, sizeof code);
        shared->running = 2;
        exit(code);
    }
    fflush(0);
    _exit(0);
}

/* ---- The parent ---- */

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at) {
    (void)status;
    (void)kind;
    return at->level > 0 ? remove(path) : 0;
}

static int write_file(const uint64_t *name, const uint64_t *contents) {
    char path[4096];
    if (name[0] + 1 > sizeof path) return 0;
    snprintf(path, sizeof path, "%.*s", (int)name[0], (const char *)(name + 1));
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0) return 0;
    int done = write(file, contents + 1, contents[0]) == (ssize_t)contents[0];
    close(file);
    return done;
}

static int write_files(const uint64_t *at) {
    uint64_t count = *at++;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *contents = skip_bytes(at);
        if (!write_file(at, contents)) return 0;
        at = skip_bytes(contents);
    }
    return 1;
}

/* Milliseconds of a clock. */
static int64_t milliseconds(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

/* How long a child has worked. On a busy machine that is less than the clock on the wall says. */
static int64_t worked(pid_t child) {
    clockid_t clock;
    return clock_getcpuclockid(child, &clock) ? 0 : milliseconds(clock);
}

/* How the wait for a child ended. */
enum waited { ENDED, TOO_LONG, TOO_MUCH, TOO_MANY };

/* How often a case is looked at while it runs, in milliseconds. */
enum { LOOK_MS = 50 };

/* Waits for a child as long as it may run. One that is kept waiting, or sleeps, may take several times as long by the
   clock. */
static enum waited wait_for(pid_t child, int *status) {
    enum { PATIENCE = 5 };
    static int hung;
    enum waited result = TOO_LONG;
    int64_t start = milliseconds(CLOCK_MONOTONIC);
    int64_t limit = hung ? settings->time_after_hang_ms : settings->time_ms, left = limit;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (;;) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child) return ENDED;
        if (ended < 0 || left <= 0) break;
        int64_t next = left < LOOK_MS ? left : LOOK_MS;
        struct timespec wait = {0, next * 1000000};
        int woken = sigtimedwait(&set, 0, &wait);
        if (woken < 0 && is_folder_full()) result = TOO_MUCH;
        if (woken < 0 && has_many_threads(child)) result = TOO_MANY;
        if (result != TOO_LONG) break;
        int64_t passed = milliseconds(CLOCK_MONOTONIC) - start;
        left = limit - passed;
        if (left <= 0 && passed < PATIENCE * limit) {
            int64_t own = limit - worked(child);
            left = own < PATIENCE * limit - passed ? own : PATIENCE * limit - passed;
        }
    }
    kill(child, SIGKILL);
    waitpid(child, status, 0);
    if (result == TOO_LONG) hung = 1;
    return result;
}

static int write_all(int file, struct iovec *parts, int count) {
    while (count > 0) {
        ssize_t written = writev(file, parts, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return 0;
        while (count > 0 && (size_t)written >= parts->iov_len) {
            written -= parts->iov_len;
            parts++;
            count--;
        }
        if (count > 0) {
            parts->iov_base = (char *)parts->iov_base + written;
            parts->iov_len -= written;
        }
    }
    return 1;
}

/* What a file of ours holds, mapped. */
static char *contents(int file, uint64_t *size) {
    struct stat status;
    *size = fstat(file, &status) == 0 ? status.st_size : 0;
    if (*size > settings->output) *size = settings->output;
    if (!*size) return 0;
    char *bytes = mmap(0, *size, PROT_READ, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED) return bytes;
    *size = 0;
    return 0;
}

static uint64_t at_most(uint64_t value, uint64_t most) { return value < most ? value : most; }

static int write_record(int to, const int *files) {
    static const char zeros[8];
    uint64_t sizes[2];
    char *written[2];
    for (int i = 0; i < 2; i++) written[i] = contents(files[i + 1], &sizes[i]);
    /* The child may have written anything there. */
    uint64_t head[8] = {shared->end, shared->code, shared->flags, at_most(shared->turn_count, settings->max_turns),
                        at_most(shared->calls_bytes, CALLS_BYTES), at_most(shared->dump_bytes, settings->dump_bytes), sizes[0],
                        sizes[1]};
    struct iovec parts[] = {
        {head, sizeof head},
        {turns, head[3] * 8},
        {calls, head[4]},
        {dump, head[5]},
        {written[0], sizes[0]},
        {(void *)zeros, padded(sizes[0]) - sizes[0]},
        {written[1], sizes[1]},
        {(void *)zeros, padded(sizes[1]) - sizes[1]},
    };
    int done = write_all(to, parts, sizeof parts / sizeof *parts);
    for (int i = 0; i < 2; i++) {
        if (written[i]) munmap(written[i], sizes[i]);
    }
    return done;
}

static void judge(int status, enum waited waited) {
    int by_signal = WIFSIGNALED(status);
    if (waited != ENDED) {
        shared->end = waited == TOO_LONG ? TIME_LIMIT : waited == TOO_MUCH ? OUTPUT_LIMIT : MEMORY_LIMIT;
    } else if (by_signal && WTERMSIG(status) == SIGSYS) {
        /* It kept the signal from us that tells which call it was. */
        shared->end = REFUSED;
        shared->code = ~0ull;
    } else if (shared->end == NOT_RUN && shared->code == 0) {
        /* It did not say how it ended. */
        shared->end = by_signal ? SIGNAL : EXITED;
        shared->code = by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
    } else if (shared->end == RETURNED && by_signal) {
        shared->end = SIGNAL;
        shared->code = WTERMSIG(status);
    }
}

static int run_case(const uint64_t *at, int to, const int *files) {
    struct parts parts = find_parts(at);
    for (int i = 0; i < 3; i++) {
        if (ftruncate(files[i], 0)) return 0;
        lseek(files[i], 0, SEEK_SET);
        /* The case before may have changed it. */
        fcntl(files[i], F_SETFL, 0);
    }
    if (parts.input[0]) {
        if (write(files[0], parts.input + 1, parts.input[0]) != (ssize_t)parts.input[0]) return 0;
        lseek(files[0], 0, SEEK_SET);
    }
    memset((void *)shared, 0, sizeof *shared);
    shared->end = NOT_RUN;
    if (write_files(parts.files)) {
        pid_t child = fork();
        if (child < 0) return 0;
        if (child == 0) run_child(at, files);
        int status = 0;
        enum waited waited = wait_for(child, &status);
        /* Inside of the wall it can have started no other process. */
        if (!settings->contained) kill(-child, SIGKILL);
        judge(status, waited);
    } else {
        shared->code = 6;
    }
    nftw(".", remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return write_record(to, files);
}

static void *share(uint64_t size) {
    void *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? 0 : at;
}

/* Bytes of records after which somebody has to read them, and the exit code that says so. */
enum { MAX_RECORDS = 64 << 20, PAUSED = 75 };

/* Arguments: file of cases, file for records, directory to run in, first case. */
int main(int argc, char **argv) {
    if (argc != 5) return 64;
    struct rlimit stack;
    getrlimit(RLIMIT_STACK, &stack);
    stack_base = (uint64_t)&stack + (1 << 16);
    stack_limit = stack.rlim_cur;
    int file = open(argv[1], O_RDONLY | O_CLOEXEC), to = open(argv[2], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    struct stat status;
    if (file < 0 || to < 0 || fstat(file, &status)) return 65;
    const uint64_t *at = mmap(0, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED) return 65;
    settings = (const struct settings *)at;
    if (settings->magic != MAGIC || settings->result_size > 1 << 16) return 66;
    symbols = at + sizeof *settings / 8;
    at = symbols + 2 * settings->symbol_count;
    for (int i = 0; i < FILTERS && settings->contained; i++) {
        filters[i].count = at[0] / 8;
        filters[i].code = at + 1;
        at = skip_bytes(at);
        filters[i].own_count = *at++;
        filters[i].own = at;
        at += filters[i].own_count;
    }
    shared = share(sizeof *shared);
    turns = share(settings->max_turns * 8 + 8);
    calls = share(CALLS_BYTES);
    dump = share(settings->dump_bytes);
    int files[3] = {memfd_create("in", 0), memfd_create("out", 0), memfd_create("err", 0)};
    if (!shared || !turns || !calls || !dump || files[2] < 0) return 67;
    if (!start_heap() || !reserve(OBJECTS_BASE, OBJECTS_SIZE)) return 68;
    if (!prepare_wall(argv[3])) return 70;
    for (uint64_t i = 0; i < pathshift_guard_count; i++) mprotect(pathshift_guards[i], PAGE, PROT_NONE);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, 0);
    uint64_t first = strtoull(argv[4], 0, 10);
    for (uint64_t i = 0; i < settings->case_count; i++) {
        uint64_t words = *at++;
        if (i >= first && !run_case(at, to, files)) return 69;
        if (i >= first && lseek(to, 0, SEEK_END) > MAX_RECORDS) return PAUSED;
        at += words;
    }
    return 0;
}
