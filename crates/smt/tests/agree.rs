//! Solvers against each other and against evaluation, on random constraints.
//!
//! The long run (`PATHSHIFT_FULL=1`) has 20,000 of them, the short one a fixed part. `PATHSHIFT_SEEDS=7..9` runs these.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use smt::eval::Evaluator;
use smt::expr::{ArrayId, Expr, FloatFormat, FloatOp, FunctionId, Rounding};
use smt::pool::{Pool, Reading};
use smt::solver::blast::Blaster;
use smt::solver::process::ProcessSolver;
use smt::solver::{Answer, Limits, Reason, Solver};
use std::time::Duration;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 24) % limit
    }
}

/// What expressions are made of.
struct World {
    pool: Pool,
    random: Random,
    symbols: Vec<Expr>,
    arrays: Vec<ArrayId>,
    function: FunctionId,
    floats: bool,
}

const WIDTHS: [u32; 6] = [1, 8, 16, 32, 64, 100];

const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

impl World {
    fn new(seed: u64, floats: bool) -> World {
        let mut pool = Pool::new();
        let mut symbols = Vec::new();
        for width in WIDTHS {
            for name in ["a", "b"] {
                symbols.push(pool.symbol(format!("{name}{width}"), width));
            }
        }
        let table: Vec<u64> = (0..19).map(|i| i * 37 % 256).collect();
        let arrays = vec![pool.array_symbol("array", 8, Reading::Unsigned), pool.array_table(&table, 8)];
        let function = pool.function("f");
        World { pool, random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), symbols, arrays, function, floats }
    }

    fn value(&mut self, width: u32, depth: u32) -> Expr {
        if depth == 0 || self.random.below(6) == 0 {
            if self.random.below(3) == 0 {
                let bits = [0, 1, 2, 7, 255, u64::MAX, 1 << 63][self.random.below(7) as usize];
                return self.pool.number(bits, width);
            }
            let of_width: Vec<Expr> = self.symbols.iter().copied().filter(|&s| self.pool.width(s) == width).collect();
            return of_width[self.random.below(of_width.len() as u64) as usize];
        }
        let choice = self.random.below(if self.floats && matches!(width, 16 | 32) { 34 } else { 22 });
        let arg = |world: &mut World| world.value(width, depth - 1);
        let (a, b) = (arg(self), arg(self));
        let pool = &mut self.pool;
        match choice {
            0 => pool.add(a, b),
            1 => pool.sub(a, b),
            2 if width <= 16 => pool.mul(a, b),
            3 if width <= 16 => pool.udiv(a, b),
            4 if width <= 16 => pool.urem(a, b),
            5 if width <= 16 => pool.sdiv(a, b),
            6 if width <= 16 => pool.srem(a, b),
            7 => pool.shl(a, b),
            8 => pool.lshr(a, b),
            9 => pool.ashr(a, b),
            10 => pool.and(a, b),
            11 => pool.or(a, b),
            12 => pool.neg(a),
            13 => pool.not(a),
            14 | 15 => {
                let condition = self.condition(depth - 1);
                self.pool.ite(condition, a, b)
            }
            16 => {
                let from = WIDTHS[self.random.below(6) as usize];
                let other = self.value(from, depth - 1);
                match from.cmp(&width) {
                    std::cmp::Ordering::Less => self.pool.sext(other, width),
                    std::cmp::Ordering::Greater => self.pool.extract(other, (from - width) / 2, width),
                    std::cmp::Ordering::Equal => other,
                }
            }
            17 if width > 1 => {
                let half = width / 2;
                let (high, low) = (pool.extract(a, 0, half), pool.extract(b, half, width - half));
                pool.concat(high, low)
            }
            18 | 19 if width == 8 => {
                let index = self.value(64, depth - 1);
                let at = self.value(64, depth - 1);
                let array = self.arrays[self.random.below(2) as usize];
                let written = self.pool.store(array, at, a);
                let array = if choice == 18 { array } else { written };
                self.pool.select(array, index)
            }
            20 if width == 32 => {
                let function = self.function;
                pool.apply(function, &[a, b], 32)
            }
            22.. => self.float(choice, width, a, b),
            _ => pool.xor(a, b),
        }
    }

    fn float(&mut self, choice: u64, width: u32, a: Expr, b: Expr) -> Expr {
        let format = self.format(width);
        let other = if width == 16 { FloatFormat::Single } else { FloatFormat::Half };
        let rounding = ROUNDINGS[self.random.below(5) as usize];
        let nearest = Rounding::NearestEven;
        let signed = self.random.below(2) == 0;
        // What is hard for some solver is asked of few bits only.
        let op = match choice {
            22 => FloatOp::Add(format, rounding),
            23 => FloatOp::Sub(format, rounding),
            24 if width == 16 => FloatOp::Mul(format, rounding),
            25 if width == 16 => FloatOp::Div(format, rounding),
            26 if width == 16 => FloatOp::Sqrt(format, nearest),
            27 if width == 16 => FloatOp::Rem(format),
            28 if width == 16 => {
                let c = self.value(width, 0);
                return self.pool.float(FloatOp::Fma(format, rounding), &[a, b, c], width);
            }
            29 => FloatOp::RoundToIntegral(format, rounding),
            30 => {
                let from = self.value(other.width(), 0);
                return self.pool.float(FloatOp::Convert { from: other, to: format, rounding }, &[from], width);
            }
            31 => FloatOp::FromInt { to: format, signed, rounding },
            32 => return self.integer_of(format, signed, a),
            _ => return self.pool.float_neg(format, a),
        };
        let unary = matches!(op, FloatOp::Sqrt(..) | FloatOp::RoundToIntegral(..) | FloatOp::FromInt { .. });
        let args = [a, b];
        self.pool.float(op, if unary { &args[..1] } else { &args }, width)
    }

    /// A conversion where it is defined, else zero.
    fn integer_of(&mut self, format: FloatFormat, signed: bool, a: Expr) -> Expr {
        let pool = &mut self.pool;
        let width = format.width();
        let of_int = |pool: &mut Pool, value: u64| {
            let op = FloatOp::FromInt { to: format, signed: true, rounding: Rounding::Zero };
            let value = pool.number(value, 32);
            pool.float(op, &[value], width)
        };
        let (low, high) = (of_int(pool, if signed { (-1000i32) as u32 as u64 } else { 0 }), of_int(pool, 1000));
        let above = pool.float(FloatOp::Le(format), &[low, a], 1);
        let below = pool.float(FloatOp::Le(format), &[a, high], 1);
        let fits = pool.and(above, below);
        let int = pool.float(FloatOp::ToInt { from: format, signed }, &[a], width);
        let zero = pool.zero(width);
        pool.ite(fits, int, zero)
    }

    fn format(&mut self, width: u32) -> FloatFormat {
        match width {
            16 if self.random.below(16) == 0 => FloatFormat::BFloat,
            16 => FloatFormat::Half,
            _ => FloatFormat::Single,
        }
    }

    fn condition(&mut self, depth: u32) -> Expr {
        let width = WIDTHS[self.random.below(6) as usize];
        let (a, b) = (self.value(width, depth), self.value(width, depth));
        let float = self.floats && matches!(width, 16 | 32);
        let choice = self.random.below(if float { 10 } else { 6 });
        let format = self.format(width);
        let pool = &mut self.pool;
        match choice {
            0 => pool.eq(a, b),
            1 => pool.ult(a, b),
            2 => pool.ule(a, b),
            3 => pool.slt(a, b),
            4 => pool.sle(a, b),
            6 => pool.float(FloatOp::Lt(format), &[a, b], 1),
            7 => pool.float(FloatOp::Le(format), &[a, b], 1),
            8 => pool.float(FloatOp::Eq(format), &[a, b], 1),
            9 => pool.float(FloatOp::IsNan(format), &[a], 1),
            _ => pool.ne(a, b),
        }
    }
}

