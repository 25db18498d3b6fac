//! Programs of unknown input: all paths are enumerated; every input, of a path or made up, belongs to exactly one path,
//! which says what the program natively prints and returns.

use crate::native::{module_of, native_of};
use exec::case::FaultKind;
use exec::entry::{Bytes, Entry, Shell};
use exec::program::{Options, Program};
use exec::run::Worker;
use exec::state::{ChoiceKind, Effect, End, State, Stop};
use exec::step::execute;
use exec::value::Value;
use smt::eval::{Evaluator, Model};
use smt::expr::{Expr, Op};
use smt::solver::Limits;
use smt::solver::chain::{Chain, Path};

struct Ended {
    path: Path,
    /// What it printed and returned; `None` for anything but a return.
    outcome: Option<(Vec<Expr>, Expr)>,
    end: End,
}

/// Runs `body` with `buf` holding `length` unknown bytes and a zero; how many paths there are.
#[track_caller]
fn check(length: u64, alphabet: &[u8], body: &str) -> usize {
    let source = format!(
        "#define _GNU_SOURCE\n#include <ctype.h>\n#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <strings.h>\n#include <unistd.h>\nint main(void) {{ char buf[{}] = {{0}}; \
         read(0, buf, {length}); {body} }}",
        length + 1
    );
    check_program(length, alphabet, &source)
}

#[track_caller]
fn check_program(length: u64, alphabet: &[u8], source: &str) -> usize {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("program.c");
    std::fs::write(&file, source).unwrap();
    let program = Program::new(module_of(&file, dir.path()), Options::default());
    let run = native_of(&file, dir.path());
    let (ended, worker) = explore(&program, length);
    let input_of = |model: &Model| -> Vec<u8> {
        (0..length).map(|at| symbol(&worker, at).map_or(0, |id| model.small(id) as u8)).collect()
    };
    let mut inputs: Vec<Vec<u8>> = ended.iter().take(20).map(|ended| input_of(&ended.path.values)).collect();
    let mut random = 7u64;
    for _ in 0..15 {
        let mut input = Vec::new();
        for _ in 0..length {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            input.push(alphabet[(random >> 33) as usize % alphabet.len()]);
        }
        inputs.push(input);
    }
    for input in inputs {
        let mut model = Model::default();
        for (at, &byte) in input.iter().enumerate() {
            if let Some(id) = symbol(&worker, at as u64) {
                model.set_small(id, byte.into());
            }
        }
        let mut evaluator = Evaluator::new(&worker.pool, &model);
        let mut holds = |ended: &&Ended| ended.path.constraints.iter().all(|&c| evaluator.holds(c) == Some(true));
        let fitting: Vec<&Ended> = ended.iter().filter(|ended| holds(ended)).collect();
        assert_eq!(fitting.len(), 1, "paths of input {input:?}\n{source}");
        let (out, code) = run(&input);
        let Some((printed, returned)) = &fitting[0].outcome else {
            assert_eq!(code, None, "{:?} for {input:?}\n{source}", fitting[0].end);
            continue;
        };
        let mut evaluator = Evaluator::new(&worker.pool, &model);
        let printed: Vec<u8> = printed.iter().map(|&byte| evaluator.small(byte).unwrap() as u8).collect();
        let returned = evaluator.small(*returned).map(|code| code as u8);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!((text(&printed), returned), (text(&out), code), "input {input:?}\n{source}");
    }
    ended.len()
}

/// Like [`check`]; besides paths that return there is one fault of a kind.
#[track_caller]
fn check_fault(body: &str, kind: FaultKind) {
    let source = format!(
        "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
         int main(void) {{ char buf[2] = {{0}}; read(0, buf, 1); if (buf[0] == 'a') {{ {body} }} return 0; }}"
    );
    check_program(1, b"ab", &source);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("program.c");
    std::fs::write(&file, &source).unwrap();
    let program = Program::new(module_of(&file, dir.path()), Options::default());
    let (ended, _) = explore(&program, 1);
    let fault = |ended: &Ended| match ended.end {
        End::Fault { kind, .. } => Some(kind),
        _ => None,
    };
    let faults: Vec<FaultKind> = ended.iter().filter_map(fault).collect();
    assert_eq!(faults, [kind], "{source}");
}

