//! The C++ runtime.

use crate::support::{Language, check, check_ends};

#[track_caller]
fn cpp(body: &str) {
    let source = format!("#include <new>\n#include <stdexcept>\nextern \"C\" void out(unsigned long);\n{body}");
    check(Language::Cpp, &source, &["-std=c++17"]);
    check(Language::Cpp, &source, &["-std=c++17", "-O1"]);
}

#[test]
fn memory_is_taken_and_given_back() {
    cpp("struct A { int x; A(int x) : x(x) { out(x); } ~A() { out(x + 100); } };
         int main() { A *a = new A(1); delete a; A *b = new A[2]{2, 3}; delete[] b; A *c = new (std::nothrow) A(4); delete c;
           int *n = nullptr; delete n; struct alignas(64) B { char c[64]; }; B *d = new B; out((unsigned long)d % 64); delete d; }");
    cpp("int main() { int *p = new int(3); delete p; out(1); delete p; }");
}

#[test]
fn exceptions_find_their_handlers() {
    cpp("struct D { int n; ~D() { out(n); } };
         void f(int k) { D d{10 + k}; switch (k) { case 0: throw 7; case 1: throw 2.5; case 2: throw \"text\"; case 3: throw 'c'; case 4: throw 5L; } out(99); }
         int main() { for (int k = 0; k < 6; k++) { D e{20 + k}; try { D g{30}; f(k); out(1); } catch (int i) { out(i); } catch (const char *s) { out(s[1]); }
           catch (double d) { out(d * 2); } catch (...) { out(77); } out(3); } return 4; }");
}

#[test]
fn handlers_of_base_classes() {
    cpp("struct A { int a = 1; virtual ~A() {} }; struct B : A { int b = 2; }; struct C { int c = 3; }; struct E : C, B { int e = 4; ~E() { out(55); } };
         struct F : private A {};
         int main() { try { throw B(); } catch (A &a) { out(a.a); } try { throw E(); } catch (B &b) { out(b.b); } try { throw E(); } catch (C c) { out(c.c); }
           try { throw E(); } catch (A &a) { out(a.a); } try { try { throw A(); } catch (B &) { out(1); } } catch (A &) { out(2); }
           E e; try { throw &e; } catch (A *a) { out(a->a); } try { throw (const B *)&e; } catch (A *) { out(1); } catch (const A *a) { out(2); }
           try { throw F(); } catch (A &) { out(1); } catch (...) { out(2); } }");
}

#[test]
fn exceptions_are_thrown_again_and_nested() {
    cpp("struct X { int v; X(int v) : v(v) {} X(const X &o) : v(o.v + 1) { out(v); } ~X() { out(v + 1000); } };
         int main() { try { try { throw X(1); } catch (X &x) { x.v = 50; throw; } } catch (X x) { out(x.v); }
           try { try { throw 1; } catch (int) { throw 2.5; } } catch (double d) { out(d * 10); }
           try { try { throw 1; } catch (...) { try { throw 5; } catch (int i) { out(i); } throw; } } catch (int i) { out(i); } }");
}

#[test]
fn nobody_handles_it() {
    cpp("struct D { ~D() { out(5); } }; int main() { D d; out(1); throw 3; }");
    cpp(
        "struct D { ~D() { out(5); } }; void f() noexcept { D d; throw 3; } int main() { try { f(); } catch (...) { out(2); } }",
    );
    cpp("int main() { std::terminate(); }");
    cpp("int main() { throw; }");
}

/// What the library has in its binary only.
#[test]
fn containers_and_texts_of_the_library() {
    cpp("#include <map>\n#include <set>\n#include <list>
         int main() { std::map<int, int> m; std::set<int> s;
           for (int i = 0; i < 40; i++) { m[i * 7 % 19] += i; s.insert(i * 5 % 23); if (i % 3 == 0) { m.erase(i % 11); s.erase(i % 7); } }
           for (auto &e : m) { out(e.first); out(e.second); } for (auto i = s.end(); i != s.begin();) out(*--i);
           std::list<int> l{3, 1, 2}; l.push_front(9); l.reverse(); l.sort(); l.splice(l.begin(), l, --l.end()); l.remove(2);
           for (int i : l) out(i); m.clear(); out(m.size()); }");
    cpp("#include <cstring>
         struct E : std::runtime_error { int n; E(int n) : std::runtime_error(\"own\"), n(n) {} };
         int f(int k) { switch (k) { case 0: throw std::length_error(\"long\"); case 1: throw std::out_of_range(\"far away\");
             case 2: throw E(4); case 3: throw std::invalid_argument(\"\"); default: return 8; } }
         int main() { for (int k = 0; k < 5; k++) try { out(f(k)); } catch (E &e) { out(e.n + e.what()[0]); }
           catch (const std::logic_error &e) { out(strlen(e.what())); std::logic_error copy(e); out(copy.what()[0]); }
           catch (const std::exception &) { out(77); } }");
    let text = "#include <string>\nextern \"C\" void out(unsigned long);
        int main() { std::string t(\"abc\"); t += \"def, and more than fits into the object itself\"; out(t.size()); out(t.find(\"and\"));
          std::string u = t.substr(2, 9) + '!'; out(u == \"cdef, and!\"); u.insert(1, \"xy\"); u.erase(0, 1); for (char c : u) out(c);
          try { throw std::runtime_error(u); } catch (std::exception &e) { out(e.what()[0]); }
          try { u.substr(99); } catch (std::out_of_range &) { out(5); } out(std::stoi(\"42\")); }";
    check(Language::Cpp, &format!("#include <stdexcept>\n{text}"), &["-std=c++20"]);
}

#[test]
fn exceptions_of_the_library() {
    cpp("#include <vector>\n#include <string>
         int main() { std::vector<int> v{1, 2}; try { v.at(5); } catch (const std::exception &) { out(1); }
           try { v.at(1); out(v[1]); v.reserve((unsigned long)-1); } catch (const std::length_error &) { out(2); }
           try { throw std::out_of_range(\"x\"); } catch (const std::runtime_error &) { out(3); } catch (const std::logic_error &) { out(4); }
           int n = -1; try { int *p = new int[n]; out(9); } catch (const std::bad_alloc &) { out(5); } }");
}

#[test]
fn objects_know_their_class() {
    cpp("struct A { virtual int f() { return 1; } virtual ~A() {} }; struct B : A { int f() override { return 2; } }; struct C { virtual int g() { return 3; } };
         struct D : B, C { int f() override { return 4; } int g() override { return 5; } };
         int main() { A a; B b; D d; A *all[] = {&a, &b, &d}; for (A *p : all) { out(p->f()); out(dynamic_cast<B *>(p) != nullptr); C *c = dynamic_cast<C *>(p);
           out(c ? c->g() : 0); D *q = dynamic_cast<D *>(p); out(q == &d); } C *c = &d; out(dynamic_cast<A *>(c) == (A *)&d); out((char *)dynamic_cast<D *>(c) == (char *)&d);
           try { dynamic_cast<B &>(a); out(1); } catch (std::exception &) { out(2); } }");
}

#[test]
fn variables_are_made_once_and_before_main() {
    cpp("struct S { int n; S(int n) : n(n) { out(n); } }; S first(1), second(first.n + 1); int f() { static S s(7); return s.n++; }
         int main() { out(f()); out(f()); out(f()); out(second.n); }");
}

#[test]
fn every_way_out_is_found() {
    let source = "struct E { int n; }; static int g(int x) { if (x == 1) throw E{5}; if (x == 2) throw 3; if (x == 3) throw 1.5; return 0; }
        extern \"C\" int f(int x) { try { return g(x); } catch (E &e) { return e.n; } catch (int i) { return i; } }";
    check_ends(Language::Cpp, source, "f", &[("0", 1), ("3", 1), ("5", 1), ("Uncaught double", 1)]);
}
