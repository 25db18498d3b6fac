//! Where versions differ: whatever a condition, or `(any)`, claims must hold for every input, also for those that no path
//! within the bounds got to.

use crate::support::{clang, full, must_run, pathshift, scratch};
use crate::verdicts::random::Random;
use serde_json::Value;
use std::path::Path;

/// The rows of all functions of two files in a folder.
fn rows(dir: &Path, old: &str, new: &str) -> Vec<Value> {
    std::fs::write(dir.join("old.c"), old).unwrap();
    std::fs::write(dir.join("new.c"), new).unwrap();
    let mut diff = pathshift();
    diff.current_dir(dir).args(["diff", "old.c", "new.c", "--format", "json", "--timeout", "20"]);
    let ran = diff.output().unwrap();
    let result: Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&ran.stderr)));
    result["functions"].as_array().unwrap().clone()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap()).collect()
}

fn free(difference: &Value) -> Vec<&str> {
    let inputs = difference["inputs"].as_array().unwrap().iter();
    inputs.filter(|input| input["any"] == true).map(|input| input["name"].as_str().unwrap()).collect()
}

#[test]
fn what_bounds_cut_off_is_not_claimed() {
    // Both versions, and the conditions; all of them are part of the truth only.
    let cases = [
        (
            "int f(unsigned n) { int c = 0; for (unsigned i = 0; i < n; i++) c ^= 1; return c; }",
            "int f(unsigned n) { int c = 0; for (unsigned i = 0; i < n; i++) c ^= 1; return n == 16 ? 5 : c; }",
            vec!["n == 16"],
        ),
        (
            "int f(const unsigned char *h) { return h[14] << 8 | h[15]; }",
            "int f(const unsigned char *h) { if (!h) return -1; return h[14] << 8 | h[15]; }",
            vec!["h == NULL"],
        ),
        (
            "int f(int n) { int s = 0; for (int i = n; i > 0; i -= 2) s ^= i; return s; }",
            "int f(int n) { int s = 0; for (int i = n; i > 1; i -= 2) s ^= i; return s; }",
            vec!["n == 1", "n == 3", "n == 5"],
        ),
        (
            "int f(const int *p, unsigned n) { if (n < 8) return p[n - 1] * 0; return 0; }",
            "int f(const int *p, unsigned n) { return 0; }",
            vec!["n < 8 && p == NULL"],
        ),
        (
            "int f(const int *a, int n) { int s = 0; for (int i = n - 1; i >= 0; i--) s += a[i]; return s; }",
            "int f(const int *a, int n) { int s = 0; for (unsigned i = n - 1; i >= 0; i--) s += a[i]; return s; }",
            vec!["n >= -2147483647 && n <= 0 && a == NULL"],
        ),
    ];
    for (old, new, conditions) in cases {
        let dir = scratch();
        let rows = rows(dir.path(), old, new);
        let difference = &rows[0]["differences"][0];
        assert_eq!(texts(&difference["region"]["conditions"]), conditions, "{new}\n{difference:#}");
        assert_eq!(difference["region"]["exact"], false, "{new}\n{difference:#}");
        assert!(free(difference).is_empty(), "{new}\n{difference:#}");
    }
}

