//! What a question costs each solver: `cargo bench -p pathshift-smt --bench backends`.
//!
//! The chain's order of solvers and their limits are chosen by these figures, which ARCHITECTURE.md has.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use smt::expr::{Expr, FloatFormat, FloatOp, Rounding};
use smt::pool::{Pool, Reading};
use smt::solver::blast::{Blaster, Blasters};
use smt::solver::process::ProcessSolver;
use smt::solver::{Answer, Limits, Solver};
use std::time::Duration;

/// Questions, each a list of constraints; those that follow each other share their beginning.
struct Stream {
    name: &'static str,
    pool: Pool,
    questions: Vec<Vec<Expr>>,
}

fn main() {
    let only = std::env::args().nth(1).filter(|arg| !arg.starts_with("--"));
    for stream in [ladder(), sort(), products(), hash(), tables(), cells(), floats(), doubles(), equalities()] {
        if only.as_ref().is_some_and(|only| !stream.name.contains(only.as_str())) {
            continue;
        }
        println!("{}: {} questions", stream.name, stream.questions.len());
        let mut solvers: Vec<Box<dyn Solver>> = vec![Box::<Blasters>::default()];
        #[cfg(feature = "bitwuzla")]
        solvers.push(Box::new(smt::solver::bitwuzla::Bitwuzla::new()));
        if std::env::args().any(|arg| arg == "--z3") {
            solvers.push(Box::new(ProcessSolver::new(vec!["z3".into(), "-in".into()], Duration::from_secs(10))));
        }
        for mut solver in solvers {
            for conflicts in [1_000, 20_000] {
                measure(&stream, &mut *solver, conflicts);
            }
        }
    }
}

fn measure(stream: &Stream, solver: &mut dyn Solver, conflicts: u64) {
    let limits = Limits { conflicts, ..Limits::default() };
    let (mut sat, mut unsat, mut open, mut longest) = (0, 0, 0, Duration::ZERO);
    let start = processor_time();
    for question in &stream.questions {
        let before = processor_time();
        match solver.check(&stream.pool, question, limits) {
            Answer::Sat(_) => sat += 1,
            Answer::Unsat => unsat += 1,
            Answer::Unknown(_) => open += 1,
        }
        longest = longest.max(processor_time() - before);
    }
    let took = processor_time() - start;
    let each = took / stream.questions.len() as u32;
    println!(
        "  {:9} {conflicts:6} conflicts: {took:8.1?}, {each:6.0?} each, longest {longest:6.0?}; {sat} sat, {unsat} unsat, {open} open",
        solver.name()
    );
}

/// All ways through branches, depth first; a condition may depend on those before it.
fn tree(name: &'static str, mut pool: Pool, conditions: &[Expr]) -> Stream {
    let mut questions = Vec::new();
    let mut stack = vec![Vec::new()];
    while let Some(path) = stack.pop() {
        let Some(&condition) = conditions.get(path.len()) else { continue };
        for side in [condition, pool.not(condition)] {
            let mut path = path.clone();
            path.push(side);
            questions.push(path.clone());
            stack.push(path);
        }
    }
    Stream { name, pool, questions }
}

fn symbols(pool: &mut Pool, count: usize, width: u32) -> Vec<Expr> {
    (0..count).map(|i| pool.symbol_as(format!("a[{i}]"), width, Reading::Signed)).collect()
}

fn ladder() -> Stream {
    let mut pool = Pool::new();
    let symbols = symbols(&mut pool, 12, 32);
    let conditions: Vec<Expr> = symbols.iter().map(|&symbol| pool.slt(Expr::constant(0, 32), symbol)).collect();
    tree("ladder of 12", pool, &conditions)
}

fn sort() -> Stream {
    let mut pool = Pool::new();
    let symbols = symbols(&mut pool, 5, 32);
    let mut solver = Blaster::new();
    let mut questions = Vec::new();
    let mut stack = vec![(symbols, 0, 0, Vec::new())];
    while let Some((values, i, j, path)) = stack.pop() {
        let (i, j) = if j + 1 >= values.len() - i { (i + 1, 0) } else { (i, j) };
        if i + 1 >= values.len() {
            continue;
        }
        let swap = pool.slt(values[j + 1], values[j]);
        for (side, swapped) in [(swap, true), (pool.not(swap), false)] {
            let mut path = path.clone();
            path.push(side);
            questions.push(path.clone());
            if matches!(solver.check(&pool, &path, Limits::default()), Answer::Sat(_)) {
                let mut values = values.clone();
                if swapped {
                    values.swap(j, j + 1);
                }
                stack.push((values, i, j + 1, path));
            }
        }
    }
    Stream { name: "bubble sort of 5", pool, questions }
}

fn products() -> Stream {
    let mut pool = Pool::new();
    let symbols = symbols(&mut pool, 8, 32);
    let mut questions = Vec::new();
    for i in 0..30u64 {
        let (x, y) = (symbols[i as usize % 8], symbols[(i as usize / 8 + 1) % 8]);
        let (product, quotient) = (pool.mul(x, y), pool.sdiv(x, y));
        let rest = pool.urem(product, Expr::constant(97 + i, 32));
        let a = pool.eq(rest, Expr::constant(i, 32));
        let b = pool.slt(Expr::constant(5, 32), quotient);
        questions.push(vec![a]);
        questions.push(vec![a, b]);
    }
    Stream { name: "products and quotients", pool, questions }
}

