// A text is built from characters.
// different: ends
#include <string>
//// old
bool ends(char a, char b) { std::string s; s += a; s += b; return s.back() == 'x'; }
//// new
bool ends(char a, char b) { std::string s; s += b; s += a; return s.back() == 'x'; }
