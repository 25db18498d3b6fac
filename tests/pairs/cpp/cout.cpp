// The end of a line, and a flush besides; when output leaves its buffer is not compared.
// same: print
// different: report
#include <iostream>
//// old
void print(int x) { std::cout << "x=" << x << std::endl; }
void report(unsigned x) { std::cout << x << ',' << 1.5 << '\n'; }
//// new
void print(int x) { std::cout << "x="; std::cout << x; std::cout << '\n'; }
void report(unsigned x) { std::cout << (int)x << ',' << 1.5 << '\n'; }
