// Tests sorted in another way; exact equality is transitive.
// same: triangle
//// old
int triangle(unsigned short a, unsigned short b, unsigned short c) {
    if (a + b <= c || a + c <= b || b + c <= a) return 0;
    if (a == b && b == c) return 3;
    if (a == b || b == c || a == c) return 2;
    return 1;
}
//// new
int triangle(unsigned short a, unsigned short b, unsigned short c) {
    int equal = (a == b) + (b == c) + (a == c);
    if (a + b <= c) return 0;
    if (a + c <= b) return 0;
    if (b + c <= a) return 0;
    switch (equal) {
    case 3: return 3;
    case 1: return 2;
    default: return 1;
    }
}
