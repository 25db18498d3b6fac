// A text may have a zero in it, which ends it for C.
// different: print
#include <iostream>
#include <string>
//// old
void print(const std::string &s) { std::cout << s << "\n"; }
//// new
void print(const std::string &s) { std::cout << s.c_str() << "\n"; }
