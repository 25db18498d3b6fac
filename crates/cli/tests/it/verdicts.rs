//! Random pairs of functions: whatever `pathshift diff` promises must hold when both versions really run.
//!
//! A pair is a random function and a rewrite of it that is meant to keep what it does, or a mutation. Whether it did, a
//! native driver says, which runs both on thousands of inputs. `same` must not differ there, and an input that is shown
//! for `different` must differ.

mod aliasing;
mod change;
mod generate;
mod oracle;
pub mod random;
mod tree;

use crate::support::{clang, full, must_run, pathshift, scratch};
use generate::Function;
pub use generate::PREAMBLE;
use random::Random;
use std::collections::BTreeMap;
use std::path::Path;

/// Functions in a pair of files.
const FUNCTIONS: usize = 12;

#[derive(Default)]
struct Tally {
    verdicts: BTreeMap<String, usize>,
    natively: BTreeMap<String, usize>,
    reasons: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

#[test]
fn verdicts_of_random_pairs_hold_natively() {
    let first: u64 = std::env::var("PATHSHIFT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let default = if full() { 40 } else { 2 };
    let count = std::env::var("PATHSHIFT_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(default);
    let mut tally = Tally::default();
    for seed in first..first + count {
        check_seed(seed, &mut tally);
        if (seed - first) % 50 == 49 {
            println!("until seed {seed}: {:?}, wrong: {:?}", tally.verdicts, tally.wrong);
        }
    }
    println!("verdicts: {:?}\nnatively: {:?}", tally.verdicts, tally.natively);
    let mut reasons: Vec<_> = tally.reasons.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    reasons.iter().take(25).for_each(|(reason, count)| println!("  {count:>4} {reason}"));
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

/// A random function and a change of it, without the preamble.
pub fn random_pair(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let function = generate::function(&mut random, 0);
    let mut other = function.clone();
    if random.chance(30) {
        change::rewrite(&mut other, &mut random);
    }
    if random.chance(80) {
        change::mutate(&mut other, &mut random);
    }
    (function.text(), other.text())
}

/// A random function and one edit of it, each a whole file.
pub fn seeded_regression(seed: u64) -> (String, String) {
    let mut random = Random::new(seed ^ 0x5eed);
    let function = generate::function(&mut random, 0);
    let mut other = function.clone();
    change::mutate(&mut other, &mut random);
    (format!("{PREAMBLE}{}", function.text()), format!("{PREAMBLE}{}", other.text()))
}

fn check_seed(seed: u64, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let mut old: Vec<Function> = Vec::new();
    let mut new: Vec<Function> = Vec::new();
    for number in 0..FUNCTIONS {
        let mut function = generate::function(&mut random, number);
        if random.chance(25) {
            generate::add_hook(&mut function, &mut random);
        }
        let mut other = function.clone();
        if random.chance(50) {
            change::rewrite(&mut other, &mut random);
        }
        if random.chance(45) || function.text() == other.text() {
            change::mutate(&mut other, &mut random);
        }
        old.push(function);
        new.push(other);
    }
    let dir = scratch();
    let kept = std::env::var_os("PATHSHIFT_KEEP").map(std::path::PathBuf::from);
    let dir = kept.as_deref().unwrap_or(dir.path()).join(seed.to_string());
    std::fs::create_dir_all(&dir).unwrap();
    write(&dir, "old.c", &old);
    write(&dir, "new.c", &new);
    // Without optimisation, too, clang makes nothing of a division of zero, whatever the divisor is: a trap makes sure.
    let natively = run_driver(&dir, "driver", &oracle::driver(&old, &[]), "integer-divide-by-zero");
    let mut diff = pathshift();
    diff.current_dir(&dir).args(["diff", "old.c", "new.c", "--format", "json", "--timeout", "3"]);
    // Native runs reserve more addresses than a limit on memory allows.
    let ran = diff.output().unwrap();
    std::fs::write(dir.join("diff.json"), &ran.stdout).unwrap();
    let result: serde_json::Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", String::from_utf8_lossy(&ran.stderr)));
    let mut witnesses = Vec::new();
    for row in result["functions"].as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let Some(number) = name.strip_prefix('f').and_then(|number| number.parse::<usize>().ok()) else { continue };
        // Compilers make nothing of constants that are divided by zero, and what runs then is not what the driver checks.
        let functions = [&old, &new].map(|version| version.iter().find(|function| function.number == number));
        if functions.into_iter().flatten().any(|function| has_constant_division(&function.text())) {
            continue;
        }
        let verdict = row["verdict"].as_str().unwrap();
        *tally.verdicts.entry(verdict.to_owned()).or_default() += 1;
        let differs = natively.lines().find(|line| line.starts_with(&format!("f{number} ")));
        let known = format!("{verdict}, {}", if differs.is_some() { "differs" } else { "agrees" });
        *tally.natively.entry(known).or_default() += 1;
        match (verdict, differs) {
            ("same" | "same_within_bounds", Some(line)) => {
                tally.wrong.push(format!("seed {seed}, {name} is called the same: {line}"))
            }
            ("different", _) => {
                let inputs = row["differences"][0]["inputs"].as_array().unwrap().iter();
                let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
                let inputs: Vec<_> = inputs.map(|input| (text(&input["name"]), text(&input["value"]))).collect();
                // Bytes without a name, those of bit-fields, cannot be said in a C driver, nor elements beyond those that it
                // has: an edit may ask for one. Nor can addresses: what they lead to has another name there.
                let is_beyond = |name: &str| {
                    let index = name.split_once('[').and_then(|(_, rest)| rest.split_once(']')?.0.parse::<u64>().ok());
                    index.is_some_and(|index| index >= oracle::ELEMENTS)
                };
                let can_say = |name: &str, value: &str| {
                    // Parameters are `x0` and so on, variables `g0`.
                    let is_address = value.starts_with(['&', 'x', 'g']) || name.starts_with("around ");
                    let fits = !is_beyond(name) && !is_address && characters(value) <= oracle::ELEMENTS;
                    // Nor what a weak function answers.
                    let answers = name.contains('(');
                    fits && !answers && (!name.contains("<byte ") || value == "0")
                };
                if inputs.iter().all(|(name, value)| can_say(name, value)) {
                    witnesses.push((number, inputs));
                }
            }
            ("undecided", _) => {
                for reason in row["undecided"].as_array().unwrap() {
                    *tally.reasons.entry(reason["reason"].as_str().unwrap().to_owned()).or_default() += 1;
                }
            }
            _ => {}
        }
    }
    if !witnesses.is_empty() {
        // An edit may shift too far, which a processor makes something of that may be right by chance; and where that is a
        // trap, both versions may end there though the builds differ. So it must agree either way to be wrong.
        let text = oracle::driver(&old, &witnesses);
        let checked = run_driver(&dir, "witness", &text, "integer-divide-by-zero,shift-exponent");
        let plain = run_driver(&dir, "witness", &text, "integer-divide-by-zero");
        for line in checked.lines().filter(|line| line.ends_with("agrees")) {
            if plain.lines().any(|other| other == line) {
                tally.wrong.push(format!("seed {seed}: the input that is shown for {line}"));
            }
        }
    }
}

/// Whether a constant is divided by the constant zero.
fn has_constant_division(text: &str) -> bool {
    text.match_indices(" / 0)").chain(text.match_indices(" % 0)")).any(|(at, _)| {
        let before = text[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric());
        text[before.len()..at].starts_with(|c: char| c.is_ascii_digit())
    })
}

/// How many characters a C literal stands for; anything else is none.
fn characters(value: &str) -> u64 {
    let Some(text) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return 0 };
    let (mut rest, mut count) = (text.chars(), 0);
    while let Some(character) = rest.next() {
        count += 1;
        // Numbers of characters have three digits, all other escapes one letter.
        if character == '\\' && rest.next().is_some_and(|escaped| escaped.is_ascii_digit()) {
            rest.by_ref().take(2).for_each(drop);
        }
    }
    count
}

fn write(dir: &Path, name: &str, functions: &[Function]) {
    let mut text = PREAMBLE.to_owned();
    functions.iter().for_each(|function| text.push_str(&function.text()));
    std::fs::write(dir.join(name), text).unwrap();
}

fn run_driver(dir: &Path, name: &str, text: &str, traps: &str) -> String {
    let source = dir.join(format!("{name}.c"));
    std::fs::write(&source, text).unwrap();
    let program = dir.join(name);
    let mut compile = clang(19, &["-O0", "-o", program.to_str().unwrap(), source.to_str().unwrap()]);
    compile.arg(format!("-fsanitize={traps}")).arg(format!("-fsanitize-trap={traps}"));
    compile.current_dir(dir);
    must_run(&compile);
    String::from_utf8_lossy(&must_run(&std::process::Command::new(program))).into_owned()
}

/// Pairs that were once called the same, or not decided without need; the verdict on `f`, and a part of its scope.
#[test]
fn verdicts_that_were_wrong_once() {
    let list = |extra: &str| {
        format!(
            "struct L {{ struct L *next; }};\n\
             int f(struct L *l) {{ int n = 0; while (l) {{ n++; {extra} l = l->next; }} return n; }}"
        )
    };
    let by_value = |body: &str| format!("struct S {{ long a, b, c; }};\nlong f(struct S s) {{ {body} }}");
    let pairs = [
        // A variable without `const` that nobody writes is as good as a constant.
        (
            "static int limit = 10; int f(int x) { return x > limit; }".to_owned(),
            "static int limit = 20; int f(int x) { return x > limit; }".to_owned(),
            "different",
            "",
        ),
        // One that others may write begins with something else.
        (
            "int limit = 10; int f(int x) { return x > limit; }".to_owned(),
            "int limit = 20; int f(int x) { return x > limit; }".to_owned(),
            "different",
            "",
        ),
        // Constants of the same name that say something else.
        (
            "static const char text[] = \"old\"; const char *f(void) { return text; }".to_owned(),
            "static const char text[] = \"new\"; const char *f(void) { return text; }".to_owned(),
            "different",
            "",
        ),
        (
            "void tell(const char *, int); void f(int x) { tell(\"old\", x); }".to_owned(),
            "void tell(const char *, int); void f(int x) { tell(\"new\", x); }".to_owned(),
            "different",
            "",
        ),
        // How long lists are at most is part of the scope, and what changed is not reached within it.
        (list(""), list("if (n == 7) return -1;"), "undecided", "pointers in a row"),
        // Nobody sees what becomes of a copy.
        (by_value("s.a += 1; return s.a + s.b;"), by_value("return s.a + s.b + 1;"), "same", ""),
    ];
    for (old, new, verdict, scope) in pairs {
        let dir = scratch();
        std::fs::write(dir.path().join("old.c"), &old).unwrap();
        std::fs::write(dir.path().join("new.c"), &new).unwrap();
        let mut diff = pathshift();
        diff.current_dir(dir.path()).args(["diff", "old.c", "new.c", "--function", "f", "--format", "json"]);
        let ran = diff.output().unwrap();
        let result: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        let row = &result["functions"][0];
        assert_eq!(row["verdict"], verdict, "{old}\n{new}\n{row:#}");
        assert!(row["scope"].to_string().contains(scope), "{row:#}");
    }
}
