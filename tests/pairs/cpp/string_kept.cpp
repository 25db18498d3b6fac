// An assignment only on one way.
// different: answer
#include <string>
//// old
void answer(std::string &s, bool yes) { s = yes ? "yes" : "no"; }
//// new
void answer(std::string &s, bool yes) { if (yes) s = "yes"; }
