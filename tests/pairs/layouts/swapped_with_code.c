// Fields change places and so does the code: the same bytes, another field.
// different: width
//// old
struct box { int width, height; };
int width(struct box *b) { return b->width; }
//// new
struct box { int height, width; };
int width(struct box *b) { return b->height; }
