// A clamp that treats NaN alike in both.
// same: clamp
//// old
float clamp(float v) {
    if (v < 0.0f) return 0.0f;
    if (v > 1.0f) return 1.0f;
    return v;
}
//// new
float clamp(float v) {
    if (v > 1.0f) v = 1.0f;
    else if (v < 0.0f) v = 0.0f;
    return v;
}