/// The symbol of a byte of standard input, if it was looked at.
fn symbol(worker: &Worker, at: u64) -> Option<smt::expr::SymbolId> {
    let objects = &worker.inputs.objects;
    let stdin = objects.iter().position(|object| object.name == "stdin")?;
    let leaf = worker.inputs.leaf_at(exec::inputs::InputId(stdin as u32), at)?;
    let exec::inputs::LeafValue::Bits(Expr::Term(id)) = leaf.value else { return None };
    match worker.pool.node(id).op {
        Op::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}

fn explore<'p>(program: &'p Program, length: u64) -> (Vec<Ended>, Worker<'p>) {
    let functions = &program.module.functions;
    let main = functions.iter_ids().map(|(id, _)| id).find(|&id| program.module.function_name(id) == "main").unwrap();
    let argv = vec![Bytes::Known(b"program".to_vec())];
    let shell = Shell { argv, stdin: Bytes::Unknown(length), ..Shell::default() };
    let mut worker = Worker::new(program, false);
    let mut solver = Chain::standard(Limits::default());
    let mut todo = vec![(State::new(program, Entry { function: main, shell: Some(shell.into()) }), Path::new())];
    let mut done = Vec::new();
    while let Some((mut state, path)) = todo.pop() {
        match execute(&mut worker, &mut state, 10_000_000) {
            Stop::Choose(choice) => {
                let count = if choice.kind == ChoiceKind::Assume { 1 } else { choice.conditions.len() };
                for side in (0..count).rev() {
                    let Some(path) = solver.extend(&worker.pool, &path, choice.conditions[side]).unwrap() else {
                        continue;
                    };
                    let mut state = state.clone();
                    state.answer(side as u32);
                    todo.push((state, path));
                }
            }
            Stop::End(end) => {
                let outcome = match &end {
                    End::Returned(Some(Value::Bits(code))) | End::Exited(code) => Some((printed(&state), *code)),
                    _ => None,
                };
                done.push(Ended { path, outcome, end });
            }
            Stop::Paused | Stop::Arrived => panic!("too long"),
        }
        assert!(done.len() < 5000, "too many paths");
    }
    (done, worker)
}

fn printed(state: &State) -> Vec<Expr> {
    let mut all = Vec::new();
    for effect in state.effects.to_vec() {
        if let Effect::Output { stream: 1, bytes } = effect {
            all.extend_from_slice(bytes);
        }
    }
    all
}

#[test]
fn lengths_and_copies() {
    let paths = [
        check(3, b"ab\0", "return strlen(buf);"),
        check(3, b"ab\0", "char to[8]; strcpy(to, buf); strcat(to, buf); puts(to); return strnlen(buf, 2);"),
        check(3, b"ab\0", "char to[4]; strncpy(to, buf, 4); return to[0] + to[3];"),
        check(
            2,
            b"ab",
            "char to[4]; memcpy(to, buf, 2); memmove(to + 1, to, 2); return to[1] == buf[0] && to[2] == buf[1];",
        ),
        check(
            1,
            b"\0\x01\x02\x03\x04",
            "char to[4] = {1, 1, 1, 1}; if (buf[0] > 4 || buf[0] < 0) return 9; memset(to, 7, buf[0]); return to[0] + to[2];",
        ),
        check(3, b"ab\0", "char *s = strdup(buf); int r = s[0] + 1; free(s); return r;"),
    ];
    assert_eq!(paths, [4, 4, 4, 1, 7, 4]);
}

#[test]
fn comparisons() {
    let paths = [
        check(2, b"ab\0", "return strcmp(buf, \"ab\");"),
        check(2, b"ab\0", "return strcmp(buf, buf + 1) < 0;"),
        check(2, b"abAB\0", "return strcasecmp(buf, \"ab\");"),
        check(2, b"ab\0", "return memcmp(buf, \"ab\", 2);"),
        check(2, b"ab\0", "return strncmp(buf, \"b\", 1);"),
    ];
    assert_eq!(paths, [3, 3, 3, 3, 2]);
}

