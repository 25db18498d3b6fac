// The address of an element of a weak array is no null, the address of the array may be one.
// same: element
// different: whole
extern __attribute__((weak)) int table[4];
//// old
int element(void) { volatile long at = (long)&table[2]; return at != 0; }
int whole(void) { return table != 0; }
//// new
int element(void) { return 1; }
int whole(void) { return 1; }
