// A weak function of a namespace in C++, called by a member that throws nothing.
// same: ask
// different: has
namespace log { extern __attribute__((weak)) int level(int); }
struct Logger { int fallback; int ask(int x) const; bool has() const; };
//// old
int Logger::ask(int x) const { return log::level ? log::level(x) : fallback; }
bool Logger::has() const { return log::level != nullptr; }
//// new
int Logger::ask(int x) const {
    if (log::level == nullptr) return fallback;
    return log::level(x);
}
bool Logger::has() const { return true; }
