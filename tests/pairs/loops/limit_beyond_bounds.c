// Only inputs beyond the bounds get to what changed.
// different: count, sum, cut
// open
//// old
int count(const char *s) { int n = 0; while (s[n]) n++; return n; }
int sum(const char *s) { int n = 0, sum = 0; while (s[n]) { sum += s[n]; n++; } return sum; }
int cut(const char *s) { int n = 0; while (s[n]) n++; return n; }
//// new
int count(const char *s) { int n = 0; while (s[n]) n++; return n > 30000 ? 0 : n; }
int sum(const char *s) { int n = 0, sum = 0; while (s[n]) { sum += ++n == 50000 ? 0 : s[n - 1]; } return sum; }
int cut(const char *s) { int n = 0; while (s[n]) { if (n == 30000) return 0; n++; } return n; }
