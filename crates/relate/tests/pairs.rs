//! Pairs of C functions with what relating them must come to. Needs clang 19.
//!
//! Each pair that must not be the same is one on which a weaker rule would be wrong: seen red with that rule taken out.

#![allow(clippy::unwrap_used, clippy::panic)]

use change::compare;
use ir::module::Module;
use relate::answer::{Answer, Effect};
use relate::{Options, summarise};
use std::process::Command;

fn module(source: &str) -> Module {
    let dir = tempfile::tempdir().unwrap();
    let (input, output) = (dir.path().join("a.c"), dir.path().join("a.ll"));
    std::fs::write(&input, source).unwrap();
    let mut command = Command::new("clang-19");
    command.args(["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-S", "-emit-llvm", "-o"]);
    let ran = command.arg(&output).arg(&input).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut module = ir::parse::parse(&std::fs::read_to_string(&output).unwrap()).unwrap();
    ir::promote::promote(&mut module);
    module
}

/// What relating the function `f` of two versions comes to; that it is the same if its code is.
fn answer(old: &str, new: &str) -> Answer {
    let (old, new) = (module(old), module(new));
    let changes = compare(&old, &new);
    let found = summarise(&old, &new, &changes, &Default::default(), &Options::default());
    let index = changes.functions.iter().position(|function| function.name == "f").unwrap();
    match found.answers.get(&index) {
        Some(answer) => answer.clone(),
        None => {
            assert!(changes.functions[index].same, "nothing is known of f");
            Answer::Same(Default::default())
        }
    }
}

fn same(old: &str, new: &str) {
    let answer = answer(old, new);
    assert!(matches!(answer, Answer::Same(_)), "{old}\n{new}\n{answer:?}");
}

fn not_same(old: &str, new: &str) {
    let answer = answer(old, new);
    assert!(!matches!(answer, Answer::Same(_)), "{old}\n{new}\n{answer:?}");
}

/// A function with that body.
fn f(body: &str) -> String {
    format!(
        "int g(int); void h(int *); int r(const char *);\nstruct s {{ int a, b; struct s *next; }};\nextern int shared;\n\
         int f(int *p, int *q, struct s *s, int n, int (*cb)(int)) {{ {body} }}\n"
    )
}

#[test]
fn writes_are_compared_wherever_pointers_lead() {
    same(&f("p[0] = 1; p[1] = 2; return 0;"), &f("p[1] = 2; p[0] = 1; return 0;"));
    same(&f("*p = n; *p = 3; return 0;"), &f("*p = 3; return 0;"));
    same(&f("s->a = 1; s->b = s->a + n; return s->b;"), &f("s->a = 1; s->b = 1 + n; return n + 1;"));
    // Both may be one.
    not_same(&f("*p = 1; *q = 2; return 0;"), &f("*q = 2; *p = 1; return 0;"));
    not_same(&f("*p = 1; *q = 2; return *p;"), &f("*p = 1; *q = 2; return 1;"));
    not_same(&f("s->a = 1; *p = 2; return s->a;"), &f("s->a = 1; *p = 2; return 1;"));
    // Overlapping in part.
    not_same(&f("*(int *)((char *)p + 2) = 1; return *q;"), &f("int v = *q; *(int *)((char *)p + 2) = 1; return v;"));
}

