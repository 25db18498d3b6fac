// Wider numbers no longer overflow.
// different: area
//// old
int area(int width, int height) {
    if (width < 0 || height < 0)
        return -1;
    return width * height;
}
//// new
long area(long width, long height) {
    if (width < 0 || height < 0)
        return -1;
    return width * height;
}
