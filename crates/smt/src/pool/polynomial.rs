//! A normal form in which sums of products are the same if they are equal as polynomials.
//!
//! Rules that look at one operation at a time do not see that `h * 33 + c` is `(h << 5) + h + c`, or that it does not
//! matter in which order numbers are added. Here sums, differences, products, shifts by known distances and remainders
//! become polynomials modulo a power of two, over whatever else there is; polynomials are written down in one way. That
//! takes more time than building terms should, and products grow, so only questions that are hard otherwise are worth it.

use super::Pool;
use crate::expr::{Expr, Op, TermId, mask};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Products of other terms, in order, each with its factor. No factor is zero.
type Polynomial = BTreeMap<Vec<Expr>, u64>;

/// Most products of a polynomial, and most terms of a product.
const MAX_PRODUCTS: usize = 48;
const MAX_DEGREE: usize = 6;

/// Terms after which no more are looked at.
const MAX_TERMS: usize = 100_000;

/// An expression that is equal, with its arithmetic in normal form.
pub fn normal(pool: &mut Pool, root: Expr) -> Expr {
    normals(pool, &[root]).first().copied().unwrap_or(root)
}

/// The same of several, which may have much in common: all of it is looked at once.
pub fn normals(pool: &mut Pool, roots: &[Expr]) -> Vec<Expr> {
    let mut form = Form { pool, made: FxHashMap::default(), known: FxHashMap::default() };
    let made = |&root: &Expr| match root {
        Expr::Term(id) => form.make(id).unwrap_or(root),
        Expr::Const { .. } => root,
    };
    roots.iter().map(made).collect()
}

struct Form<'p> {
    pool: &'p mut Pool,
    made: FxHashMap<TermId, Expr>,
    /// Polynomials of what was made, where they are more than themselves.
    known: FxHashMap<Expr, Rc<Polynomial>>,
}