#[test]
fn loops_may_run_for_any_number_of_iterations() {
    same(
        &f("int t = 0; for (int i = 0; i < n; i++) { t += p[i]; p[i] = t; } return t;"),
        &f("int t = 0, i = 0; while (n > i) { int v = p[i]; t = v + t; p[i++] = t; } return t;"),
    );
    not_same(
        &f("int t = 0; for (int i = 0; i < n; i++) t += g(i); return t;"),
        &f("int t = 0; for (int i = 0; i <= n; i++) t += g(i); return t;"),
    );
    not_same(
        &f("int t = 0; for (int i = 0; i < n; i++) t += g(i); return t;"),
        &f("int t = 0; for (int i = 0; i < n; i++) { t += g(i); if (i == 1000000) t++; } return t;"),
    );
    // What holds at first does not hold later.
    not_same(&f("int a = n; while (g(0)) { a++; } return a;"), &f("int a = n, b = n; while (g(0)) { a++; } return b;"));
    // Memory that a loop writes is another one in each iteration.
    not_same(
        &f("int v = *q; while (g(0)) { *p = v; v = *q; } return v;"),
        &f("int v = *q; while (g(0)) { *p = v; } return v;"),
    );
    // One version ends, the other one does not.
    not_same(&f("while (n) { } return 0;"), &f("return 0;"));
}

#[test]
fn calls_are_made_alike() {
    same(&f("int v = n + n; h(p); return g(v);"), &f("h(p); return g(2 * n);"));
    same(&f("if (n > 3) return cb(n); return 0;"), &f("if (n <= 3) return 0; return cb(n);"));
    not_same(&f("h(p); h(q); return 0;"), &f("h(q); h(p); return 0;"));
    not_same(&f("g(n); return 0;"), &f("return 0;"));
    not_same(&f("g(n); g(n); return 0;"), &f("g(n); return 0;"));
    not_same(&f("return g(n) + g(n);"), &f("return 2 * g(n);"));
    not_same(&f("int v = *p; h(q); return v;"), &f("h(q); return *p;"));
    not_same(&f("int v = shared; g(n); return v;"), &f("g(n); return shared;"));
    // A local whose address got out is changed by calls; one that is private is not.
    not_same(&f("int v = 1; h(&v); return v;"), &f("int v = 1; h(&v); return 1;"));
    same(&f("int v[2] = {n, 1}; h(p); return v[0];"), &f("h(p); return n;"));
}

#[test]
fn what_may_fault_faults_alike() {
    not_same(&f("return 0;"), &f("int v = *p; return v - v;"));
    not_same(&f("if (n) return *p; return 0;"), &f("int v = *p; if (n) return v; return 0;"));
    not_same(&f("g(n); return *p;"), &f("int v = *p; int w = g(n); return *p + (v - v);"));
    // A read does not make sure that a write succeeds.
    not_same(&f("return *p;"), &f("int v = *p; *p = v; return v;"));
    not_same(&f("return n ? 6 : 6;"), &f("int v = 6 / n; return 6 + (v - v);"));
    same(&f("return n > 0 ? 6 / n : 0;"), &f("if (n <= 0) return 0; return 6 / n;"));
    // What ended a text is gone when the new version looks for it.
    not_same(
        &f("char *t = (char *)p; g(n); int v = r(t); *t = 1; return v;")
            .replace("int r(", "unsigned long strlen(const char *); int r("),
        &f("char *t = (char *)p; g(n); int v = r(t); *t = 1; strlen(t); return v;")
            .replace("int r(", "unsigned long strlen(const char *); int r("),
    );
    not_same(
        &f("char *t = (char *)p; strlen(t); *t = 1; return 0;")
            .replace("int r(", "unsigned long strlen(const char *); int r("),
        &f("char *t = (char *)p; *t = 1; strlen(t); return 0;")
            .replace("int r(", "unsigned long strlen(const char *); int r("),
    );
    // A read that is gone is an assumption.
    let answer = answer(&f("int v = *p; return v - v;"), &f("return 0;"));
    let Answer::Same(assumptions) = &answer else { panic!("{answer:?}") };
    assert!(assumptions.iter().any(|one| matches!(one, evidence::Assumption::ValidOldAccess { .. })), "{answer:?}");
}

