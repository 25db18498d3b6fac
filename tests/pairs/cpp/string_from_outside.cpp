// What a function of the outside returns is a string, of which nobody knows how it is kept.
// same: length
// open
#include <string>
std::string get(int key);
//// old
size_t length(int key) { return get(key).size() + 1; }
//// new
size_t length(int key) { std::string text = get(key); text += "x"; return text.size(); }
