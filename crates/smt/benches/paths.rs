//! What the solver chain costs a path: `cargo bench -p pathshift-smt --bench paths`.
//!
//! The streams of questions that an engine asks which explores depth-first: at every branch both sides, at every leaf
//! the smallest input. Goals: a few microseconds a path where conditions are independent, and no growth with their number.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use smt::expr::Expr;
use smt::pool::{Pool, Reading};
use smt::solver::Limits;
use smt::solver::chain::{Branch, Chain, Path};
use std::time::Duration;

fn main() {
    let only = std::env::args().nth(1).filter(|arg| !arg.starts_with("--"));
    let measure = |name: &str, work: &dyn Fn(&mut Run)| {
        if only.as_ref().is_none_or(|only| name.contains(only.as_str())) {
            measure(name, work);
        }
    };
    for ifs in [12, 15, 17, 20] {
        measure(&format!("{ifs} independent ifs"), &|run| {
            let symbols = run.symbols("a", ifs, 32, Reading::Signed);
            run.independent(&symbols, 0, &Path::new());
        });
    }
    for length in [5, 6, 7] {
        measure(&format!("bubble sort of {length}"), &|run| {
            let symbols = run.symbols("a", length, 32, Reading::Signed);
            run.sort(&mut symbols.clone(), 0, 0, &Path::new());
        });
    }
    measure("wildcard match of 4 and 4", &|run| {
        let mut pattern = run.symbols("p", 4, 8, Reading::Char);
        let mut text = run.symbols("s", 4, 8, Reading::Char);
        pattern.push(Expr::constant(0, 8));
        text.push(Expr::constant(0, 8));
        let mut stack = vec![(Path::new(), vec![Attempt::Match(0, 0)])];
        run.matching(&pattern, &text, &mut stack);
    });
    measure("number of 5 characters", &|run| {
        let text = run.symbols("s", 5, 8, Reading::Char);
        run.number(&text, Expr::constant(0, 32), &Path::new());
    });
    measure("switches and flags", &|run| {
        let symbols = run.symbols("x", 5, 32, Reading::Signed);
        run.switches(&symbols, &Path::new());
    });
    measure("stores at 4 symbolic places", &|run| {
        let places = run.symbols("i", 4, 32, Reading::Unsigned);
        let array = run.pool.array_table(&[5, 3, 8, 1, 9, 2, 7, 4], 32);
        run.stores(&places, array, &Path::new());
    });
    measure("sums of 10 below limits", &|run| {
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
        match self.chain.branch(&mut self.pool, path, condition) {
            Branch::Only(true) => [Some(path.clone()), None],
            Branch::Only(false) => [None, Some(path.clone())],
            Branch::Both { yes, no } => [Some(yes), Some(no)],
            Branch::Unknown { reason, .. } => panic!("{reason:?}"),
        }
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
                // Nobody looks at the result any more.
                if attempts.is_empty() {
                    self.leaf(&path);
                } else {
                    self.matched(&path, text_end, &attempts, stack);
                }
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

    /// The pattern has ended: it has matched if the text has, too.
    fn matched(&mut self, path: &Path, text_end: Expr, attempts: &[Attempt], stack: &mut Vec<(Path, Vec<Attempt>)>) {
        let [matched, not] = self.both(path, text_end);
        matched.into_iter().for_each(|path| stack.push((path, Vec::new())));
        not.into_iter().for_each(|path| stack.push((path, attempts.to_vec())));
    }

    /// `for (; *s; s++) { if (*s < '0' || *s > '9') return -1; n = n * 10 + *s - '0'; } if (n > 999) .. if (n == 77) ..`
    fn number(&mut self, text: &[Expr], number: Expr, path: &Path) {
        let digit = |value: u8| Expr::constant(value.into(), 8);
        let next = match text.split_first() {
            Some((&first, rest)) => {
                let ended = self.pool.eq(first, digit(0));
                let [ended, more] = self.both(path, ended);
                if let Some(more) = more {
                    let low = self.pool.slt(first, digit(b'0'));
                    let [low, above] = self.both(&more, low);
                    low.into_iter().for_each(|path| self.leaf(&path));
                    if let Some(above) = above {
                        let high = self.pool.slt(digit(b'9'), first);
                        let [high, inside] = self.both(&above, high);
                        high.into_iter().for_each(|path| self.leaf(&path));
                        if let Some(inside) = inside {
                            let wide = self.pool.sext(first, 32);
                            let value = self.pool.sub(wide, Expr::constant(b'0'.into(), 32));
                            let ten = self.pool.mul(number, Expr::constant(10, 32));
                            let number = self.pool.add(ten, value);
                            self.number(rest, number, &inside);
                        }
                    }
                }
                ended
            }
            None => Some(path.clone()),
        };
        let Some(path) = next else { return };
        let large = self.pool.slt(Expr::constant(999, 32), number);
        let [large, small] = self.both(&path, large);
        large.into_iter().for_each(|path| self.leaf(&path));
        let Some(small) = small else { return };
        let exact = self.pool.eq(number, Expr::constant(77, 32));
        for side in self.both(&small, exact).into_iter().flatten() {
            self.leaf(&side);
        }
    }

    /// `switch (x[i]) { case 3: .. case 10: .. case -1: .. default: } if (x[i] & 0x400) ..`
    fn switches(&mut self, symbols: &[Expr], path: &Path) {
        let Some((&first, rest)) = symbols.split_first() else { return self.leaf(path) };
        let mut path = path.clone();
        for case in [3, 10, u64::MAX] {
            let taken = self.pool.eq(first, Expr::constant(case, 32));
            let [taken, other] = self.both(&path, taken);
            taken.into_iter().for_each(|path| self.switches(rest, &path));
            let Some(other) = other else { return };
            path = other;
        }
        let masked = self.pool.and(first, Expr::constant(0x400, 32));
        let flag = self.pool.ne(masked, Expr::constant(0, 32));
        for side in self.both(&path, flag).into_iter().flatten() {
            self.switches(rest, &side);
        }
    }

    /// `if (i < 8) { a[i]++; if (a[(i + 1) % 8] > 4) .. }`
    fn stores(&mut self, places: &[Expr], array: smt::expr::ArrayId, path: &Path) {
        let Some((&first, rest)) = places.split_first() else { return self.leaf(path) };
        let inside = self.pool.ult(first, Expr::constant(8, 32));
        let [inside, outside] = self.both(path, inside);
        outside.into_iter().for_each(|path| self.leaf(&path));
        let Some(inside) = inside else { return };
        let index = self.pool.zext(first, 64);
        let element = self.pool.select(array, index);
        let more = self.pool.add(element, Expr::constant(1, 32));
        let array = self.pool.store(array, index, more);
        let next = self.pool.add(index, Expr::constant(1, 64));
        let next = self.pool.urem(next, Expr::constant(8, 64));
        let other = self.pool.select(array, next);
        let large = self.pool.slt(Expr::constant(4, 32), other);
        for side in self.both(&inside, large).into_iter().flatten() {
            self.stores(rest, array, &side);
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

fn measure(name: &str, work: &dyn Fn(&mut Run)) {
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
