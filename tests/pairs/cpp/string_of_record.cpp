// A text that is part of a record; the counter is forgotten in one and not in the other function.
// same within bounds: Log::add
// different: Log::end
#include <string>
struct Log { std::string text; int lines; void add(char c); void end(); };
//// old
void Log::add(char c) { text.push_back(c); lines++; }
void Log::end() { text += '\n'; lines++; }
//// new
void Log::add(char c) { ++lines; text += c; }
void Log::end() { text += '\n'; }
