//! What both versions really do: a native driver that runs them side by side.
//!
//! Both sources are compiled into one program, the old one with other names. A fault is an outcome; an index beyond what
//! a caller promises makes an input invalid, and it is left out.

use super::generate::{Function, Param};
use std::fmt::Write;

/// Elements behind a pointer that the driver has.
pub const ELEMENTS: u64 = 8;

/// Names that both sources define beside their functions.
const SHARED: [&str; 20] = [
    "S", "g0", "g1", "g2", "ga", "gb", "gs", "st", "ct", "first", "second", "third", "fourth", "tab", "var", "use_var",
    "hooked", "f", "h", "e",
];

const SUPPORT: &str = r#"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ORACLE
static sigjmp_buf jump;
/* Whether the last check left an array of the input: what happens then, only memory with guards can tell. */
static int unknown;
static long oracle_given(long i, long n) { if (i < 0 || i >= n) siglongjmp(jump, 100); return i; }
static long oracle_own(long i, long n) { if (i < 0 || i >= n) siglongjmp(jump, 2); return i; }
static void on_signal(int number) { siglongjmp(jump, number == SIGFPE || number == SIGILL ? 3 : 1); }
static unsigned long seed = 88172645463325252UL;
static unsigned long number(void) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed; }
static unsigned long value(void) {
    static const long edges[] = {0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 99, 100, 101, 126, 127, 128, 129, 254, 255,
        256, 257, 999, 1000, 1001, 32766, 32767, 32768, 65534, 65535, 65536, 65537, 2147483646, 2147483647, 2147483648,
        4294967294, 4294967295, 4294967296, 1L << 40, 9223372036854775807L};
    unsigned long pick = number() >> 20;
    switch (pick & 7) {
    case 0: return number();
    case 1: case 2: return (pick >> 3) % 20;
    case 3: return -((pick >> 3) % 20);
    case 4: return -edges[(pick >> 3) % (sizeof edges / sizeof *edges)];
    case 5: return number() >> ((pick >> 3) & 63);
    default: return edges[(pick >> 3) % (sizeof edges / sizeof *edges)];
    }
}
static double real(void) {
    static const double edges[] = {0.0, -0.0, 0.5, 1.0, -1.0, 2.0, 3.5, 100.0, 255.0, 1e10, -1e30, 1e300};
    unsigned long pick = number() >> 20;
    if (pick & 1) return edges[(pick >> 1) % (sizeof edges / sizeof *edges)];
    return (double)(long)value() / (1 + (pick >> 1) % 16);
}
/* A weak function that is there or not, and what it was called with. */
static unsigned long hook_calls;
static int hook_there(int a, int b) { hook_calls = hook_calls * 31 + a * 7u + b + 1; return a * 5 - b; }
static int (*oracle_hook)(int, int);
static int rare(void) { return (number() >> 20) % 16 == 0; }
"#;

/// The C text of a driver for some functions. `witnesses` are assignments for single functions, by position; without
/// one, a function is run on random inputs. It prints a line for every function that differs.
pub fn driver(functions: &[Function], witnesses: &[(usize, Vec<(String, String)>)]) -> String {
    let mut out = SUPPORT.to_owned();
    for version in ["old", "new"] {
        let rename = |out: &mut String, undo: bool| {
            let mut each = |name: &str| {
                let _ = if undo {
                    writeln!(out, "#undef {name}")
                } else {
                    writeln!(out, "#define {name} {version}_{name}")
                };
            };
            SHARED.iter().filter(|name| !matches!(**name, "f" | "h" | "e")).for_each(|name| each(name));
            for function in functions {
                each(&format!("f{}", function.number));
                each(&format!("h{}", function.number));
            }
        };
        rename(&mut out, false);
        let _ = writeln!(out, "#include \"{version}.c\"");
        rename(&mut out, true);
    }
    let _ = writeln!(out, "#define S new_S");
    functions.iter().for_each(|function| one(&mut out, function));
    out.push_str(
        "int main(void) {\n    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};\n",
    );
    out.push_str("    sigaction(SIGFPE, &action, 0); sigaction(SIGILL, &action, 0); sigaction(SIGSEGV, &action, 0); sigaction(SIGBUS, &action, 0);\n");
    if witnesses.is_empty() {
        for function in functions {
            let k = function.number;
            let _ = writeln!(
                out,
                "    for (int i = 0; i < 4000; i++) {{ struct in{k} in; random{k}(&in); if (check{k}(&in)) break; }}"
            );
        }
    }
    for (k, assignments) in witnesses {
        let _ = writeln!(out, "    {{ struct in{k} in; memset(&in, 0, sizeof in); start{k}(&in);");
        for (name, value) in assignments {
            witness(&mut out, &functions[*k], name, value);
        }
        let _ = writeln!(out, "    if (!check{k}(&in) && !unknown) printf(\"f{k} agrees\\n\"); }}");
    }
    out.push_str("    return 0;\n}\n");
    out
}

