// The product is widened before it is computed: a fix.
// different: area
//// old
unsigned long area(unsigned w, unsigned h) { return w * h; }
//// new
unsigned long area(unsigned w, unsigned h) { return (unsigned long)w * h; }
