/* Memory of the program under test, placed so that faults show.

   Every allocation ends at a page that cannot be touched, and freed memory is never given out again, so reading or
   writing beside it or after its end stops the program at once, and the address tells what was wrong. The kernel
   allows some 65,000 pieces of memory; a program that allocates more gets plain memory for the rest. */

enum { PAGE = 4096, MAX_LIVE = 12000, MAX_GUARDED = 200000, PLAIN_STEP = 1 << 20 };

#define HEAP_BASE 0x1b3ca7e50000ull
#define HEAP_SIZE (1ull << 40)
#define PLAIN_BASE 0x1d5b9c370000ull
#define PLAIN_SIZE (1ull << 38)

/* What memory holds that the program did not initialise, in each of its bytes; the program's part reads it, too. It is zero before
   the program runs. */
extern uint64_t pathshift_fill[2];

struct piece {
    uint64_t start, size;
    uint64_t first_page, end_page; /* of the pages that can be touched */
    int freed, stack;
};

static struct piece *pieces;
static uint64_t piece_count, live_count, heap_next = HEAP_BASE;
static uint64_t plain_next = PLAIN_BASE, plain_ready = PLAIN_BASE;
static uint64_t free_lists[64];
static int guarding, exact_ends, begin_at_pages, memory_refused;
static volatile char heap_lock;

static void lock_heap(void) {
    while (__atomic_test_and_set(&heap_lock, __ATOMIC_ACQUIRE)) {
    }
}

static void unlock_heap(void) { __atomic_clear(&heap_lock, __ATOMIC_RELEASE); }

static uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

/* Reserves addresses; nothing there can be touched yet. */
static int reserve(uint64_t base, uint64_t size) {
    void *at = mmap((void *)base, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                    -1, 0);
    return at == (void *)base;
}

static int make_usable(uint64_t start, uint64_t end) {
    return start == end || mprotect((void *)start, end - start, PROT_READ | PROT_WRITE) == 0;
}

static void make_unusable(uint64_t start, uint64_t end) {
    if (start < end) {
        mprotect((void *)start, end - start, PROT_NONE);
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
}

/* The alignment that an object of that size can have when its end has to touch a guard page: a type that needs more
   has a size that is a multiple of it. */
static uint64_t exact_align(uint64_t size, uint64_t align) {
    while (align > 1 && size % align) align /= 2;
    return align;
}

static struct piece *piece_at(uint64_t address) {
    /* Pieces come in ascending order of addresses. */
    uint64_t low = 0, high = piece_count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (pieces[middle].end_page + PAGE <= address) low = middle + 1;
        else high = middle;
    }
    return low < piece_count && pieces[low].first_page - PAGE <= address ? &pieces[low] : 0;
}

static struct piece *guarded_alloc(uint64_t size, uint64_t align) {
    uint64_t pages = round_up(size, PAGE);
    if (align > PAGE) pages = round_up(pages, align);
    uint64_t first = heap_next + PAGE;
    if (align > PAGE) first = round_up(first, align);
    if (pages > HEAP_SIZE / 2 || first + pages + PAGE > HEAP_BASE + HEAP_SIZE) return 0;
    if (!make_usable(first, first + pages)) return 0;
    struct piece *piece = &pieces[piece_count++];
    piece->first_page = first;
    piece->end_page = first + pages;
    piece->start = begin_at_pages ? first : (first + pages - size) / align * align;
    piece->size = size;
    piece->freed = piece->stack = 0;
    heap_next = first + pages;
    live_count++;
    return piece;
}

/* Plain memory has its size in the 16 bytes before it, and is given out again by powers of two. */
static uint64_t plain_class(uint64_t size) {
    uint64_t class = 5;
    while (class < 40 && (1ull << class) < size + 16) class++;
    return class;
}

static void *plain_alloc(uint64_t size, uint64_t align) {
    uint64_t class = plain_class(size);
    if (class >= 38) return 0;
    uint64_t at = 0;
    if (align <= 16 && free_lists[class]) {
        at = free_lists[class];
        free_lists[class] = *(uint64_t *)at;
        memset((void *)at, 0, size);
    } else {
        at = round_up(plain_next + 16, align < 16 ? 16 : align);
        uint64_t end = at + (1ull << class);
        if (end > PLAIN_BASE + PLAIN_SIZE) return 0;
        if (end > plain_ready) {
            uint64_t ready = round_up(end, PLAIN_STEP);
            if (!make_usable(plain_ready, ready)) return 0;
            plain_ready = ready;
        }
        plain_next = end;
    }
    ((uint64_t *)at)[-1] = size;
    ((uint64_t *)at)[-2] = align <= 16 ? class : 63;
    return (void *)at;
}

static int start_heap(void) {
    static int started;
    if (started) return started > 0;
    started = -1;
    pieces = mmap(0, sizeof(struct piece) * MAX_GUARDED, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pieces != MAP_FAILED && reserve(HEAP_BASE, HEAP_SIZE) && reserve(PLAIN_BASE, PLAIN_SIZE)) started = 1;
    return started > 0;
}

/* Most bytes that are filled of an allocation: what a program allocates and never uses costs nothing otherwise. */
enum { MAX_FILLED = 1 << 20 };

/* Fills memory that the program did not initialise; it is zero already. */
static void *fill(void *memory, uint64_t size) {
    uint64_t filled = size < MAX_FILLED ? size : MAX_FILLED;
    if (memory && guarding && pathshift_fill[0]) memset(memory, (int)(pathshift_fill[0] & 0xff), filled);
    return memory;
}