#[test]
fn searches() {
    let paths = [
        check(3, b"ab\0", "char *p = strchr(buf, 'b'); return p ? p - buf : 9;"),
        check(3, b"ab\0", "char *p = strrchr(buf, 'b'); return p ? p - buf : 9;"),
        check(3, b"ab\0", "char *p = memchr(buf, 'b', 3); return p ? p - buf : 9;"),
        check(3, b"ab\0", "char *p = strstr(buf, \"ab\"); return p ? p - buf : 9;"),
        check(3, b"ab,\0", "return strcspn(buf, \",b\") * 4 + strspn(buf, \"ab\");"),
        check(
            3,
            b"ab,\0",
            "for (char *t = strtok(buf, \",\"); t; t = strtok(0, \",\")) printf(\"[%s]\", t); return 0;",
        ),
    ];
    assert_eq!(paths, [7, 10, 4, 7, 16, 15]);
}

#[test]
fn characters() {
    let paths = [
        check(1, b"aZ5 \n\xff", "return !!isalpha(buf[0]) + 2 * !!isdigit(buf[0]) + 4 * !!isspace(buf[0]);"),
        check(1, b"aZ5 \n\xff", "return toupper((unsigned char)buf[0]);"),
        check(1, b"aZ5 \n\xff", "int (*f)(int) = isalnum; return !!f(buf[0]);"),
    ];
    assert_eq!(paths, [1, 1, 1]);
}

#[test]
fn numbers() {
    let paths = [
        check(2, b"0123456789", "if (!isdigit(buf[0]) || !isdigit(buf[1])) return 0; return atoi(buf);"),
        check(2, b"01 +-x", "return atoi(buf) == 7;"),
        check(1, b"0123456789ab", "return strtol(buf, 0, 16);"),
        check(1, b"019.ein", "return strtod(buf, 0) == 3;"),
        check(2, b"\0\x01\xff", "int x = (buf[0] << 8) | (unsigned char)buf[1]; return abs(x) % 100;"),
    ];
    assert_eq!(paths, [3, 12, 8, 19, 1]);
}

#[test]
fn formatting() {
    let paths = [
        check(1, b"\0\x01\x0a\x7f\x80\xff", "return printf(\"%d\", buf[0]);"),
        check(
            1,
            b"\0\x01\x0a\x7f\x80\xff",
            "return printf(\"%5u|%-4x|%03o|%X\", buf[0] & 255, buf[0] & 255, buf[0] & 255, buf[0] & 255);",
        ),
        check(2, b"ab\0", "return printf(\"<%s>%c\", buf, buf[0]);"),
        check(2, b"ab\0", "char to[3]; int n = snprintf(to, 3, \"%s-\", buf); puts(to); return n;"),
    ];
    assert_eq!(paths, [7, 7, 3, 3]);
}

#[test]
fn streams() {
    let main = |body: &str| {
        format!("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {{ {body} }}")
    };
    let paths = [
        check_program(
            3,
            b"ab\n",
            &main("char l[8]; while (fgets(l, 8, stdin)) printf(\"[%s]\", l); return feof(stdin);"),
        ),
        check_program(2, b"ab\n", &main("int c, n = 0; while ((c = getchar()) != EOF) n += c == 'a'; return n;")),
        check_program(2, b"12 x", &main("int n = 7; int r = scanf(\"%d\", &n); printf(\"%d\", r); return n;")),
        check_program(
            3,
            b"ab c",
            &main("char w[8] = \"\"; int r = scanf(\"%7s\", w); printf(\"%d %s\", r, w); return 0;"),
        ),
    ];
    assert_eq!(paths, [21, 1, 12, 17]);
}

#[test]
fn faults() {
    check_fault("char *p = malloc(4); free(p); free(p);", FaultKind::DoubleFree);
    check_fault("char *p = malloc(4); free(p + 1);", FaultKind::InvalidFree);
    check_fault("free(buf);", FaultKind::InvalidFree);
    check_fault("assert(buf[0] != 'a');", FaultKind::Assertion);
    check_fault("abort();", FaultKind::Abort);
    check_fault("return strlen((char *)(long)buf[1]);", FaultKind::NullPointer);
    check_fault("fputs(\"x\", NULL);", FaultKind::NullPointer);
    check_fault("div(1, buf[1]);", FaultKind::Division);
}
