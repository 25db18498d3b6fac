// Exceptions of the C++ library that carry a text: what they are made of, and the tables through which they are asked.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct exception { const void *const *table; const char *text; } exception;
typedef struct string { const char *text; size_t length; } string;

void delete(void *memory) __asm__("_ZdlPv");

#define NAME(name) __asm__(name) __attribute__((weak))
#define STRING "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
#define ONE_AND_TWO(id, result, parameters, before, behind, body) \
    result id##_1 parameters NAME(before "1" behind); \
    result id##_1 parameters body \
    result id##_2 parameters NAME(before "2" behind); \
    result id##_2 parameters body

static const char *copied(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

const char *logic_what(const exception *e) NAME("_ZNKSt11logic_error4whatEv");
const char *logic_what(const exception *e) { return e->text; }
const char *runtime_what(const exception *e) NAME("_ZNKSt13runtime_error4whatEv");
const char *runtime_what(const exception *e) { return e->text; }

#define CLASS(id, name, what) \
    extern const void *const info_##id __asm__("_ZTI" name); \
    extern const void *const table_##id[5] NAME("_ZTV" name); \
    ONE_AND_TWO(end_##id, void, (exception *e), "_ZN" name "D", "Ev", {}) \
    void delete_##id(exception *e) NAME("_ZN" name "D0Ev"); \
    void delete_##id(exception *e) { delete(e); } \
    __attribute__((section("pathshift"))) const void *const table_##id[5] = { \
        0, &info_##id, (void *)end_##id##_1, (void *)delete_##id, (void *)what }; \
    ONE_AND_TWO(of_text_##id, void, (exception *e, const char *text), "_ZN" name "C", "EPKc", { \
        e->table = table_##id + 2; \
        e->text = copied(text, strlen(text)); \
    }) \
    ONE_AND_TWO(of_string_##id, void, (exception *e, const string *s), "_ZN" name "C", "E" STRING, { \
        e->table = table_##id + 2; \
        e->text = copied(s->text, s->length); \
    })

CLASS(logic, "St11logic_error", logic_what)
CLASS(domain, "St12domain_error", logic_what)
CLASS(argument, "St16invalid_argument", logic_what)
CLASS(length, "St12length_error", logic_what)
CLASS(out_of_range, "St12out_of_range", logic_what)
CLASS(runtime, "St13runtime_error", runtime_what)
CLASS(range, "St11range_error", runtime_what)
CLASS(overflow, "St14overflow_error", runtime_what)
CLASS(underflow, "St15underflow_error", runtime_what)

#define COPY(id, name) \
    ONE_AND_TWO(copy_##id, void, (exception *e, const exception *from), "_ZN" name "C", "ERKS_", { \
        e->table = table_##id + 2; \
        e->text = copied(from->text, strlen(from->text)); \
    })

COPY(logic, "St11logic_error")
COPY(runtime, "St13runtime_error")
