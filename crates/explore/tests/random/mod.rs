//! Small random C functions: branches, loops, arrays with unknown indices, calls, faults.

/// What all functions use.
pub const PRELUDE: &str = "#include <stdlib.h>
int g0, g1; int t[4];
static int pick(int a, int b) { if (a > b) return a; return b - 1; }
static void put(int i, int v) { if (v > 2) t[i & 3] = v; else g1 = v; }
static int get(int i) { return t[i & 3] + g0; }
";

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// A function of a seed.
pub fn function(seed: u64, name: &str) -> String {
    let mut random = Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut body = String::new();
    for _ in 0..2 + random.below(4) {
        statement(&mut random, &mut body, 2);
    }
    let result = expression(&mut random, 2);
    format!(
        "int {name}(int p, int q, int r) {{ int a = 1, b = 2, c = 3; int l[3] = {{4, 5, 6}};\n{body}return {result}; }}\n"
    )
}

fn variable(random: &mut Random) -> &'static str {
    ["a", "b", "c", "a", "b", "c", "p", "q", "g0", "g1"][random.below(10) as usize]
}

fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(3) == 0 {
        return match random.below(4) {
            0 => ["p", "q", "r"][random.below(3) as usize].to_owned(),
            1 => random.below(7).to_string(),
            _ => variable(random).to_owned(),
        };
    }
    let (left, right) = (expression(random, depth - 1), expression(random, depth - 1));
    match random.below(9) {
        0 => format!("({left} - {right})"),
        1 => format!("({left} ^ {right})"),
        2 => format!("t[{left} & 3]"),
        3 => format!(
            "l[{} % 3u]",
            ["p", "q", "2"][random.below(3) as usize].replace('p', "(unsigned)p").replace('q', "(unsigned)q")
        ),
        4 => format!("pick({left}, {right})"),
        5 => format!("get({left})"),
        _ => format!("({left} + {right})"),
    }
}

fn condition(random: &mut Random) -> String {
    let left =
        if random.below(2) == 0 { ["p", "q", "r"][random.below(3) as usize].to_owned() } else { expression(random, 1) };
    let right = random.below(6);
    format!("{left} {} {right}", ["<", ">", "==", "!="][random.below(4) as usize])
}

fn statement(random: &mut Random, body: &mut String, depth: u32) {
    match random.below(if depth == 0 { 5 } else { 10 }) {
        0 | 1 => body.push_str(&format!("{} = {};\n", variable(random), expression(random, 2))),
        2 => body.push_str(&format!("t[{} & 3] = {};\n", expression(random, 1), expression(random, 1))),
        3 => body.push_str(&format!("put({}, {});\n", expression(random, 1), expression(random, 1))),
        4 => match random.below(4) {
            0 => body.push_str(&format!("{} = 12 / {};\n", variable(random), variable(random))),
            1 => body.push_str(&format!("if ({}) exit(3);\n", condition(random))),
            2 => body.push_str(&format!("l[{} & 3] = {};\n", variable(random), expression(random, 1))),
            _ => body.push_str(&format!("l[1] = {};\n", expression(random, 1))),
        },
        5 => {
            body.push_str("for (int i = 0; i < 2; i++) {\n");
            statement(random, body, depth - 1);
            if random.below(3) == 0 {
                body.push_str(&format!("if ({}) break;\n", condition(random)));
            }
            body.push_str("}\n");
        }
        _ => {
            body.push_str(&format!("if ({}) {{\n", condition(random)));
            for _ in 0..1 + random.below(2) {
                statement(random, body, depth - 1);
            }
            if random.below(2) == 0 {
                body.push_str("} else {\n");
                statement(random, body, depth - 1);
            }
            body.push_str("}\n");
        }
    }
}
