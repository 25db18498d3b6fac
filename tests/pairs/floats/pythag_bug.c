// The quotient is the wrong way round.
// different: pythag
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
    double absa = fabs(a), absb = fabs(b);
    if (absa > absb) return absa * sqrt(1.0 + (absb / absa) * (absb / absa));
    else return (absb == 0.0 ? 0.0 : absb * sqrt(1.0 + (absb / absa) * (absa / absb)));
}