#[test]
fn uninitialised_values_are_no_known_values() {
    not_same(&f("return 1;"), &f("int a, b; return a == b;"));
    not_same(&f("return 1;"), &f("int a; return a == a + n - n;"));
    not_same(&f("int a; if (n) a = 1; return 0;"), &f("int a, b; if (n) a = b = 1; return a != b;"));
    let answer = answer(&f("int a; if (n) a = 1; return a + n + 1;"), &f("int a; if (n) a = 1; return a + 1 + n;"));
    let Answer::Same(assumptions) = &answer else { panic!("{answer:?}") };
    assert!(assumptions.contains(&evidence::Assumption::PairedUninitialised), "{answer:?}");
    let with = |body: &str| f(&format!("int x; {body}"));
    for before in ["", "g(n); "] {
        let with = |body: &str| with(&format!("{before}{body}"));
        let answer = self::answer(&with("if (n) h(&x); return x;"), &with("if (!n) return x; h(&x); return x;"));
        let Answer::Same(assumptions) = &answer else { panic!("{answer:?}") };
        assert!(assumptions.contains(&evidence::Assumption::PairedUninitialised), "{answer:?}");
    }
    let answer = self::answer(&with("h(&x); return x + n + 1;"), &with("h(&x); return x + 1 + n;"));
    let Answer::Same(assumptions) = &answer else { panic!("{answer:?}") };
    assert!(!assumptions.contains(&evidence::Assumption::PairedUninitialised), "{answer:?}");
}

#[test]
fn what_only_the_new_version_is_promised_is_said() {
    let with = |pointer: &str| format!("int f(int *{pointer} p, int *{pointer} q) {{ *p = 1; *q = 2; return *p; }}\n");
    let answer = answer(&with(""), &with("restrict"));
    assert_eq!(answer, Answer::Same([evidence::Assumption::NoAliases].into()));
    let answer = self::answer(&with("restrict"), &with(""));
    assert_eq!(answer, Answer::Same(Default::default()));
    let with = |of: &str| format!("{of} int f(int *p) {{ return p ? *p : 0; }}\n");
    not_same(&with(""), &with("__attribute__((nonnull))"));
}

#[test]
fn values_are_passed_alike() {
    let with =
        |parts: &str, body: &str| format!("{parts}\nint printf(const char *, ...);\nint f(double *d) {{ {body} }}\n");
    not_same(&with("", "return printf(\"%ld\", *(long *)d);"), &with("", "return printf(\"%ld\", *d);"));
    let of = |ty: &str| format!("{ty} f({ty} *p, {ty} x) {{ return *p = x; }}\n");
    not_same(&of("int"), &of("float"));
    not_same(&of("float"), &of("int"));
}

#[test]
fn what_a_callee_does_counts() {
    let pair = |old: &str, new: &str, body: &str| {
        let with = |callee: &str| format!("static int k(int *p) {{ {callee} }}\nint f(int *p, int n) {{ {body} }}\n");
        (with(old), with(new))
    };
    let (old, new) = pair("*p = *p + 1; return 0;", "*p += 1; return 0;", "return k(p) + n;");
    let (old, new) = (old, new.replace("return k(p) + n;", "return n + k(p);"));
    same(&old, &new);
    let (old, new) = pair("*p = *p + 1; return 0;", "*p += 2; return 0;", "return k(p) + n;");
    let (old, new) = (old, new.replace("return k(p) + n;", "return n + k(p);"));
    not_same(&old, &new);
    // Through a pointer.
    let with = |callee: &str, body: &str| {
        format!("static int k(int v) {{ return {callee}; }}\nint (*t)(int) = k;\nint f(int n) {{ {body} }}\n")
    };
    same(&with("v + 1", "return t(n) + n;"), &with("1 + v", "return n + t(n);"));
    not_same(&with("v + 1", "return t(n) + n;"), &with("v + 2", "return n + t(n);"));
}

