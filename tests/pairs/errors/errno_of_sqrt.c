// What a mathematical function leaves in errno decides.
// different: root
// open
//// old
#include <errno.h>
#include <math.h>
double root(double x) { errno = 0; double r = sqrt(x); return errno ? 0 : r; }
//// new
#include <errno.h>
#include <math.h>
double root(double x) { errno = 0; double r = sqrt(x); return r; }