/// An assignment as the tool names it.
fn witness(out: &mut String, function: &Function, name: &str, value: &str) {
    let base: String = name.trim_start_matches('*').chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
    if name == "&hook" {
        let _ = writeln!(out, "        in.hook = {};", u32::from(value != "NULL"));
        return;
    }
    if value == "NULL" {
        let _ = writeln!(out, "        in.{base}_null = 1;");
        return;
    }
    if value == "any memory" || name.contains('<') {
        return;
    }
    let param = base.strip_prefix('x').and_then(|n| n.parse::<usize>().ok()).map(|n| function.params[n]);
    if param == Some(Param::Text) {
        let _ = writeln!(out, "        memcpy(in.{base}, {value}, sizeof {value});");
        return;
    }
    let place = if param == Some(Param::StructPointer) {
        format!("(&in.{base}){}", &name[base.len()..])
    } else if let Some(rest) = name.strip_prefix('*') {
        format!("*in.{rest}")
    } else {
        format!("in.{name}")
    };
    // The least numbers have no literals.
    let value =
        if value == "-9223372036854775808" { "(-9223372036854775807L - 1)".to_owned() } else { value.to_owned() };
    let value = if value.contains("NaN") || value.contains("nan") { "__builtin_nan(\"\")".to_owned() } else { value };
    let value = match value.as_str() {
        "+oo" | "inf" => "__builtin_inf()".to_owned(),
        "-oo" | "-inf" => "-__builtin_inf()".to_owned(),
        _ => value,
    };
    let _ = writeln!(out, "        {place} = {value};");
}

const FIELDS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