#[test]
fn what_is_called_back_counts() {
    let with = |compared: &str, size: &str, sort: &str| {
        format!(
            "void {sort}(void *, unsigned long, unsigned long, int (*)(const void *, const void *));\n\
             static int c(const void *a, const void *b) {{ return {compared}; }}\n\
             void f(int *v, int n) {{ {sort}(v, {size}, 4, c); }}\n"
        )
    };
    let (old, new) = ("*(int *)a < *(int *)b", "*(int *)b > *(int *)a");
    for sort in ["qsort", "sort_somehow"] {
        same(&with(old, "n + n", sort), &with(new, "2 * n", sort));
        not_same(&with(old, "n + n", sort), &with("*(int *)b < *(int *)a", "2 * n", sort));
    }
}

#[test]
fn what_is_called_through_pointers_deep_below_counts() {
    // `f` calls what did not change, which calls what did not change, which calls through a pointer.
    let chain = |by: i32, sum: &str| {
        format!(
            "static int k(int n) {{ return n + {by}; }}\nint (*reg(void))(int) {{ return k; }}\n\
             static int c(int (*cb)(int), int n) {{ return cb(n); }}\n\
             static int b(int (*cb)(int), int n) {{ return c(cb, n + 1); }}\n\
             static int a(int (*cb)(int), int n) {{ return b(cb, n + 1); }}\n\
             int f(int (*cb)(int), int n) {{ return {sum}; }}\n"
        )
    };
    same(&chain(1, "a(cb, n) + n"), &chain(1, "n + a(cb, n)"));
    not_same(&chain(1, "a(cb, n) + n"), &chain(2, "n + a(cb, n)"));
    // The same, where what differs calls what it is called by.
    let cycle = |by: i32, sum: &str| {
        format!(
            "static int a(int (*cb)(int), int n);\nstatic int k(int n) {{ return n > 0 ? a(k, n - 1) + {by} : 0; }}\n\
             int (*reg(void))(int) {{ return k; }}\nstatic int b(int (*cb)(int), int n) {{ return cb(n + 1); }}\n\
             static int a(int (*cb)(int), int n) {{ return n > 5 ? b(cb, n + 1) : 1; }}\n\
             int f(int (*cb)(int), int n) {{ return {sum}; }}\n"
        )
    };
    same(&cycle(1, "a(cb, n) + n"), &cycle(1, "n + a(cb, n)"));
    not_same(&cycle(1, "a(cb, n) + n"), &cycle(2, "n + a(cb, n)"));
    // Through a pointer of another type: undefined, and said.
    let typed = |by: i32, sum: &str| {
        format!(
            "static int k(int *p) {{ return *p += {by}; }}\nvoid (*reg(void))(int *) {{ return (void (*)(int *))k; }}\n\
             int f(void (*cb)(int *), int *p, int n) {{ cb(p); return {sum}; }}\n"
        )
    };
    let answer = answer(&typed(1, "*p + n"), &typed(2, "n + *p"));
    assert_eq!(answer, Answer::Same([evidence::Assumption::FunctionTypes].into()));
}

#[test]
fn members_of_a_cycle_that_differ_are_assumed_by_no_other() {
    let with = |f: i32, g: i32| {
        format!(
            "int out(int); int g(int n);\n\
             int f(int n) {{ if (n <= 0) return 0; if (n == 7) out({f}); return g(n - 1) + 1; }}\n\
             int g(int n) {{ if (n <= 0) return 0; if (n == 3) out({g}); return f(n - 1) + 1; }}\n"
        )
    };
    // f(4) calls g(3), which differs: the change of `f` is not confined to n == 7.
    let answer = answer(&with(1, 1), &with(2, 2));
    let Answer::Confined(locals, _) = &answer else { panic!("{answer:?}") };
    assert!(locals.iter().any(|local| local.effect == Effect::Callee || local.condition == "n > 0"), "{answer:?}");
    // Those that do the same do so together, whatever else belongs to the cycle.
    let three = |sum: &str, by: i32| {
        format!(
            "int g(int n); int k(int n);\nint f(int n) {{ if (n <= 0) return 0; return {sum}; }}\n\
             int g(int n) {{ return f(n - 1) + 1; }}\n\
             int k(int n) {{ return n > 0 ? f(n) + g(n) + {by} : k(f(n)); }}\n"
        )
    };
    same(&three("g(n) + n", 1), &three("n + g(n)", 2));
    let calling = |sum: &str, by: i32| three(sum, by).replace("f(n - 1) + 1", "f(n - 1) + (n == 9 ? k(n) : 1)");
    not_same(&calling("g(n) + n", 1), &calling("n + g(n)", 2));
}