fn hash() -> Stream {
    let mut pool = Pool::new();
    let symbols = symbols(&mut pool, 7, 8);
    let mut sum = Expr::constant(5381, 32);
    let mut conditions = Vec::new();
    for &symbol in &symbols {
        let wide = pool.sext(symbol, 32);
        let product = pool.mul(sum, Expr::constant(33, 32));
        sum = pool.add(product, wide);
        let bucket = pool.urem(sum, Expr::constant(101, 32));
        conditions.push(pool.ult(bucket, Expr::constant(50, 32)));
    }
    tree("hash of 7 bytes", pool, &conditions)
}

fn tables() -> Stream {
    let mut pool = Pool::new();
    let symbols = symbols(&mut pool, 7, 8);
    let elements: Vec<u64> = (0..256u64).map(|i| i.wrapping_mul(0x9e37_79b9) >> 7 & 0xff).collect();
    let table = pool.array_table(&elements, 8);
    let mut state = Expr::constant(0, 8);
    let mut conditions = Vec::new();
    for &symbol in &symbols {
        let mixed = pool.xor(state, symbol);
        let index = pool.zext(mixed, 64);
        state = pool.select(table, index);
        conditions.push(pool.ult(state, Expr::constant(0x80, 8)));
    }
    tree("table look-ups", pool, &conditions)
}

fn cells() -> Stream {
    let mut pool = Pool::new();
    let symbols = symbols(&mut pool, 8, 8);
    let mut array = pool.array_symbol("cells", 8, Reading::Unsigned);
    let mut conditions = Vec::new();
    for pair in symbols.windows(2) {
        let (at, next) = (pool.zext(pair[0], 64), pool.zext(pair[1], 64));
        let element = pool.select(array, next);
        let sum = pool.add(element, pair[0]);
        array = pool.store(array, at, sum);
        conditions.push(pool.ult(element, sum));
    }
    tree("cells written at symbolic places", pool, &conditions)
}

fn float_tree(name: &'static str, format: FloatFormat, count: usize) -> Stream {
    let mut pool = Pool::new();
    let width = format.width();
    let symbols = symbols(&mut pool, count, width);
    let rounding = Rounding::NearestEven;
    let mut sum = pool.zero(width);
    let mut conditions = Vec::new();
    for &symbol in &symbols {
        let scaled = pool.float(FloatOp::Mul(format, rounding), &[symbol, symbol], width);
        sum = pool.float(FloatOp::Add(format, rounding), &[sum, scaled], width);
        conditions.push(pool.float(FloatOp::Lt(format), &[symbol, sum], 1));
    }
    tree(name, pool, &conditions)
}

fn floats() -> Stream {
    float_tree("sums of squares of floats", FloatFormat::Single, 4)
}

fn doubles() -> Stream {
    float_tree("sums of squares of doubles", FloatFormat::Double, 3)
}

/// Two ways to compute the same: what a comparison of two versions asks.
fn equalities() -> Stream {
    let mut pool = Pool::new();
    let mut questions = Vec::new();
    for width in [8, 12, 16, 32] {
        let p = &mut pool;
        let [x, y, z] = ["x", "y", "z"].map(|name| p.symbol(name, width));
        let number = |value: u64| Expr::constant(value, width);
        let one = number(1);
        // The average without overflow, in two ways.
        let (both, either) = (p.and(x, y), p.xor(x, y));
        let half = p.lshr(either, one);
        let average = p.add(both, half);
        let (wide_x, wide_y) = (p.zext(x, width + 1), p.zext(y, width + 1));
        let sum = p.add(wide_x, wide_y);
        let other = p.extract(sum, 1, width);
        questions.push(vec![p.ne(average, other)]);
        // Remainder by shifts, and by a power of two.
        let (rest, low) = (p.urem(x, number(7)), p.udiv(x, number(7)));
        let product = p.mul(low, number(7));
        let difference = p.sub(x, product);
        questions.push(vec![p.ne(rest, difference)]);
        // Distribution.
        if width <= 12 {
            let factor = p.add(y, z);
            let whole = p.mul(x, factor);
            let (first, second) = (p.mul(x, y), p.mul(x, z));
            let parts = p.add(first, second);
            questions.push(vec![p.ne(whole, parts)]);
        }
        // Bits counted in two ways.
        let mut slow = number(0);
        for at in 0..width {
            let bit = p.extract(x, at, 1);
            let bit = p.zext(bit, width);
            slow = p.add(slow, bit);
        }
        let mut fast = x;
        for (shift, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0xffff)] {
            if shift >= width {
                break;
            }
            let moved = p.lshr(fast, number(shift.into()));
            let (a, b) = (p.and(fast, number(mask)), p.and(moved, number(mask)));
            fast = p.add(a, b);
        }
        questions.push(vec![p.ne(slow, fast)]);
        // The sign without a branch.
        let sign = p.ashr(x, number(u64::from(width) - 1));
        let (flipped, negative) = (p.xor(x, sign), p.slt(x, number(0)));
        let absolute = p.sub(flipped, sign);
        let negated = p.neg(x);
        let chosen = p.ite(negative, negated, x);
        questions.push(vec![p.ne(absolute, chosen)]);
        // Signed division by shifts.
        let divided = p.sdiv(x, number(4));
        let bias = p.and(sign, number(3));
        let biased = p.add(x, bias);
        let shifted = p.ashr(biased, number(2));
        questions.push(vec![p.ne(divided, shifted)]);
    }
    Stream { name: "equalities", pool, questions }
}

/// What this program has used of the processor, however busy the machine is.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}
