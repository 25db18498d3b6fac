#include <stdio.h>
#include <string.h>
int main(void) {
    int a = -1, b = -1, n = -1;
    unsigned u = 0;
    long l = 0;
    short h = 0;
    char c = '?', s[32] = "", t[32] = "";
    float f = 0;
    double d = 0;
    printf("%d %d %d\n", sscanf("12 34", "%d %d", &a, &b), a, b);
    printf("%d %d\n", sscanf("  -7x", "%d", &a), a);
    printf("%d\n", sscanf("x", "%d", &a));
    printf("%d\n", sscanf("", "%d", &a));
    printf("%d\n", sscanf("   ", "%d", &a));
    printf("%d %d %d\n", sscanf("12:34", "%d:%d", &a, &b), a, b);
    printf("%d %d\n", sscanf("12;34", "%d:%d", &a, &b), a);
    printf("%d %u %ld %hd\n", sscanf("ff 077 12345", "%x %li %hd", &u, &l, &h), u, l, h);
    printf("%d %d %d\n", sscanf("0x1A 010", "%i %i", &a, &b), a, b);
    printf("%d %s %s\n", sscanf("hello world", "%s %s", s, t), s, t);
    printf("%d %s %s\n", sscanf("helloworld", "%3s%s", s, t), s, t);
    printf("%d %c %s\n", sscanf(" xyz", "%c%s", &c, s), c, s);
    printf("%d %s %s\n", sscanf("key=value;rest", "%[a-z]=%[^;]", s, t), s, t);
    printf("%d %s\n", sscanf("]a]b", "%[]a]", s), s);
    printf("%d\n", sscanf("123", "%[a-z]", s));
    printf("%d %g %g\n", sscanf("3.25 -1e3", "%f %lf", &f, &d), f, d);
    printf("%d %d %d\n", sscanf("1 2 3", "%d %*d %d", &a, &b), a, b);
    printf("%d %d %d\n", sscanf("abc 12", "abc%d%n", &a, &n), a, n);
    printf("%d %d\n", sscanf("50%", "%d%%", &a), a);
    printf("%d %d %d\n", sscanf("123456", "%3d%2d", &a, &b), a, b);
    printf("%d %u %d\n", sscanf("-1 99999999999", "%u %d", &u, &a), u, a);
    memset(s, 0, sizeof s);
    printf("%d %s\n", sscanf("abcdef", "%4c", s), s);
    printf("%d %d\n", sscanf("+5", "%d", &a), a);
    printf("%d %d %d %d\n", scanf("%d,%d\n", &a, &b), a, b, getchar());
    return 0;
}
