//! Random functions: what the driver says of them is what a `main` written for them prints.

use std::fmt::Write;
use std::process::Command;

use compare::replay::{Options, Placement};
use exec::case::{Datum, End, Input};
use smt::bits::Bits;

use crate::lab::{Lab, input, limits, memory, object};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 ^ self.0 >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16) % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    /// An expression over `a`, `b`, `c`, `buf` and `state`, without undefined results.
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(4) == 0 {
            return match self.below(3) {
                0 => format!("{}u", self.below(300)),
                1 => self.pick(&["a", "b", "c", "state"]).to_owned(),
                _ => format!("buf[{}]", self.below(6)),
            };
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(5) {
            0 => format!("(({left}) / (({right}) | 1u))"),
            1 => format!("(({left}) < ({right}) ? {left} : b)"),
            2 => format!("({left} << (({right}) & 7u))"),
            _ => format!("({left} {} {right})", self.pick(&["+", "-", "*", "^", "&", "|"])),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let value = self.expression(2);
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => format!("state = {value};"),
            1 => format!("buf[{}] = {value};", self.below(6)),
            2 => format!("c += {value};"),
            3 => format!(
                "if ({value} & 1u) {{ {} }} else {{ {} }}",
                self.statement(depth - 1),
                self.statement(depth - 1)
            ),
            4 => format!("for (int i = 0; i < {}; i++) {{ {} }}", 1 + self.below(5), self.statement(depth - 1)),
            _ => format!(
                "switch ({value} % 3u) {{ case 0: {} break; case 2: {} default: break; }}",
                self.statement(depth - 1),
                self.statement(depth - 1)
            ),
        }
    }

    fn function(&mut self) -> String {
        let [a, b, c] = [(); 3].map(|()| self.pick(&TYPES).to_owned());
        let result = self.pick(&TYPES);
        let body: String = (0..4).map(|_| self.statement(2)).collect();
        format!(
            "#include <stdio.h>\nstatic unsigned state = 3;\n\
             {result} f({a} a, {b} b, {c} c, unsigned char *buf) {{ {body} \
             printf(\"%u,\", state); return {}; }}\n",
            self.expression(2)
        )
    }
}

const TYPES: [&str; 6] = ["unsigned char", "short", "int", "unsigned", "long", "unsigned long"];
const WIDTHS: [u32; 6] = [8, 16, 32, 32, 64, 64];

/// Widths of the result and of three parameters, from the source.
fn widths(source: &str) -> Vec<u32> {
    let line = source.lines().nth(2).unwrap();
    let (result, rest) = line.split_once(" f(").unwrap();
    let params = rest.split_once(')').unwrap().0.split(", ").take(3).map(|param| &param[..param.len() - 2]);
    let width = |name: &str| WIDTHS[TYPES.iter().position(|ty| *ty == name).unwrap()];
    std::iter::once(result).chain(params).map(width).collect()
}

#[test]
fn drivers_say_what_a_main_prints() {
    let rounds = if std::env::var_os("PATHSHIFT_FULL").is_some() { 100 } else { 4 };
    let mut random = Random(11);
    for round in 0..rounds {
        let lab = Lab::new();
        let source = random.function();
        let widths = widths(&source);
        let mut main = source.clone() + "int main(void) {\n";
        let mut inputs = Vec::new();
        for _ in 0..20 {
            let args: Vec<u64> = (0..3).map(|_| random.below(1 << 40) >> random.below(38)).collect();
            let bytes: Vec<u8> = (0..6).map(|_| random.below(256) as u8).collect();
            let [a, b, c] = [0, 1, 2].map(|i| args[i]);
            let list = bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
            let cut = u64::MAX >> (64 - widths[0]);
            writeln!(
                main,
                "{{ state = 3; unsigned char buf[6] = {{{list}}}; unsigned long r = f({a}ul, {b}ul, {c}ul, buf); \
                 printf(\" %lu %u\", r & {cut}ul, state); for (int i = 0; i < 6; i++) printf(\" %u\", buf[i]); \
                 printf(\"\\n\"); }}"
            )
            .unwrap();
            let mut datums: Vec<Datum> = args
                .iter()
                .zip(&widths[1..])
                .map(|(arg, width)| Datum::Bits(Bits::new(u128::from(*arg), *width)))
                .collect();
            datums.push(object(0));
            inputs.push(Input { objects: vec![memory("buf", &bytes)], ..input(&datums) });
        }
        main += "}\n";
        let path = lab.write("direct.c", &main);
        let program = lab.dir.path().join("direct");
        assert!(
            Command::new("clang-19").args(["-w", "-O0", "-o"]).arg(&program).arg(&path).status().unwrap().success()
        );
        let printed = String::from_utf8(Command::new(&program).output().unwrap().stdout).unwrap();
        let driver = lab.driver(&lab.module("t.c", &source), "f", &Options::default());
        let seen = driver.run(&inputs, Placement::Exact, &limits()).unwrap();
        assert_eq!(printed.lines().count(), inputs.len());
        for (line, seen) in printed.lines().zip(seen) {
            let outcome = seen.outcome;
            assert_eq!(outcome.end, End::Returned, "{source}");
            let Datum::Bits(result) = &outcome.result else { panic!("{outcome:?}") };
            let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            let state = outcome.globals.first().map_or(3, |(_, memory)| word(&memory.bytes));
            let mut text = String::from_utf8(outcome.stdout).unwrap();
            write!(text, " {} {state}", result.low()).unwrap();
            outcome.objects[0].bytes.iter().for_each(|byte| write!(text, " {byte}").unwrap());
            assert_eq!(text, line, "round {round}:\n{source}");
        }
    }
}
