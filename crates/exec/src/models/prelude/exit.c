// The end of a program that registered functions to be called then: the last one first.
void pathshift_exit(int code) __asm__("pathshift.exit") __attribute__((noreturn));
void *pathshift_next_at_exit(void **argument) __asm__("pathshift.next_at_exit");

__attribute__((weak, noreturn)) void exit(int code) {
    void *argument;
    void *function;
    while ((function = pathshift_next_at_exit(&argument))) ((void (*)(void *))function)(argument);
    pathshift_exit(code);
}
