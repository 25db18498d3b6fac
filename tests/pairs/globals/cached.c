// A value is remembered: the first call differs from later ones in cost only.
// same: area
//// old
int width, height;
int area(void) { return (int)((unsigned)width * (unsigned)height); }
//// new
int width, height;
static int twice(unsigned w, unsigned h) { return (int)(w * h); }
int area(void) {
    unsigned w = (unsigned)width, h = (unsigned)height;
    return w == 0 || h == 0 ? 0 : twice(w, h);
}
