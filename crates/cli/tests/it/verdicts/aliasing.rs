//! Random pairs whose versions differ by what aliases, and by what functions outside of the program do, or not at all.
//!
//! Functions are a few statements over nodes with links, pointers to numbers in nodes, in parameters and in global variables, and a
//! function of which only a declaration is known. Edits are right as long as names are names of different things: statements
//! change places, and a value that was stored is used in place of reading it again. The native driver wires its nodes at random, so
//! that pointers lead to each other's numbers, to fields of nodes and to a variable, and nodes to themselves.

use super::random::Random;
use super::run_driver;
use crate::support::{pathshift, scratch};
use std::collections::BTreeMap;

/// Functions in a pair of files.
const FUNCTIONS: usize = 12;

/// What can be read and written.
const PLACES: [&str; 11] =
    ["a->v", "b->v", "a->next->v", "b->next->v", "*a->p", "*b->p", "*x", "*y", "*gp", "*gq", "gi"];

const PREAMBLE: &str = "\
struct node { int v; struct node *next; int *p; };
int *gp, *gq;
int gi;
void out(void);
";

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Constant(i64),
    Copy(usize),
    Sum(usize, i64),
}

#[derive(Clone, Debug, PartialEq)]
enum Stmt {
    Assign(usize, Value),
    If(usize, i64, usize, Value),
    Call,
}

#[derive(Clone, Debug, PartialEq)]
struct Function {
    body: Vec<Stmt>,
    result: [Value; 2],
}

impl Value {
    fn reads(self) -> Option<usize> {
        match self {
            Value::Constant(_) => None,
            Value::Copy(place) | Value::Sum(place, _) => Some(place),
        }
    }

    fn text(self) -> String {
        match self {
            Value::Constant(value) => value.to_string(),
            Value::Copy(place) => PLACES[place].to_owned(),
            Value::Sum(place, value) => format!("{} + {value}", PLACES[place]),
        }
    }
}

impl Stmt {
    fn writes(&self) -> Option<usize> {
        match self {
            Stmt::Assign(place, _) | Stmt::If(_, _, place, _) => Some(*place),
            Stmt::Call => None,
        }
    }

    fn reads(&self) -> Vec<usize> {
        match self {
            Stmt::Assign(_, value) => value.reads().into_iter().collect(),
            Stmt::If(asked, _, _, value) => value.reads().into_iter().chain([*asked]).collect(),
            Stmt::Call => Vec::new(),
        }
    }

    fn text(&self) -> String {
        match self {
            Stmt::Assign(place, value) => format!("    {} = {};\n", PLACES[*place], value.text()),
            Stmt::If(asked, than, place, value) => {
                format!("    if ({} > {than}) {} = {};\n", PLACES[*asked], PLACES[*place], value.text())
            }
            Stmt::Call => "    out();\n".to_owned(),
        }
    }
}

impl Function {
    fn text(&self, number: usize) -> String {
        let body: String = self.body.iter().map(Stmt::text).collect();
        let [first, second] = self.result.map(Value::text);
        format!(
            "int f{number}(struct node *a, struct node *b, int *x, int *y) {{\n{body}    return ({first}) * 31 + ({second});\n}}\n\n"
        )
    }
}

fn value(random: &mut Random, places: &[usize]) -> Value {
    match random.below(5) {
        0..=2 => Value::Constant(random.below(9) as i64),
        3 => Value::Copy(*random.pick(places)),
        _ => Value::Sum(*random.pick(places), 1 + random.below(4) as i64),
    }
}

fn function(random: &mut Random) -> Function {
    let places: Vec<usize> = (0..2 + random.below(3)).map(|_| random.below(PLACES.len())).collect();
    let calls = random.chance(35);
    let mut body = Vec::new();
    for _ in 0..2 + random.below(4) {
        let place = *random.pick(&places);
        body.push(match random.below(8) {
            0 if calls => Stmt::Call,
            1 => Stmt::If(*random.pick(&places), random.below(5) as i64, place, value(random, &places)),
            _ => Stmt::Assign(place, value(random, &places)),
        });
    }
    if calls && !body.contains(&Stmt::Call) {
        let at = random.below(body.len());
        body.insert(at, Stmt::Call);
    }
    let result = [0, 1].map(|_| Value::Copy(*random.pick(&places)));
    Function { body, result }
}

