// An angle is brought into range, by other comparisons.
// same: turn
//// old
double turn(double angle, double by) {
    double sum = angle + by;
    if (sum >= 360.0) sum -= 360.0;
    else if (sum < 0.0) sum += 360.0;
    return sum;
}
//// new
double turn(double angle, double by) {
    double sum = by + angle;
    if (0.0 > sum) return sum + 360.0;
    if (360.0 <= sum) return sum - 360.0;
    return sum;
}
