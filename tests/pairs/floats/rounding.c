// Rounding to the nearest number and cutting.
// different: to_cents
//// old
int to_cents(float euros) {
    if (!(euros >= 0.0f && euros < 1000.0f)) return -1;
    return (int)(euros * 100.0f + 0.5f);
}
//// new
int to_cents(float euros) {
    if (!(euros >= 0.0f && euros < 1000.0f)) return -1;
    return (int)(euros * 100.0f);
}
