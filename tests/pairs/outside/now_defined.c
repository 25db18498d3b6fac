// What a function does that only the new version has the code of, nobody knows of the old one.
// same: twice
// open
//// old
int scale(int x);
int twice(int x) { return scale(x); }
//// new
int scale(int x) { return x * 2; }
int twice(int x) { return scale(x); }
