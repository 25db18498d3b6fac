// Spaces at the beginning, found by the library and by hand.
// same: trimmed
// open
#include <string>
//// old
std::string trimmed(const std::string &s) {
    size_t begin = s.find_first_not_of(' ');
    return begin == std::string::npos ? "" : s.substr(begin);
}
//// new
std::string trimmed(const std::string &s) {
    size_t begin = 0;
    while (begin < s.size() && s[begin] == ' ') begin++;
    return s.substr(begin);
}
