#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
#include <map>
#include <memory>
#include <functional>
#include <coroutine>
#include <typeinfo>
#include <variant>
#include <thread>
#include <mutex>
#include <atomic>
struct Noisy { const char *n; ~Noisy() { printf("~%s\n", n); } };
struct E1 : std::runtime_error { using runtime_error::runtime_error; };
int deep(int n) { Noisy x{n % 2 ? "odd" : "even"}; if (!n) throw E1("deep"); return deep(n - 1) + 1; }
int rethrow(int n) { try { return deep(n); } catch (const std::logic_error &) { return -1; } catch (std::exception &e) { printf("re %s\n", e.what()); throw; } }
void fin() noexcept(false) { struct T { ~T() noexcept(false) { printf("T %d\n", std::uncaught_exceptions()); } } t; throw 5; }
struct task { struct promise_type { int v = 0; task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend() { return {}; } std::suspend_always final_suspend() noexcept { return {}; } std::suspend_always yield_value(int x) { v = x; return {}; } void return_void() {} void unhandled_exception() {} }; std::coroutine_handle<promise_type> h; };
task gen(int n) { for (int i = 0; i < n; i++) co_yield i * i; }
struct Base { virtual int f() const { return 1; } virtual ~Base() = default; }; struct L : virtual Base { int a = 2; }; struct R : virtual Base { int f() const override { return 7; } }; struct X : L, R { int b = 3; };
thread_local std::string tl = "thread";
static std::vector<int> global{1, 2, 3};
inline int counter() { static std::atomic<int> c{10}; return c++; }
int main() {
  try { rethrow(3); } catch (const E1 &e) { printf("caught %s\n", e.what()); }
  try { fin(); } catch (int x) { printf("int %d\n", x); }
  try { std::vector<int>(2).at(5); } catch (std::out_of_range &) { puts("range"); }
  auto t = gen(4); while (t.h.resume(), !t.h.done()) printf("y %d\n", t.h.promise().v); t.h.destroy();
  std::map<std::string, std::unique_ptr<Base>> m; m["x"] = std::make_unique<X>(); m["b"] = std::make_unique<Base>();
  for (auto &[k, v] : m) printf("%s %d %d\n", k.c_str(), v->f(), dynamic_cast<L *>(v.get()) != nullptr);
  std::function<int(int)> f = [&](int x) { return x < 2 ? x : f(x - 1) + f(x - 2); }; printf("%d\n", f(10));
  std::variant<int, std::string> v = "str"; printf("%s\n", std::get<std::string>(v).c_str()); try { (void)std::get<int>(v); } catch (std::bad_variant_access &) { puts("bad"); }
  int sum = 0; std::mutex mu; std::thread a([&] { for (int i = 0; i < 100; i++) { std::lock_guard g(mu); sum += i; } tl += "a"; }), b([&] { for (int i = 0; i < 100; i++) { std::lock_guard g(mu); sum -= 2 * i; } }); a.join(); b.join();
  printf("%d %s %d %d %s\n", sum, tl.c_str(), counter() + counter(), global[2], typeid(X).name());
}