/* Memory, zeroed so that every run sees the same. */
static void *allocate(uint64_t size, uint64_t align, int exact) {
    lock_heap();
    void *result = 0;
    if (!start_heap()) {
        /* Nothing works then; `main` says so. */
    } else if (guarding && live_count < MAX_LIVE && piece_count < MAX_GUARDED) {
        struct piece *piece = guarded_alloc(size, exact && exact_ends ? exact_align(size, align) : align);
        result = piece ? (void *)piece->start : 0;
    } else {
        result = plain_alloc(size, align);
    }
    unlock_heap();
    if (!result) memory_refused = 1;
    if (!result) errno = ENOMEM;
    return result;
}

static struct object *object_at(uint64_t address);
static void release_object(struct object *object);
static _Noreturn void fault(int kind);

static int in_plain(uint64_t at) { return at >= PLAIN_BASE && at < PLAIN_BASE + PLAIN_SIZE; }
static int in_heap(uint64_t at) { return at >= HEAP_BASE && at < HEAP_BASE + HEAP_SIZE; }

/* Whether memory was given out there, now or before. */
static int is_given_out(uint64_t at) { return (in_heap(at) && at <= heap_next) || (in_plain(at) && at <= plain_next); }

/* Size of the allocation that begins there; a fault if there is none. */
static uint64_t allocated_size(uint64_t at, int wrong) {
    if (in_plain(at)) return ((uint64_t *)at)[-1];
    if (in_heap(at)) {
        struct piece *piece = piece_at(at);
        if (!piece || piece->start != at || piece->stack) fault(wrong);
        if (piece->freed) fault(DOUBLE_FREE);
        return piece->size;
    }
    struct object *object = object_at(at);
    if (!object || object->start != at) fault(wrong);
    if (object->freed) fault(DOUBLE_FREE);
    return object->size;
}

static void release(void *pointer) {
    uint64_t at = (uint64_t)pointer;
    if (!at) return;
    allocated_size(at, INVALID_FREE);
    lock_heap();
    if (in_plain(at)) {
        uint64_t class = ((uint64_t *)at)[-2];
        if (class < 63) {
            *(uint64_t *)at = free_lists[class];
            free_lists[class] = at;
        }
    } else if (in_heap(at)) {
        struct piece *piece = piece_at(at);
        piece->freed = 1;
        live_count--;
        make_unusable(piece->first_page, piece->end_page);
    } else {
        release_object(object_at(at));
    }
    unlock_heap();
}

static void *resize(void *pointer, uint64_t size, int exact) {
    if (!pointer) return fill(allocate(size, 16, exact), size);
    uint64_t old = allocated_size((uint64_t)pointer, INVALID_FREE);
    void *result = allocate(size, 16, exact);
    if (!result) return 0;
    if (size > old) fill((char *)result + old, size - old);
    memcpy(result, pointer, old < size ? old : size);
    release(pointer);
    return result;
}

static void *allocate_many(size_t count, size_t size, int exact) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return 0;
    }
    return allocate(total, 16, exact);
}

/* The program's own calls. */
void *pathshift_malloc(size_t size) { return fill(allocate(size, 16, 1), size); }
void *pathshift_calloc(size_t count, size_t size) { return allocate_many(count, size, 1); }
void *pathshift_realloc(void *pointer, size_t size) { return resize(pointer, size, 1); }

/* Calls of libraries, and of the program through them. */
void *malloc(size_t size) { return fill(allocate(size, 16, 0), size); }
void *calloc(size_t count, size_t size) { return allocate_many(count, size, 0); }
void *realloc(void *pointer, size_t size) { return resize(pointer, size, 0); }
void free(void *pointer) { release(pointer); }
void *memalign(size_t align, size_t size) { return fill(allocate(size, align < 16 ? 16 : align, 0), size); }
void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
void *valloc(size_t size) { return memalign(PAGE, size); }
int posix_memalign(void **result, size_t align, size_t size) {
    void *memory = memalign(align, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
size_t malloc_usable_size(void *pointer) { return pointer ? allocated_size((uint64_t)pointer, INVALID_FREE) : 0; }

/* Stack objects that live in memory of their own, so that leaving them or their function shows. */
static struct piece *stack_pieces[65536];
static uint64_t stack_count;

uint64_t pathshift_stack_mark(void) { return stack_count; }

void *pathshift_stack_object(uint64_t size, uint64_t align) {
    lock_heap();
    struct piece *piece = 0;
    if (guarding && live_count < MAX_LIVE && piece_count < MAX_GUARDED && stack_count < 65536) {
        piece = guarded_alloc(size, exact_ends ? exact_align(size, align) : align);
    }
    if (piece) {
        piece->stack = 1;
        stack_pieces[stack_count++] = piece;
    }
    void *result = piece ? (void *)piece->start : plain_alloc(size, align);
    unlock_heap();
    if (!result) fault(STACK_OVERFLOW);
    return result;
}

/* A parameter that is passed as a copy of memory, as an object of its own. */
void *pathshift_stack_copy(const void *from, uint64_t size, uint64_t align) {
    return memcpy(pathshift_stack_object(size, align), from, size);
}

void pathshift_stack_leave(uint64_t mark) {
    lock_heap();
    while (stack_count > mark) {
        struct piece *piece = stack_pieces[--stack_count];
        piece->freed = 1;
        live_count--;
        make_unusable(piece->first_page, piece->end_page);
    }
    unlock_heap();
}
