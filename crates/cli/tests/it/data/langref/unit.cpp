#if defined(__APPLE__) || defined(__AVR__) || defined(__MSP430__) || defined(__NVPTX__) || defined(__bpf__)
#define TL
#else
#define TL thread_local
#endif
struct A { virtual ~A(); virtual int f(int) = 0; int x; };
struct B : A { int f(int y) override; ~B() override; };
struct V : virtual A { int f(int) override { return x; } };
struct D : B, V { int f(int) override { return 3; } };
B::~B() {} A::~A() {} int B::f(int y) { return x + y; }
template <class T> T mx(T a, T b) { return a < b ? b : a; }
inline int inl(int x) { static int c = x; return c++; }
TL int tl = inl(2);
int glob = inl(4);
int use() { return mx(1, 2) + (int)mx(2.0, 3.0) + tl + inl(1); }
int thr(int x) { if (x) throw x; try { thr(1); } catch (int e) { return e; } catch (const char *s) { return s[0]; } catch (...) { throw; } return 0; }
struct Guard { ~Guard(); int v; };
int cleanup(int n) { Guard g; Guard h{3}; return thr(n) + h.v; }
auto lam = [](int x) { return [=](int y) { return x + y; }; };
int lamuse() { return lam(1)(2); }
A *mkb() { D *d = new D; return static_cast<B *>(d); }
int dyn(A *a) { if (auto *d = dynamic_cast<V *>(a)) return d->x; delete a; return a->f(2); }
int (A::*pm)(int) = &A::f;
int callpm(A *a) { return (a->*pm)(1); }
int noex() noexcept { return thr(0); }
void spec(int x);
namespace { int hidden = 5; } int *ph() { return &hidden; }
typedef __typeof__(sizeof 0) size_t;
void *operator new[](size_t);
int *arr(int n) { return new int[n](); }
constexpr int table[4] = {1, 2, 3, 4};
int tab(int i) { return table[i & 3]; }
