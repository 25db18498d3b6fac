// A limit as a number with a point, and as an integer: the same for every int, since each is a double.
// same: capped
//// old
double capped(int count, double each) {
    double sum = 0.0;
    int i = 0;
    while (i < count && i <= 530511967) {
        sum += each;
        i++;
    }
    if (count < 0)
        return -1.0;
    return sum;
}
//// new
double capped(int count, double each) {
    double limit = 530511967.5, sum = 0.0;
    for (int i = 0; i < (double)count && i < limit; i++)
        sum += each;
    return (double)count <= -0.5 ? -1.0 : sum;
}
