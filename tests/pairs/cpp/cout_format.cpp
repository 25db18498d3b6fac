// What a stream was told to format in another way is not known: nothing is said rather than something wrong.
// different: print
// open
#include <iostream>
//// old
void print(bool x) { std::cout << std::boolalpha << x; }
//// new
void print(bool x) { std::cout << std::boolalpha << (x ? 1 : 0); }