/// An edit that is right if different names are names of different things, and nothing outside uses them; or a wrong one.
fn edit(function: &mut Function, random: &mut Random) {
    let at = random.below(function.body.len());
    match random.below(10) {
        0 => {
            if let Stmt::Assign(_, Value::Constant(value)) = &mut function.body[at] {
                *value += 1;
            }
        }
        1..=4 if at > 0 => {
            let (first, second) = (&function.body[at - 1], &function.body[at]);
            let meets = |one: &Stmt, other: &Stmt| {
                one.writes().is_some_and(|place| other.writes() == Some(place) || other.reads().contains(&place))
            };
            if first != second && !meets(first, second) && !meets(second, first) {
                function.body.swap(at - 1, at);
            }
        }
        _ => {
            // What was stored there last by that name.
            let known = |body: &[Stmt], place: usize| {
                body.iter().rev().find_map(|stmt| match stmt {
                    Stmt::Assign(written, Value::Constant(value)) if *written == place => Some(Some(*value)),
                    other if other.writes() == Some(place) => Some(None),
                    _ => None,
                })
            };
            let forward = |value: &mut Value, body: &[Stmt]| {
                if let Some(Some(known)) = value.reads().and_then(|place| known(body, place)) {
                    *value = Value::Constant(if let Value::Sum(_, more) = value { known + *more } else { known });
                }
            };
            let (before, rest) = function.body.split_at_mut(at);
            if let Stmt::Assign(_, value) | Stmt::If(_, _, _, value) = &mut rest[0] {
                forward(value, before);
            }
            let body = function.body.clone();
            let which = random.below(2);
            forward(&mut function.result[which], &body);
        }
    }
}

/// Both versions side by side on random wirings.
fn driver(count: usize) -> String {
    let mut out = "#include <stdio.h>\nstatic unsigned long seed = 88172645463325252UL;\n\
        static unsigned number(unsigned n) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return (seed >> 20) % n; }\n\
        struct world { int cells[3], v[3], next[3], p[3], gp, gq, a, b, x, y, gi; };\n"
        .to_owned();
    for version in ["old", "new"] {
        let names = ["node", "gp", "gq", "gi", "out"].map(str::to_owned);
        let names: Vec<String> = names.into_iter().chain((0..count).map(|number| format!("f{number}"))).collect();
        names.iter().for_each(|name| out.push_str(&format!("#define {name} {version}_{name}\n")));
        out.push_str(&format!("#include \"{version}.c\"\n"));
        names.iter().for_each(|name| out.push_str(&format!("#undef {name}\n")));
        let support = "static int V_cells[3]; static struct V_node V_nodes[3]; static unsigned long V_trace, V_calls;\n\
             static int *V_at(int i) { return i < 3 ? &V_cells[i] : i < 6 ? &V_nodes[i - 3].v : &V_gi; }\n\
             static void V_look(void) { for (int i = 0; i < 7; i++) V_trace = V_trace * 31 + *V_at(i); }\n\
             void V_out(void) { V_look(); for (int i = 0; i < 7; i++) *V_at(i) += 3 + i + V_calls; V_calls++; }\n\
             static void V_set(const struct world *w) {\n\
             for (int i = 0; i < 3; i++) { V_cells[i] = w->cells[i]; V_nodes[i].v = w->v[i]; V_nodes[i].next = &V_nodes[w->next[i]]; V_nodes[i].p = V_at(w->p[i]); }\n\
             V_gp = V_at(w->gp); V_gq = V_at(w->gq); V_gi = w->gi; V_trace = V_calls = 0;\n}\n";
        out.push_str(&support.replace("V_", &format!("{version}_")));
    }
    out.push_str(
        "int main(void) {\nstruct world w;\n#define CHECK(k) for (int i = 0; i < 3000; i++) { \\\n\
         for (int j = 0; j < 3; j++) { w.cells[j] = number(9); w.v[j] = number(9); w.next[j] = number(3); w.p[j] = number(7); } \\\n\
         w.gp = number(7); w.gq = number(7); w.a = number(3); w.b = number(3); w.x = number(7); w.y = number(7); w.gi = number(9); \\\n\
         old_set(&w); int o = old_f##k(&old_nodes[w.a], &old_nodes[w.b], old_at(w.x), old_at(w.y)); old_look(); \\\n\
         new_set(&w); int n = new_f##k(&new_nodes[w.a], &new_nodes[w.b], new_at(w.x), new_at(w.y)); new_look(); \\\n\
         if (o != n || old_trace != new_trace || old_calls != new_calls) { \\\n\
         printf(\"f\" #k \" differs: %d %d; a=%d b=%d x=%d y=%d gp=%d gq=%d\\n\", o, n, w.a, w.b, w.x, w.y, w.gp, w.gq); break; } }\n",
    );
    (0..count).for_each(|number| out.push_str(&format!("CHECK({number})\n")));
    out.push_str("return 0;\n}\n");
    out
}

