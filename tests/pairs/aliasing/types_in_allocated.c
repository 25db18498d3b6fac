// Both may lead into one block of allocated memory, whose type is that of the last write.
// same: f
// scope: pointers to different types do not lead to the same memory
//// old
void f(int *p, long *q) { *p = 1; *q = 2; }
//// new
void f(int *p, long *q) { *q = 2; *p = 1; }
