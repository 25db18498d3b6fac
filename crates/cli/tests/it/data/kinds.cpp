// A bit of every construct that C++ has and real code uses.
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  int id = next++;
  static int next;
};
int Shape::next = 1;
struct Square : Shape {
  double side;
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
};
struct Named { std::string name; };
struct Label : virtual Named, Square {
  Label(std::string n, double s) : Named{std::move(n)}, Square(s) {}
};
template <typename T, int N> T power(T x) { T y = 1; for (int i = 0; i < N; i++) y *= x; return y; }
inline int counter() { static int calls = 0; return ++calls; }
}  // namespace shapes

struct Guard { int *count; ~Guard() { ++*count; } };

int risky(int x) {
  if (x > 3) throw std::runtime_error("large");
  if (x < 0) throw x;
  return x;
}

int careful(int x) {
  int cleaned = 0;
  try {
    Guard guard{&cleaned};
    return risky(x) + cleaned;
  } catch (const std::exception &error) {
    return (int)std::string(error.what()).size() + cleaned;
  } catch (int number) {
    return -number * 100 + cleaned;
  }
}

int Shapes(const std::vector<std::unique_ptr<shapes::Shape>> &list) {
  double total = 0;
  for (const auto &shape : list) total += shape->area();
  if (auto *label = dynamic_cast<shapes::Label *>(list.back().get())) total += label->name.size();
  return (int)total;
}

thread_local int per_thread = shapes::counter();
static const std::map<std::string, int> table = {{"one", 1}, {"two", 2}};

int main() {
  std::vector<std::unique_ptr<shapes::Shape>> list;
  list.push_back(std::make_unique<shapes::Square>(2));
  list.push_back(std::make_unique<shapes::Label>("label", 3));
  auto twice = [&](int x) { return x * 2 + (int)list.size(); };
  int (shapes::Shape::*unused)() = nullptr;
  std::printf("%d %d %d %d %d %d %d %d\n", careful(1), careful(9), careful(-2), Shapes(list), twice(4),
              shapes::power<int, 5>(3), table.at("two"), per_thread + (unused == nullptr));
}