#[test]
fn what_callees_assume_of_the_outside_is_said() {
    let with = |by: i32, sum: &str| {
        format!(
            "int ext(int); int k(int n) {{ return n + {by}; }}\nstatic int c(int n) {{ return ext(n); }}\n\
             int f(int n) {{ return {sum}; }}\n"
        )
    };
    let answer = answer(&with(1, "c(n) + n"), &with(2, "n + c(n)"));
    let Answer::Same(assumptions) = &answer else { panic!("{answer:?}") };
    let is_said = |one: &evidence::Assumption| matches!(one, evidence::Assumption::OutsideAnswers { .. });
    assert!(assumptions.iter().any(is_said), "{answer:?}");
}

#[test]
fn what_is_reached_by_other_names_counts() {
    let with = |by: i32, head: &str, body: &str| {
        format!("int g(int);\n{}\nint f(int n) {{ {body} }}\n", head.replace('@', &by.to_string()))
    };
    // By another name of the function.
    let alias =
        "int k(int n) { return n + @; }\nint k2(int) __attribute__((alias(\"k\")));\nstatic int (*t)(int) = k2;";
    not_same(&with(1, alias, "return t(n) + n;"), &with(2, alias, "return n + t(n);"));
    // In the contents of a variable.
    let variable = "static int x0 = @; static int *x1 = &x0;";
    not_same(&with(1, variable, "return *x1 + n;"), &with(2, variable, "return n + *x1;"));
    // When the program ends.
    let handler = "void exit(int); int atexit(void (*)(void)); int puts(const char *);\n\
                   static void k(void) { puts(\"@\"); }\nvoid reg(void) { atexit(k); }";
    not_same(&with(1, handler, "exit(n + n);"), &with(2, handler, "exit(2 * n);"));
    let handler = handler.replace("void exit(int);", "void errx(int, const char *, ...);");
    not_same(&with(1, &handler, "errx(n + n, \"x\");"), &with(2, &handler, "errx(2 * n, \"x\");"));
    // From elsewhere: an assumption.
    let exported = "int k(int n) { return n + @; }";
    let answer = answer(&with(1, exported, "return g(n) + n;"), &with(2, exported, "return n + g(n);"));
    let Answer::Same(assumptions) = &answer else { panic!("{answer:?}") };
    let is_said = |one: &evidence::Assumption| matches!(one, evidence::Assumption::OutsideAnswers { .. });
    assert!(assumptions.iter().any(is_said), "{answer:?}");
}

#[test]
fn private_locals_are_told_by_code_not_by_terms() {
    let with = |body: &str| format!("static char CG[16];\nint f(char *c, int n) {{ {body} }}\n");
    not_same(
        &with("char a[16]; a[0] = 0; a[c - CG] = 1; return a[0];"),
        &with("char a[16]; a[0] = 0; a[c - CG] = 1; return 0;"),
    );
    not_same(
        &with("char a[8]; a[2] = 0; a[c == CG ? 2 : 5] = 1; return a[2];"),
        &with("char a[8]; a[2] = 0; a[c == CG ? 2 : 5] = 1; return 0;"),
    );
}

#[test]
fn copies_that_overlap_are_moves() {
    let with = |copy: &str| {
        format!(
            "void *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long);\n\
             void f(char *p, char *q) {{ {copy}(p, q, 24); }}\n"
        )
    };
    not_same(&with("memmove"), &with("memcpy"));
    same(&with("memcpy"), &with("memmove"));
}