fn one(out: &mut String, function: &Function) {
    let k = function.number;
    // What is given.
    let _ = writeln!(out, "struct in{k} {{");
    for (i, param) in function.params.iter().enumerate() {
        let _ = match param {
            Param::Number(ty) => writeln!(out, "    {} x{i};", ty.name()),
            Param::Pointer(ty) => writeln!(out, "    {} x{i}[8]; int x{i}_null;", ty.name()),
            Param::StructPointer => writeln!(out, "    struct S x{i}; int x{i}_null;"),
            Param::Struct => writeln!(out, "    struct S x{i};"),
            Param::Text => writeln!(out, "    char x{i}[9]; int x{i}_null;"),
        };
    }
    out.push_str(
        "    int g0; unsigned char g1; long g2; short ga[8]; unsigned short gb[4]; struct S gs; int hook;\n};\n",
    );
    let _ = writeln!(out, "static void start{k}(struct in{k} *in) {{");
    out.push_str("    in->g0 = 5; in->g2 = -1; for (int i = 0; i < 4; i++) in->gb[i] = i + 1;\n}\n");
    let fill_struct = |out: &mut String, place: &str| {
        for field in FIELDS {
            let _ = writeln!(out, "    {place}.{field} = value();");
        }
        let _ = writeln!(out, "    for (int i = 0; i < 4; i++) {place}.r[i] = value();");
    };
    let _ = writeln!(out, "static void random{k}(struct in{k} *in) {{\n    memset(in, 0, sizeof *in);");
    for (i, param) in function.params.iter().enumerate() {
        let _ = match param {
            Param::Number(ty) if ty.is_int() => writeln!(out, "    in->x{i} = value();"),
            Param::Number(_) => writeln!(out, "    in->x{i} = real();"),
            Param::Pointer(_) => {
                writeln!(out, "    for (int i = 0; i < 8; i++) in->x{i}[i] = value();\n    in->x{i}_null = rare();")
            }
            Param::Text => {
                writeln!(out, "    for (int i = 0; i < 8; i++) in->x{i}[i] = value();\n    in->x{i}_null = rare();")
            }
            Param::Struct | Param::StructPointer => {
                fill_struct(out, &format!("in->x{i}"));
                Ok(())
            }
        };
        if *param == Param::StructPointer {
            let _ = writeln!(out, "    in->x{i}_null = rare();");
        }
    }
    out.push_str("    in->g0 = value(); in->g1 = value(); in->g2 = value(); in->hook = number() & 1;\n");
    out.push_str(
        "    for (int i = 0; i < 8; i++) in->ga[i] = value();\n    for (int i = 0; i < 4; i++) in->gb[i] = value();\n",
    );
    fill_struct(out, "in->gs");
    out.push_str("}\n");
    // Both versions on it.
    let _ = writeln!(out, "static int check{k}(struct in{k} *in) {{");
    for version in ["old", "new"] {
        let _ = writeln!(out, "    static struct in{k} {version}; {version} = *in; volatile long {version}_r = 0;");
        for global in ["g0", "g1", "g2"] {
            let _ = writeln!(out, "    {version}_{global} = in->{global};");
        }
        for global in ["ga", "gb", "gs"] {
            let _ = writeln!(out, "    memcpy(&{version}_{global}, &in->{global}, sizeof in->{global});");
        }
        let arguments: Vec<String> = function
            .params
            .iter()
            .enumerate()
            .map(|(i, param)| match param {
                Param::Number(_) => format!("{version}.x{i}"),
                Param::Struct => format!("*(struct {version}_S *)&{version}.x{i}"),
                Param::StructPointer => format!("{version}.x{i}_null ? 0 : (struct {version}_S *)&{version}.x{i}"),
                _ => format!("{version}.x{i}_null ? 0 : {version}.x{i}"),
            })
            .collect();
        let _ = writeln!(out, "    oracle_hook = in->hook ? hook_there : 0; hook_calls = 0;");
        let call = format!("{version}_f{k}({})", arguments.join(", "));
        let call = if function.result.is_some() { format!("{version}_r = (long){call}") } else { call };
        let _ = writeln!(out, "    volatile int {version}_end = sigsetjmp(jump, 1); if (!{version}_end) {{ {call}; }}");
        let _ = writeln!(out, "    unsigned long {version}_calls = hook_calls;");
        // What was never given back stays as it was.
        for global in ["g0", "g1", "g2"] {
            let _ = writeln!(out, "    {version}.{global} = {version}_{global};");
        }
        for global in ["ga", "gb", "gs"] {
            let _ = writeln!(out, "    memcpy(&{version}.{global}, &{version}_{global}, sizeof in->{global});");
        }
    }
    let say = |what: &str| {
        format!(
            "{{ printf(\"f{k} differs in {what}: %ld %ld, ends %d %d; in:\", old_r, new_r, old_end, new_end); goto differs; }}"
        )
    };
    let _ = writeln!(out, "    unknown = old_end == 100 || new_end == 100;\n    if (unknown) return 0;");
    let _ = writeln!(out, "    if (old_end != new_end) {}", say("end"));
    let _ = writeln!(out, "    if (old_calls != new_calls) {}", say("calls"));
    let _ = writeln!(out, "    if (old_end) return 0;\n    if (old_r != new_r) {}", say("result"));
    let compare_struct = |out: &mut String, place: &str| {
        for field in FIELDS {
            let _ = writeln!(
                out,
                "    if (old.{place}.{field} != new.{place}.{field}) {}",
                say(&format!("{place}.{field}"))
            );
        }
        let _ = writeln!(out, "    if (memcmp(old.{place}.r, new.{place}.r, 16)) {}", say(&format!("{place}.r")));
    };
    for (i, param) in function.params.iter().enumerate() {
        match param {
            Param::Pointer(_) | Param::Text => {
                let _ = writeln!(out, "    if (memcmp(old.x{i}, new.x{i}, sizeof old.x{i})) {}", say(&format!("x{i}")));
            }
            Param::StructPointer => compare_struct(out, &format!("x{i}")),
            _ => {}
        }
    }
    for global in ["g0", "g1", "g2"] {
        let _ = writeln!(out, "    if (old.{global} != new.{global}) {}", say(global));
    }
    for global in ["ga", "gb"] {
        let _ = writeln!(out, "    if (memcmp(old.{global}, new.{global}, sizeof old.{global})) {}", say(global));
    }
    compare_struct(out, "gs");
    out.push_str("    return 0;\ndiffers:\n");
    for (i, param) in function.params.iter().enumerate() {
        let _ = match param {
            Param::Number(ty) if ty.is_int() => writeln!(out, "    printf(\" x{i}=%ld\", (long)in->x{i});"),
            Param::Number(_) => writeln!(out, "    printf(\" x{i}=%a\", (double)in->x{i});"),
            Param::Struct => writeln!(out, "    printf(\" x{i}=struct\");"),
            Param::StructPointer => writeln!(out, "    printf(\" x{i} null %d\", in->x{i}_null);"),
            _ => writeln!(
                out,
                "    printf(\" x{i} null %d:\", in->x{i}_null); for (int i = 0; i < 8; i++) printf(\" %ld\", (long)in->x{i}[i]);"
            ),
        };
    }
    out.push_str("    printf(\" g0=%d g1=%d g2=%ld hook=%d\\n\", in->g0, in->g1, in->g2, in->hook); return 1;\n}\n");
}
