// The error is no longer reset.
// different: begin
//// old
int error, depth;
void begin(int nested) {
    if (!nested) { error = 0; depth = 0; }
    depth++;
}
//// new
int error, depth;
void begin(int nested) {
    if (!nested) { depth = 0; }
    depth++;
}