/// A smaller input of another path does not make the path forgotten on which the difference was found; and conditions are
/// shown only if they mean what they say.
#[test]
fn conditions_are_of_all_paths_and_mean_what_they_say() {
    let cases = [
        (
            "int f(char a, char b) { if (b >= 'a') return b + 1; return b; }",
            "int f(char a, char b) { if (b >= 'a') return a + 1; return a; }",
            vec!["a != b"],
        ),
        (
            "int f(int a, char b) { int x = b >= a; if (a > 7) return x; return 2 + x; }",
            "int f(int a, char b) { int x = 1; if (a > 7) return x; return 2 + x; }",
            vec!["b < a"],
        ),
        // Conversions are not shown.
        ("int f(int a, int b) { return a == b; }", "int f(int a, int b) { return (float)a == (float)b; }", vec![]),
        ("int f(float x) { return x > 0.1; }", "int f(float x) { return x > 0.1f; }", vec![]),
        ("int f(long a, double b) { return a < b; }", "int f(long a, double b) { return a < (long)b; }", vec![]),
        // What is computed of numbers without a sign has none.
        (
            "int f(unsigned a, unsigned b) { int x = a + b; return x % 4 < x; }",
            "int f(unsigned a, unsigned b) { int x = a + b; return x / 4 < x; }",
            vec![],
        ),
        // Nobody can say what was never assigned.
        (
            "int f(int a) { int x; if (a > 3) x = 1; return a < x; }",
            "int f(int a) { int x; if (a > 4) x = 1; return a < x; }",
            vec![],
        ),
    ];
    for (old, new, conditions) in cases {
        let dir = scratch();
        let rows = rows(dir.path(), old, new);
        for difference in rows[0]["differences"].as_array().unwrap() {
            assert_eq!(texts(&difference["region"]["conditions"]), conditions, "{new}\n{difference:#}");
        }
    }
}

#[test]
fn no_input_is_free_whose_values_were_not_all_looked_at() {
    let version = |limit: &str| {
        format!(
            "unsigned char f(const unsigned char *p, unsigned n) {{\n\
             unsigned char s = 0; for (unsigned i = 0; i < {limit}; i++) s += p[i]; return s; }}"
        )
    };
    let dir = scratch();
    let rows = rows(dir.path(), &version("n"), &version("(n & 0xff)"));
    assert_eq!(rows[0]["verdict"], "different", "{rows:#?}");
    for difference in rows[0]["differences"].as_array().unwrap() {
        assert!(free(difference).is_empty(), "{difference:#}");
    }
}

#[test]
fn what_is_written_to_standard_error_before_a_fault_counts() {
    let version = |text: &str| format!("#include <stdio.h>\nvoid f(int *p) {{ fprintf(stderr, \"{text}\"); *p = 1; }}");
    let dir = scratch();
    let rows = rows(dir.path(), &version("a"), &version("b"));
    let differences = rows[0]["differences"].as_array().unwrap();
    let conditions: Vec<Vec<&str>> = differences.iter().map(|one| texts(&one["region"]["conditions"])).collect();
    assert_eq!(conditions, [["p != NULL"], ["p == NULL"]], "{rows:#?}");
}

/// Some text with places where versions may say different things.
struct Drawn {
    texts: [String; 2],
    changed: usize,
    places: usize,
}

impl Drawn {
    /// Adds one of several words; another one in the new version if this is the place that changes.
    fn choose(&mut self, random: &mut Random, words: &[&str]) {
        let word = words[random.below(words.len())];
        let other = if self.places == self.changed { words[random.below(words.len())] } else { word };
        self.places += 1;
        self.texts[0].push_str(word);
        self.texts[1].push_str(other);
    }

    fn say(&mut self, words: &str) {
        self.texts.iter_mut().for_each(|text| text.push_str(words));
    }
}

const NUMBERS: [&str; 8] = ["0", "1", "2", "3", "7", "15", "17", "40"];

/// The body of a function of two characters, with a loop whose rounds they decide.
fn body(random: &mut Random) -> [String; 2] {
    let mut drawn = Drawn { texts: Default::default(), changed: random.below(10), places: 0 };
    drawn.say("{ unsigned s = 0; for (unsigned i = ");
    drawn.choose(random, &NUMBERS);
    drawn.say("; i ");
    drawn.choose(random, &["<", "<="]);
    drawn.choose(random, &[" a", " b", " (a & 31u)", " (b >> 3)", " 12", " (a ^ b)"]);
    drawn.say("; i += ");
    drawn.choose(random, &["1", "2", "3", "9"]);
    drawn.say(") { if (i == ");
    drawn.choose(random, &NUMBERS);
    drawn.say(") s ");
    drawn.choose(random, &["+= 1", "^= 1", "= b", "+= i", "+= a & 3"]);
    drawn.say("; } if (");
    drawn.choose(random, &["a", "b", "s"]);
    drawn.choose(random, &[" > ", " == ", " != ", " < "]);
    drawn.choose(random, &NUMBERS);
    drawn.say(") s ");
    drawn.choose(random, &["+= 1", "^= 2", "= 0", "+= b"]);
    drawn.say("; return s; }");
    drawn.texts
}

