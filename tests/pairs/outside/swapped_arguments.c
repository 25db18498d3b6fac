// Arguments of an outside function are swapped.
// different: copy_block
//// old
void transfer(int from, int to, int bytes);
void copy_block(int a, int b) { if (a != b) transfer(a, b, 512); }
//// new
void transfer(int from, int to, int bytes);
void copy_block(int a, int b) { if (a != b) transfer(b, a, 512); }