impl Form<'_> {
    fn make(&mut self, root: TermId) -> Option<Expr> {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.made.contains_key(&id) {
                stack.pop();
                continue;
            }
            if self.made.len() > MAX_TERMS {
                return None;
            }
            let node = *self.pool.node(id);
            let args: Vec<Expr> = match node.op {
                Op::Apply { args, .. } => self.pool.apply_args(args).to_vec(),
                _ => node.args().to_vec(),
            };
            let before = stack.len();
            stack.extend(args.iter().filter_map(|arg| match arg {
                Expr::Term(id) if !self.made.contains_key(id) => Some(*id),
                _ => None,
            }));
            if stack.len() > before {
                continue;
            }
            let args: Vec<Expr> = args.iter().map(|arg| self.of(*arg)).collect();
            let made = self.rebuild(id, node.op, node.width, &args);
            self.made.insert(id, made);
            stack.pop();
        }
        self.made.get(&root).copied()
    }

    fn of(&self, expr: Expr) -> Expr {
        match expr {
            Expr::Term(id) => self.made.get(&id).copied().unwrap_or(expr),
            Expr::Const { .. } => expr,
        }
    }

    fn rebuild(&mut self, id: TermId, op: Op, width: u32, args: &[Expr]) -> Expr {
        if let Op::Symbol(_) | Op::ArraySymbol(_) | Op::Wide(_) | Op::ArrayTable(_) = op {
            return Expr::Term(id);
        }
        if let (Op::Eq, [a, b]) = (op, args) {
            let width = self.pool.width(*a);
            if (2..=64).contains(&width) {
                let difference = sum(&self.polynomial(*a), &self.polynomial(*b), mask(width), width);
                match difference.first_key_value() {
                    None => return Expr::bool(true),
                    Some((product, _)) if product.is_empty() && difference.len() == 1 => return Expr::bool(false),
                    _ => {}
                }
            }
        }
        if (2..=64).contains(&width)
            && let Some(polynomial) = self.arithmetic(op, width, args)
        {
            return self.write(polynomial, width);
        }
        match op {
            Op::Apply { function, .. } => self.pool.apply(function, args, width),
            _ => self.pool.make(op, width, args),
        }
    }

    /// The polynomial that an operation makes of others; nothing if it makes none, or one that is too large.
    fn arithmetic(&mut self, op: Op, width: u32, args: &[Expr]) -> Option<Polynomial> {
        let minus = mask(width);
        let of = |form: &Self, at: usize| args.get(at).map(|arg| form.polynomial(*arg));
        let found = match op {
            Op::Add => sum(&*of(self, 0)?, &*of(self, 1)?, 1, width),
            Op::Sub => sum(&*of(self, 0)?, &*of(self, 1)?, minus, width),
            Op::Mul => product(&*of(self, 0)?, &*of(self, 1)?, width)?,
            Op::Neg => sum(&Polynomial::new(), &*of(self, 0)?, minus, width),
            Op::Not => sum(&constant(minus, width), &*of(self, 0)?, minus, width),
            Op::URem | Op::SRem => {
                let quotient = if op == Op::URem { Op::UDiv } else { Op::SDiv };
                let quotient = self.pool.make(quotient, width, args);
                let taken = product(&self.polynomial(quotient), &*of(self, 1)?, width)?;
                sum(&*of(self, 0)?, &taken, minus, width)
            }
            Op::Concat => {
                let (high, low) = (*args.first()?, args.get(1)?.as_const()?);
                let distance = width - self.pool.width(high);
                let high = self.lifted(high, width)?;
                let scaled = product(&high, &constant(1 << distance, width), width)?;
                sum(&scaled, &constant(low, width), 1, width)
            }
            Op::Extract { low: 0 } => {
                let arg = *args.first()?;
                // Of a single term its lowest bits are just that.
                self.known.get(&arg)?;
                self.cut(arg, width)?
            }
            _ => return None,
        };
        (found.len() <= MAX_PRODUCTS).then_some(found)
    }

    /// A polynomial of another width with the same lowest bits; what is moved up is cut at the top, so that its upper bits
    /// may be anything.
    fn lifted(&mut self, expr: Expr, width: u32) -> Option<Polynomial> {
        let mut all = Polynomial::new();
        for (terms, factor) in self.polynomial(expr).iter() {
            let mut part = constant(*factor, width);
            for &term in terms {
                let node = match term {
                    Expr::Term(id) => *self.pool.node(id),
                    Expr::Const { .. } => return None,
                };
                let wide = match (node.op, node.args().first()) {
                    (Op::Extract { low: 0 }, Some(&whole)) if self.pool.width(whole) >= width => {
                        self.pool.extract(whole, 0, width)
                    }
                    (Op::SExt, Some(&inner)) => self.pool.sext(inner, width),
                    _ => self.pool.zext(term, width),
                };
                part = product(&part, &self.polynomial(wide), width)?;
            }
            all = sum(&all, &part, 1, width);
        }
        Some(all)
    }

    /// The polynomial of the lowest bits of something.
    fn cut(&mut self, expr: Expr, width: u32) -> Option<Polynomial> {
        let mut all = Polynomial::new();
        for (terms, factor) in self.polynomial(expr).iter() {
            let mut part = constant(*factor, width);
            for &term in terms {
                let cut = self.pool.extract(term, 0, width);
                part = product(&part, &self.polynomial(cut), width)?;
            }
            all = sum(&all, &part, 1, width);
        }
        Some(all)
    }

    fn polynomial(&self, expr: Expr) -> Rc<Polynomial> {
        if let Some(value) = expr.as_const() {
            return Rc::new(constant(value, 64));
        }
        let single = || Rc::new(Polynomial::from([(vec![expr], 1)]));
        self.known.get(&expr).cloned().unwrap_or_else(single)
    }

    /// The term that a polynomial is: products in their order.
    fn write(&mut self, polynomial: Polynomial, width: u32) -> Expr {
        let mut all = Expr::constant(0, width);
        for (terms, factor) in &polynomial {
            let mut product = Expr::constant(*factor, width);
            for &term in terms {
                product = self.pool.mul(product, term);
            }
            all = self.pool.add(all, product);
        }
        let single = polynomial.first_key_value().is_some_and(|(terms, _)| *terms == [all]);
        if all.as_const().is_none() && !single {
            self.known.insert(all, Rc::new(polynomial));
        }
        all
    }
}

fn constant(value: u64, width: u32) -> Polynomial {
    let value = value & mask(width);
    if value == 0 { Polynomial::new() } else { Polynomial::from([(Vec::new(), value)]) }
}

/// The first one and so many times the second one.
fn sum(a: &Polynomial, b: &Polynomial, times: u64, width: u32) -> Polynomial {
    let mut all = Polynomial::new();
    let parts = a.iter().map(|part| (part, 1)).chain(b.iter().map(|part| (part, times)));
    for ((terms, factor), times) in parts {
        let entry = all.entry(terms.clone()).or_insert(0u64);
        *entry = entry.wrapping_add(factor.wrapping_mul(times)) & mask(width);
    }
    all.retain(|_, factor| *factor != 0);
    all
}

fn product(a: &Polynomial, b: &Polynomial, width: u32) -> Option<Polynomial> {
    if a.len() * b.len() > MAX_PRODUCTS {
        return None;
    }
    let mut all = Polynomial::new();
    for (first, x) in a {
        for (second, y) in b {
            let mut terms = [&first[..], &second[..]].concat();
            if terms.len() > MAX_DEGREE {
                return None;
            }
            terms.sort_unstable();
            let entry = all.entry(terms).or_insert(0u64);
            *entry = entry.wrapping_add(x.wrapping_mul(*y)) & mask(width);
        }
    }
    all.retain(|_, factor| *factor != 0);
    Some(all)
}
