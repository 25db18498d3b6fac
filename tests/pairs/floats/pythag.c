// Hypotenuse without destructive overflow, branches swapped.
// same: pythag
//// old
#include <math.h>
double pythag(double a, double b) {
    double absa = fabs(a), absb = fabs(b);
    if (absa > absb) return absa * sqrt(1.0 + (absb / absa) * (absb / absa));
    else return (absb == 0.0 ? 0.0 : absb * sqrt(1.0 + (absa / absb) * (absa / absb)));
}
//// new
#include <math.h>
double pythag(double a, double b) {
    double absa = fabs(a), absb = fabs(b), r;
    if (!(absa > absb)) {
        if (absb == 0.0) return 0.0;
        r = absa / absb;
        return absb * sqrt(1.0 + r * r);
    }
    r = absb / absa;
    return absa * sqrt(1.0 + r * r);
}
