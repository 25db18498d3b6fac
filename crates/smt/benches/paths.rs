//! What the solver chain costs a path: `cargo bench -p pathshift-smt --bench paths`.
//!
//! The streams of questions that an engine asks which explores depth-first: at every branch both sides, at every leaf
//! the smallest input. Goals: a few microseconds a path where conditions are independent, and no growth with their number.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use smt::expr::Expr;
use smt::pool::{Pool, Reading};
use smt::solver::Limits;
use smt::solver::chain::{Chain, Path};
use std::time::Duration;

fn main() {
    for ifs in [12, 15, 17, 20] {
        measure(&format!("{ifs} independent ifs"), |run| {
            let symbols = run.symbols("a", ifs, 32, Reading::Signed);
            run.independent(&symbols, 0, &Path::new());
        });
    }
    for length in [5, 6, 7] {
        measure(&format!("bubble sort of {length}"), |run| {
            let symbols = run.symbols("a", length, 32, Reading::Signed);
            run.sort(&mut symbols.clone(), 0, 0, &Path::new());
        });
    }
    measure("wildcard match of 4 and 4", |run| {
        let mut pattern = run.symbols("p", 4, 8, Reading::Char);
        let mut text = run.symbols("s", 4, 8, Reading::Char);
        pattern.push(Expr::constant(0, 8));
        text.push(Expr::constant(0, 8));
        let mut stack = vec![(Path::new(), vec![Attempt::Match(0, 0)])];
        run.matching(&pattern, &text, &mut stack);
    });
    measure("sums of 10 below limits", |run| {
        let symbols = run.symbols("a", 10, 32, Reading::Signed);
        run.sums(&symbols, 0, Expr::constant(0, 32), &Path::new());
    });
}

/// What a match tries.
#[derive(Clone)]
enum Attempt {
    Match(usize, usize),
    /// Goes on only if the text does.
    IfText(usize, usize),
}

struct Run {
    pool: Pool,
    chain: Chain,
    paths: u64,
    check: u64,
}

impl Run {
    fn symbols(&mut self, name: &str, count: usize, width: u32, reading: Reading) -> Vec<Expr> {
        (0..count).map(|i| self.pool.symbol_as(format!("{name}[{i}]"), width, reading)).collect()
    }

    fn leaf(&mut self, path: &Path) {
        self.paths += 1;
        let model = self.chain.smallest(&mut self.pool, path);
        for symbol in 0..self.pool.symbol_count() as u32 {
            let value = model.small(smt::expr::SymbolId(symbol));
            self.check = (self.check ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7);
        }
    }

    fn both(&mut self, path: &Path, condition: Expr) -> [Option<Path>; 2] {
        let other = self.pool.not(condition);
        [condition, other].map(|side| self.chain.extend(&self.pool, path, side).unwrap())
    }

    /// `for i { if (a[i] > 0) .. }`
    fn independent(&mut self, symbols: &[Expr], at: usize, path: &Path) {
        let Some(&symbol) = symbols.get(at) else { return self.leaf(path) };
        let condition = self.pool.slt(Expr::constant(0, 32), symbol);
        for side in self.both(path, condition).into_iter().flatten() {
            self.independent(symbols, at + 1, &side);
        }
    }

    fn sort(&mut self, values: &mut [Expr], i: usize, j: usize, path: &Path) {
        let length = values.len();
        if i + 1 >= length {
            return self.leaf(path);
        }
        if j + 1 >= length - i {
            return self.sort(values, i + 1, 0, path);
        }
        let swap = self.pool.slt(values[j + 1], values[j]);
        let [swapped, kept] = self.both(path, swap);
        if let Some(side) = swapped {
            values.swap(j, j + 1);
            self.sort(values, i, j + 1, &side);
            values.swap(j, j + 1);
        }
        if let Some(side) = kept {
            self.sort(values, i, j + 1, &side);
        }
    }