/// What a row claims as a C program that says for which function it does not hold.
fn claims(row: &Value, number: usize) -> String {
    let differences = row["differences"].as_array().into_iter().flatten();
    let mut checks = String::new();
    let alone = row["differences"].as_array().is_some_and(|all| all.len() == 1);
    for difference in differences {
        let value = |name: &str| {
            let inputs = difference["inputs"].as_array().unwrap();
            let input = inputs.iter().find(|input| input["name"] == name);
            // Values may be followed by what they read like.
            let value = input.map_or("0", |input| input["value"].as_str().unwrap());
            value.split(' ').next().unwrap().to_owned()
        };
        let free = free(difference);
        let fixed: Vec<String> = ["a", "b"]
            .iter()
            .filter(|name| !free.contains(name))
            .map(|name| format!("{name} == {}", value(name)))
            .collect();
        let fixed = if fixed.is_empty() { "1".to_owned() } else { fixed.join(" && ") };
        checks.push_str(&format!("if (({fixed}) && !differs) bad = \"the input that is shown\";\n"));
        let conditions = texts(&difference["region"]["conditions"]);
        if conditions.is_empty() {
            continue;
        }
        let always = conditions.iter().any(|condition| condition.is_empty());
        let region = if always { "1".to_owned() } else { format!("({})", conditions.join(") || (")) };
        checks.push_str(&format!("if (({region}) && !differs) bad = \"the condition\";\n"));
        if alone && difference["region"]["exact"] == true {
            checks.push_str(&format!("if (!({region}) && differs) bad = \"if and only if\";\n"));
        }
        checks.push_str(&format!(
            "if (a == {} && b == {} && !({region})) bad = \"input outside\";\n",
            value("a"),
            value("b")
        ));
    }
    format!(
        "{{ const char *bad = 0;\nfor (int x = 0; x < 65536; x++) {{ unsigned char a = x, b = x >> 8;\n\
         int differs = old_f{number}(a, b) != new_f{number}(a, b);\n{checks}}}\n\
         if (bad) printf(\"f{number}: %s\\n\", bad); }}\n"
    )
}

#[test]
fn regions_of_random_loops_hold_for_every_input() {
    const FUNCTIONS: usize = 16;
    let seeds = if full() { 30 } else { 1 };
    for seed in 1..=seeds {
        let mut random = Random::new(seed);
        let dir = scratch();
        let bodies: Vec<[String; 2]> = (0..FUNCTIONS).map(|_| body(&mut random)).collect();
        let text = |version: usize, prefix: &str| -> String {
            let function = |(at, body): (usize, &[String; 2])| {
                format!("unsigned {prefix}f{at}(unsigned char a, unsigned char b) {}\n", body[version])
            };
            bodies.iter().enumerate().map(function).collect()
        };
        let rows = rows(dir.path(), &text(0, ""), &text(1, ""));
        let number = |row: &Value| row["name"].as_str().unwrap()[1..].parse::<usize>().unwrap();
        let checks: String = rows.iter().map(|row| claims(row, number(row))).collect();
        let program = format!(
            "#include <stdio.h>\n#define NULL 0\n{}{}int main(void) {{\n{checks}}}\n",
            text(0, "old_"),
            text(1, "new_")
        );
        std::fs::write(dir.path().join("check.c"), &program).unwrap();
        must_run(clang(19, &["-O1", "check.c", "-o", "check"]).current_dir(dir.path()));
        let ran = std::process::Command::new(dir.path().join("check")).output().unwrap();
        let wrong = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success() && wrong.is_empty(), "seed {seed}\n{wrong}\n{program}\n{rows:#?}");
    }
}