#[test]
fn widening_belongs_to_the_interface() {
    let of = |ty: &str, body: &str| format!("{ty} f(int n) {{ return {body}; }}\n");
    not_same(&of("signed char", "n + 0"), &of("unsigned char", "n"));
}

#[test]
fn recursion_is_matched_call_by_call() {
    let one = |body: &str| format!("int f(int n) {{ {body} }}\n");
    same(&one("if (n <= 0) return 0; return f(n - 1) + n;"), &one("return n > 0 ? n + f(n - 1) : 0;"));
    // Whatever is claimed of f itself must not be used to leave a call out.
    not_same(&one("return f(n);"), &one("return 0;"));
    not_same(&one("if (n <= 0) return 0; return f(n - 1);"), &one("if (n <= 0) return 0; return f(n - 2);"));
}

/// Queries of a second or more stop when time is up, too.
#[test]
fn large_functions_take_their_time_and_no_more() {
    let with = |added: i32| {
        let call = |at: i32| format!("if (n & {}) r += k({at}, p); else p[r & 7] += r;\n", 1 << (at % 20));
        let body: String = (0..300).map(call).collect();
        f(&format!("int r = 0; {body} return r + {added};")).replace("int g(int);", "int g(int); int k(int, int *);")
    };
    let (old, new) = (module(&with(1)), module(&with(2)));
    let changes = compare(&old, &new);
    let options = Options { time: std::time::Duration::from_secs(2), ..Options::default() };
    let begun = std::time::Instant::now();
    summarise(&old, &new, &changes, &Default::default(), &options);
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn a_change_is_confined_to_a_condition() {
    let old = f("int t = 0; for (int i = 0; i < n; i++) { t += p[i]; } return t;");
    let new = f("int t = 0; for (int i = 0; i < n; i++) { if (p[i] == 13) g(i); t += p[i]; } return t;");
    let answer = answer(&old, &new);
    let Answer::Confined(locals, _) = &answer else { panic!("{answer:?}") };
    assert_eq!(locals.len(), 1, "{answer:?}");
    // Code before the loop and behind it is proved unaffected.
    assert!(["p[i] == 13", "i < n"].contains(&locals[0].condition.as_str()), "{answer:?}");
}

#[test]
fn calls_that_part_leave_what_follows_unaffected() {
    let with = |by: i32, rest: &str| f(&format!("if (n > 3) g({by}); for (int i = 0; i < n; i++) h(p + i); {rest}"));
    // What is called afterwards, in other memory as far as is known, is the same but for that.
    let parted = answer(&with(1, "g(9); return g(n);"), &with(2, "g(9); return g(n);"));
    let Answer::Confined(locals, _) = &parted else { panic!("{parted:?}") };
    assert_eq!(locals.iter().map(|local| &*local.condition).collect::<Vec<_>>(), ["n > 3"], "{parted:?}");
    assert_eq!((&*locals[0].old, &*locals[0].new), ("calls g(1)", "calls g(2)"));
    // A difference behind it is told as well.
    let parted = answer(&with(1, "return g(n);"), &with(2, "if (n == 9) g(4); return g(n);"));
    let Answer::Confined(locals, _) = &parted else { panic!("{parted:?}") };
    assert!(locals.iter().any(|local| local.condition.contains("n == 9")), "{parted:?}");
    // Of a call that is always made differently, that is all that can be said.
    let parted = answer(&f("g(1); return n;"), &f("g(2); return n;"));
    let Answer::Confined(locals, _) = &parted else { panic!("{parted:?}") };
    assert!(locals.iter().any(|local| local.always), "{parted:?}");
    // A place where versions always part need not be reached: other exits are compared, too.
    let parted = answer(&f("while (n > 5) { g(1); n--; } return 1;"), &f("while (n > 5) { g(2); n--; } return 2;"));
    let Answer::Confined(locals, _) = &parted else { panic!("{parted:?}") };
    assert!(locals.iter().any(|local| local.always || local.condition == "n <= 5"), "{parted:?}");
}

#[test]
fn literals_hold_what_they_hold() {
    same(&f("return \"1.3\"[0] == '1' ? n : 0;"), &f("return \"1.4\"[0] == '1' ? n : 0;"));
    same(&f("return \"x\" ? n : 0;"), &f("return n;"));
    same(&f("int a; h(&a); return &a == 0 ? 1 : a;"), &f("int a; h(&a); return a;"));
    not_same(&f("return \"1.3\"[2] == '3' ? n : 0;"), &f("return \"1.4\"[2] == '3' ? n : 0;"));
    not_same(&f("return &s->b ? n : 0;"), &f("return n;"));
}

#[test]
fn addresses_computed_from_others_are_not_those_of_an_object() {
    let with = |body: &str| f(body).replace("int f(", "int a[4], b[4];\nint f(");
    not_same(&with("a[p - a] = 1; b[0] = 2; return 0;"), &with("b[0] = 2; a[p - a] = 1; return 0;"));
    same(&with("a[n] = 1; b[0] = 2; return 0;"), &with("b[0] = 2; a[n] = 1; return 0;"));
}

#[test]
fn conditions_are_exact_only_where_versions_certainly_part() {
    // A fault that may appear is no difference that certainly does.
    let parted = answer(&f("int t = 0; if (n) t = *p; return t;"), &f("int t = *p; if (!n) t = 0; return t;"));
    let Answer::Confined(locals, _) = &parted else { panic!("{parted:?}") };
    assert!(locals.iter().all(|local| !local.exact), "{parted:?}");
    // Loops of another shape may do the same.
    let [old, new] = ["while (n) { t++; n >>= 1; }", "do { t++; n >>= 1; } while (n);"];
    let parted = answer(&f(&format!("int t = 0; {old} return t;")), &f(&format!("int t = 0; {new} return t;")));
    if let Answer::Confined(locals, _) = &parted {
        assert!(locals.iter().all(|local| !local.exact), "{parted:?}");
    }
}

#[test]
fn what_comes_later_does_not_stand_for_what_parts_before() {
    let conditions = |old: &str, new: &str| {
        let parted = answer(&f(old), &f(new));
        let Answer::Confined(locals, _) = parted else { panic!("{old}\n{new}\n{parted:?}") };
        locals.into_iter().map(|local| (local.condition, local.always)).collect::<Vec<_>>()
    };
    // A division by zero comes before the call now, which is never reached then.
    let found = conditions("g(1); int r = 7 / n; return r;", "int r = 7 / n; g(2); return r;");
    assert!(found.iter().any(|(condition, _)| condition == "n == 0"), "{found:?}");
    // The first call need not come back, and the write may fault.
    let found = conditions("if (p) g(1); *q = 1; return 3;", "if (p) g(2); *q = 1; return 4;");
    assert!(found.iter().any(|(condition, _)| condition == "p != NULL"), "{found:?}");
    assert!(found.iter().any(|(_, always)| *always), "{found:?}");
    let found = conditions("int a = *p, b = *q; g(a & 1); return a;", "int a = *p, b = *q; g(b & 1); return b;");
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn values_that_are_still_to_be_used_need_not_part() {
    let with = |from: &str| f(&format!("int k = {from}; for (int i = 0; i < n; i++) k = k & 0; return n > 0 ? k : 0;"));
    if let Answer::Confined(locals, _) = answer(&with("*p"), &with("*q")) {
        assert!(locals.iter().all(|local| !local.exact), "{locals:?}");
    }
    // A function of the program may do the same with other arguments.
    let with = |of: &str| {
        format!(
            "int out(int);\nint h(int v) {{ for (int i = 0; i < 3; i++) out(i); return v & 0; }}\nint f(int a, int b) {{ return h({of}); }}\n"
        )
    };
    if let Answer::Confined(locals, _) = answer(&with("a"), &with("b")) {
        assert!(locals.iter().all(|local| !local.exact), "{locals:?}");
    }
}
