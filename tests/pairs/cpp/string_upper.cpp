// The last letter is left out.
// different: upper
#include <string>
//// old
std::string upper(std::string s) { for (auto &c : s) if (c >= 'a' && c <= 'z') c -= 32; return s; }
//// new
std::string upper(std::string s) { for (auto &c : s) if (c >= 'a' && c < 'z') c -= 32; return s; }
