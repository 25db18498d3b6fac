// The product of two shorts fits anyway.
// same: area
//// old
long area(short w, short h) { return w * h; }
//// new
long area(short w, short h) { return (long)w * h; }