    /// `int match(p, s) { if (!*p) return !*s; if (*p == '*') return match(p + 1, s) || (*s && match(p, s + 1)); .. }`
    ///
    /// A state is a path and what to try next; the last attempt's failure tries the one before it.
    fn matching(&mut self, pattern: &[Expr], text: &[Expr], stack: &mut Vec<(Path, Vec<Attempt>)>) {
        while let Some((path, mut attempts)) = stack.pop() {
            let zero = Expr::constant(0, 8);
            let (p, s) = match attempts.pop() {
                None => {
                    self.leaf(&path);
                    continue;
                }
                Some(Attempt::IfText(p, s)) => {
                    let end = self.pool.eq(text[s], zero);
                    let [ended, more] = self.both(&path, end);
                    ended.into_iter().for_each(|path| stack.push((path, attempts.clone())));
                    attempts.push(Attempt::Match(p, s + 1));
                    more.into_iter().for_each(|path| stack.push((path, attempts.clone())));
                    continue;
                }
                Some(Attempt::Match(p, s)) => (p, s),
            };
            let text_end = self.pool.eq(text[s], zero);
            let end = self.pool.eq(pattern[p], zero);
            let [at_end, inside] = self.both(&path, end);
            if let Some(path) = at_end {
                let [matched, not] = self.both(&path, text_end);
                matched.into_iter().for_each(|path| stack.push((path, Vec::new())));
                not.into_iter().for_each(|path| stack.push((path, attempts.clone())));
            }
            let Some(inside) = inside else { continue };
            let star = self.pool.eq(pattern[p], Expr::constant(b'*'.into(), 8));
            let [star, other] = self.both(&inside, star);
            if let Some(path) = star {
                let mut attempts = attempts.clone();
                attempts.extend([Attempt::IfText(p, s), Attempt::Match(p + 1, s)]);
                stack.push((path, attempts));
            }
            let Some(other) = other else { continue };
            let [ended, more] = self.both(&other, text_end);
            ended.into_iter().for_each(|path| stack.push((path, attempts.clone())));
            let Some(more) = more else { continue };
            let any = self.pool.eq(pattern[p], Expr::constant(b'?'.into(), 8));
            let [any, exact] = self.both(&more, any);
            let mut next = attempts.clone();
            next.push(Attempt::Match(p + 1, s + 1));
            any.into_iter().for_each(|path| stack.push((path, next.clone())));
            let Some(exact) = exact else { continue };
            let same = self.pool.eq(pattern[p], text[s]);
            let [same, differs] = self.both(&exact, same);
            same.into_iter().for_each(|path| stack.push((path, next.clone())));
            differs.into_iter().for_each(|path| stack.push((path, attempts.clone())));
        }
    }

    /// `for i { sum += a[i]; if (sum > i) .. }`
    fn sums(&mut self, symbols: &[Expr], at: usize, sum: Expr, path: &Path) {
        let Some(&symbol) = symbols.get(at) else { return self.leaf(path) };
        let sum = self.pool.add(sum, symbol);
        let condition = self.pool.slt(Expr::constant(at as u64 * 3, 32), sum);
        for side in self.both(path, condition).into_iter().flatten() {
            self.sums(symbols, at + 1, sum, &side);
        }
    }
}

fn measure(name: &str, work: impl Fn(&mut Run)) {
    let mut run = Run { pool: Pool::new(), chain: Chain::new(Vec::new(), Limits::default()), paths: 0, check: 0 };
    let start = processor_time();
    work(&mut run);
    let took = processor_time() - start;
    println!("{name}: {} paths, {took:?}, {:?} a path, {} terms", run.paths, took / run.paths as u32, run.pool.len());
    println!("    {} MiB at most so far; values {:016x}; {:?}", peak_memory(), run.check, run.chain.stats);
}

/// What this program has used of the processor, however busy the machine is.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}

fn peak_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}