/// Every model must satisfy its constraints.
fn model_holds(world: &World, constraints: &[Expr], answer: &Answer) -> bool {
    let Answer::Sat(model) = answer else { return true };
    let mut evaluator = Evaluator::new(&world.pool, model);
    constraints.iter().all(|&constraint| evaluator.holds(constraint) == Some(true))
}

/// Questions that once went wrong.
const TROUBLE: [u64; 5] = [649, 9324, 16_380, 18_524, 18_580];

/// Which random constraints to ask.
fn seeds() -> impl Iterator<Item = u64> {
    let (first, last) = match std::env::var("PATHSHIFT_SEEDS") {
        Ok(range) => {
            let (first, last) = range.split_once("..").unwrap();
            (first.parse().unwrap(), last.parse().unwrap())
        }
        Err(_) if std::env::var_os("PATHSHIFT_FULL").is_some() => (1, 20_000),
        Err(_) => (1, 250),
    };
    TROUBLE.into_iter().chain(first..=last)
}

#[test]
fn solvers_agree() {
    let mut z3 = ProcessSolver::new(vec!["z3".into(), "-in".into()], Duration::from_secs(3));
    let mut wrong: Vec<String> = Vec::new();
    let (mut sat, mut unsat) = (0, 0);
    let mut open = [0; 3];
    for seed in seeds() {
        let mut world = World::new(seed, seed % 4 == 0);
        let number = 1 + world.random.below(3);
        let constraints: Vec<Expr> = (0..number).map(|_| world.condition(3)).collect();
        let limits = Limits { conflicts: 5_000, ..Limits::default() };
        let (mut blaster, mut second) = (Blaster::new(), second());
        let solvers: [&mut dyn Solver; 3] = [&mut blaster, &mut *second, &mut z3];
        let mut agreed: Option<(bool, &str)> = None;
        for (solver, open) in solvers.into_iter().zip(&mut open) {
            let answer = solver.check(&world.pool, &constraints, limits);
            let who = solver.name();
            if answer == Answer::Unknown(Reason::Failed) {
                wrong.push(format!("{who} failed on seed {seed}"));
            }
            if !model_holds(&world, &constraints, &answer) {
                // Z3 4.8 computes some remainders of floats wrongly, and says so in its own model: that is no answer.
                let text = smt::smtlib::script(&world.pool, &constraints).text;
                if who == "process" && text.contains("fp.rem") {
                    println!("seed {seed}: {who} has a model that does not hold");
                    *open += 1;
                    continue;
                }
                wrong.push(format!("seed {seed}: the model of {who} does not hold:\n{text}"));
            }
            let satisfiable = match answer {
                Answer::Sat(_) => true,
                Answer::Unsat => false,
                Answer::Unknown(_) => {
                    *open += 1;
                    continue;
                }
            };
            match agreed {
                Some((other, whose)) if satisfiable != other => {
                    wrong.push(format!("seed {seed}: {who} against {whose}"));
                }
                Some(_) => {}
                None => agreed = Some((satisfiable, who)),
            }
        }
        match agreed {
            Some((true, _)) => sat += 1,
            Some((false, _)) => unsat += 1,
            None => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{sat} sat, {unsat} unsat; left open by the blaster, Bitwuzla, Z3: {open:?}");
    if std::env::var_os("PATHSHIFT_SEEDS").is_none() {
        assert!(sat > 60 && unsat > 20, "{sat} sat, {unsat} unsat");
    }
}

#[cfg(feature = "bitwuzla")]
fn second() -> Box<dyn Solver> {
    Box::new(smt::solver::bitwuzla::Bitwuzla::new())
}

#[cfg(not(feature = "bitwuzla"))]
fn second() -> Box<dyn Solver> {
    Box::new(Blaster::new())
}

#[test]
fn a_solver_that_is_not_there_or_dies_is_unknown() {
    let mut world = World::new(1, false);
    let constraint = world.condition(2);
    let ask = |command: &[&str]| {
        let command = command.iter().map(|word| word.to_string()).collect();
        ProcessSolver::new(command, Duration::from_millis(300)).check(&world.pool, &[constraint], Limits::default())
    };
    assert_eq!(ask(&["no-such-solver"]), Answer::Unknown(Reason::Failed));
    assert_eq!(ask(&["true"]), Answer::Unknown(Reason::Failed));
    assert_eq!(ask(&["sleep", "5"]), Answer::Unknown(Reason::Limit));
    assert_eq!(ask(&[]), Answer::Unknown(Reason::Failed));
}