/// What was said, with whether it holds natively.
type Tally = BTreeMap<(String, &'static str), usize>;

fn check_seed(seed: u64, tally: &mut Tally) -> Vec<String> {
    let mut random = Random::new(seed ^ 0xa11a5);
    let (mut old, mut new) = (PREAMBLE.to_owned(), PREAMBLE.to_owned());
    for number in 0..FUNCTIONS {
        let function = function(&mut random);
        let mut other = function.clone();
        for _ in 0..12 {
            edit(&mut other, &mut random);
            if other != function && random.chance(60) {
                break;
            }
        }
        old.push_str(&function.text(number));
        new.push_str(&other.text(number));
    }
    let dir = scratch();
    let kept = std::env::var_os("PATHSHIFT_KEEP").map(std::path::PathBuf::from);
    let dir = kept.as_deref().unwrap_or(dir.path()).join(format!("aliasing-{seed}"));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("old.c"), old).unwrap();
    std::fs::write(dir.join("new.c"), new).unwrap();
    let natively = run_driver(&dir, "driver", &driver(FUNCTIONS), "integer-divide-by-zero");
    let ran = pathshift()
        .current_dir(&dir)
        .args(["diff", "old.c", "new.c", "--format", "json", "--timeout", "5", "--no-store"])
        .output()
        .unwrap();
    std::fs::write(dir.join("diff.json"), &ran.stdout).unwrap();
    let result: serde_json::Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", String::from_utf8_lossy(&ran.stderr)));
    let mut wrong = Vec::new();
    for row in result["functions"].as_array().unwrap() {
        let (name, verdict) = (row["name"].as_str().unwrap(), row["verdict"].as_str().unwrap());
        let differs = natively.lines().find(|line| line.starts_with(&format!("{name} ")));
        *tally.entry((verdict.to_owned(), if differs.is_some() { "differs" } else { "agrees" })).or_default() += 1;
        if let (true, Some(line)) = (verdict.starts_with("same"), differs) {
            wrong.push(format!("seed {seed}, {name} is called {verdict}, {}: {line}", row["scope"]));
        }
    }
    wrong
}

#[test]
fn verdicts_of_random_aliases_hold_natively() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let first = number("PATHSHIFT_SEED").unwrap_or(1);
    let count = number("PATHSHIFT_SEEDS").unwrap_or(if crate::support::full() { 25 } else { 1 });
    let mut tally = Tally::default();
    let wrong: Vec<String> = (first..first + count).flat_map(|seed| check_seed(seed, &mut tally)).collect();
    println!("{tally:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
