// An exception says something else; nobody catches it here.
// different: checked
//// old
#include <stdexcept>
extern "C" int checked(int v) { if (v > 5) throw std::runtime_error("too large"); return v; }
//// new
#include <stdexcept>
extern "C" int checked(int v) { if (v > 5) throw std::runtime_error("too big"); return v; }
