// A class that keeps and restores the environment in C++.
// different: large
// open
#include <cfenv>
struct Guard {
    std::fenv_t kept;
    Guard() { std::feholdexcept(&kept); std::fesetround(FE_DOWNWARD); }
    ~Guard() { std::feupdateenv(&kept); }
};
//// old
static bool over(float a, float b) { return a + b > 1.0f; }
bool large(float a, float b) { Guard guard; return over(a, b); }
//// new
static bool over(float a, float b) { return -(-a - b) > 1.0f; }
bool large(float a, float b) { Guard guard; return over(a, b); }
