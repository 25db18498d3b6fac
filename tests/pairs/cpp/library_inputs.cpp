// Library types as inputs: only what the library can make.
// same: opt, var, flag, en, bits
// open
#include <optional>
#include <variant>
#include <bitset>
enum class E : unsigned char { A, B };
//// old
int opt(std::optional<bool> o) { return o ? (*o ? 2 : 1) : 0; }
int var(const std::variant<int, char>& v) { return v.index() == 0 ? 1 : v.index() == 1 ? 2 : 3; }
int flag(bool b) { return b ? 1 : 0; }
int en(E e) { switch (e) { case E::A: return 1; case E::B: return 2; } return 3; }
int bits(std::bitset<5> b) { return (int)b.count(); }
//// new
int opt(std::optional<bool> o) { if (!o.has_value()) return 0; return 1 + (int)o.value(); }
int var(const std::variant<int, char>& v) { return std::holds_alternative<int>(v) ? 1 : std::holds_alternative<char>(v) ? 2 : 3; }
int flag(bool b) { return (int)b & 1; }
int en(E e) { return e == E::A ? 1 : e == E::B ? 2 : 3; }
int bits(std::bitset<5> b) { int n = 0; for (int i = 0; i < 5; i++) n += b[i]; return n; }
