// Both flags are needed, or one of them.
// different: may_write
//// old
enum { READ = 1, WRITE = 2, ADMIN = 4 };
int may_write(unsigned flags) { return (flags & (WRITE | ADMIN)) == (WRITE | ADMIN); }
//// new
enum { READ = 1, WRITE = 2, ADMIN = 4 };
int may_write(unsigned flags) { return (flags & (WRITE | ADMIN)) != 0; }
