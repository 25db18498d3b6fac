//! Terms of a pool as terms of Bitwuzla.
//!
//! A truth value is a bit-vector of width 1 in both. A floating-point result is a number first: operations on it use
//! the number, and only who asks for its bits gets a constant that is *tied* to it by constraints, for there is no
//! function from numbers to bits. A constraint brings the ties of everything below it along.

use crate::expr::{Expr, FloatFormat, FloatOp, FunctionId, Op, Rounding, TermId};
use crate::fold::default_nan;
use crate::pool::{Node, Pool};
use bitwuzla::{Error, Kind, RoundingMode, Sort, Term, TermManager};
use rustc_hash::{FxHashMap, FxHashSet};

/// What was translated so far.
pub struct Translator {
    /// Makes the terms.
    pub terms: TermManager,
    /// About how many gates all that was translated is.
    pub cost: usize,
    /// Bit-vectors and arrays.
    bits: FxHashMap<TermId, Term>,
    /// Results of floating-point operations.
    numbers: FxHashMap<TermId, (Term, FloatFormat)>,
    /// What ties the bits of a number to it.
    ties: FxHashMap<TermId, Term>,
    constraints: FxHashMap<TermId, Term>,
    functions: FxHashMap<(FunctionId, Vec<u32>, u32), Term>,
}

/// Up to so many elements a table is a tree of choices, which is better than an array.
const MAX_TREE: usize = 4096;

/// Up to so many writes over a table a read is a chain of choices too.
const MAX_WRITES: usize = 16;

type Made = Result<Term, Error>;

impl Translator {
    /// Nothing translated yet.
    pub fn new() -> Result<Translator, Error> {
        Ok(Translator {
            terms: TermManager::new()?,
            cost: 0,
            bits: FxHashMap::default(),
            numbers: FxHashMap::default(),
            ties: FxHashMap::default(),
            constraints: FxHashMap::default(),
            functions: FxHashMap::default(),
        })
    }

    /// What to assert for a constraint to hold; `None` if `cost` would become more than `most`.
    pub fn constraint(&mut self, pool: &Pool, expr: Expr, most: usize) -> Result<Option<Term>, Error> {
        let Expr::Term(id) = expr else { return Ok(Some(self.terms.bool_value(expr.is_true())?)) };
        if let Some(term) = self.constraints.get(&id) {
            return Ok(Some(term.clone()));
        }
        if !self.translate(pool, id, most)? {
            return Ok(None);
        }
        let bit = self.bits(pool, expr)?;
        let mut all = self.terms.term(Kind::Equal, &[&bit, &self.terms.bv_value(1, 1)?])?;
        for tie in self.ties_below(pool, id) {
            all = self.terms.term(Kind::And, &[&all, &tie])?;
        }
        self.constraints.insert(id, all.clone());
        Ok(Some(all))
    }

    /// The bits of a constant, or of a term that is translated.
    pub fn bits(&mut self, pool: &Pool, expr: Expr) -> Made {
        let id = match expr {
            Expr::Const { bits, width } => return self.terms.bv_value(width, bits),
            Expr::Term(id) => id,
        };
        if let Some(term) = self.bits.get(&id) {
            return Ok(term.clone());
        }
        match self.numbers.get(&id).cloned() {
            Some((number, format)) => self.tied(id, &number, format),
            None => {
                self.translate(pool, id, usize::MAX)?;
                self.bits.get(&id).cloned().ok_or_else(|| Error::Rejected("a term without a translation".to_string()))
            }
        }
    }

    /// The element of an array symbol.
    pub fn element(&mut self, pool: &Pool, array: Expr, index: Expr) -> Made {
        let (array, index) = (self.bits(pool, array)?, self.bits(pool, index)?);
        self.terms.term(Kind::Select, &[&array, &index])
    }

    /// Translates every term below `root`, deepest first; false if that is too much work.
    fn translate(&mut self, pool: &Pool, root: TermId, most: usize) -> Result<bool, Error> {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.is_done(id) {
                stack.pop();
                continue;
            }
            let node = *pool.node(id);
            let before = stack.len();
            for expr in operands(pool, &node) {
                if let Expr::Term(id) = expr
                    && !self.is_done(id)
                {
                    stack.push(id);
                }
            }
            if stack.len() > before {
                continue;
            }
            self.cost = self.cost.saturating_add(cost(pool, &node));
            if self.cost > most {
                return Ok(false);
            }
            match node.op {
                Op::Float(op) => self.float(pool, id, op, &node)?,
                _ => {
                    let term = self.make(pool, &node)?;
                    self.bits.insert(id, term);
                }
            }
            stack.pop();
        }
        Ok(true)
    }

    fn is_done(&self, id: TermId) -> bool {
        self.bits.contains_key(&id) || self.numbers.contains_key(&id)
    }

    fn make(&mut self, pool: &Pool, node: &Node) -> Made {
        let kind = match node.op {
            Op::Symbol(symbol) => {
                return self.terms.symbol(&Sort::BitVec(node.width), &format!("s{}", symbol.0));
            }
            Op::ArraySymbol(symbol) => {
                return self.terms.symbol(&array_sort(node.width), &format!("s{}", symbol.0));
            }
            Op::Wide(index) => return self.terms.wide_value(node.width, &pool.wide(index).words),
            Op::ArrayTable(table) => return self.table_as_array(pool.table(table), node.width),
            Op::Select => return self.select(pool, node),
            Op::Apply { function, args } => return self.apply(pool, function, pool.apply_args(args), node.width),
            Op::Ult => return self.truth(pool, Kind::BvUlt, node),
            Op::Ule => return self.truth(pool, Kind::BvUle, node),
            Op::Slt => return self.truth(pool, Kind::BvSlt, node),
            Op::Sle => return self.truth(pool, Kind::BvSle, node),
            Op::Ite => {
                let args = self.args(pool, node)?;
                let condition = self.terms.term(Kind::Equal, &[&args[0], &self.terms.bv_value(1, 1)?])?;
                return self.terms.term(Kind::Ite, &[&condition, &args[1], &args[2]]);
            }
            Op::Extract { low } => {
                let arg = self.bits(pool, node.args()[0])?;
                return self.terms.indexed(Kind::BvExtract, &[&arg], &[low + node.width - 1, low]);
            }
            Op::ZExt | Op::SExt => {
                let more = node.width - pool.width(node.args()[0]);
                let kind = if node.op == Op::ZExt { Kind::BvZeroExtend } else { Kind::BvSignExtend };
                let arg = self.bits(pool, node.args()[0])?;
                return self.terms.indexed(kind, &[&arg], &[more]);
            }
            Op::Not => Kind::BvNot,
            Op::Neg => Kind::BvNeg,
            Op::And => Kind::BvAnd,
            Op::Or => Kind::BvOr,
            Op::Xor => Kind::BvXor,
            Op::Add => Kind::BvAdd,
            Op::Sub => Kind::BvSub,
            Op::Mul => Kind::BvMul,
            Op::UDiv => Kind::BvUdiv,
            Op::URem => Kind::BvUrem,
            Op::SDiv => Kind::BvSdiv,
            Op::SRem => Kind::BvSrem,
            Op::Shl => Kind::BvShl,
            Op::LShr => Kind::BvLshr,
            Op::AShr => Kind::BvAshr,
            Op::Eq => Kind::BvComp,
            Op::Concat => Kind::BvConcat,
            Op::Store => Kind::Store,
            Op::Float(_) => return Err(Error::Rejected("a number is no bit-vector".to_string())),
        };
        let args = self.args(pool, node)?;
        self.terms.term(kind, &args.iter().collect::<Vec<_>>())
    }

    fn args(&mut self, pool: &Pool, node: &Node) -> Result<Vec<Term>, Error> {
        node.args().iter().map(|&arg| self.bits(pool, arg)).collect()
    }

    /// A comparison as one bit.
    fn truth(&mut self, pool: &Pool, kind: Kind, node: &Node) -> Made {
        let args = self.args(pool, node)?;
        let holds = self.terms.term(kind, &args.iter().collect::<Vec<_>>())?;
        self.as_bit(&holds)
    }

    fn as_bit(&self, holds: &Term) -> Made {
        self.terms.term(Kind::Ite, &[holds, &self.terms.bv_value(1, 1)?, &self.terms.bv_value(1, 0)?])
    }

    fn select(&mut self, pool: &Pool, node: &Node) -> Made {
        let index = self.bits(pool, node.args()[1])?;
        let Some((writes, table)) = short_reads(pool, node) else {
            let array = self.bits(pool, node.args()[0])?;
            return self.terms.term(Kind::Select, &[&array, &index]);
        };
        let mut element = self.look_up(pool.table(table), &index, node.width)?;
        for (at, value) in writes.into_iter().rev() {
            let (at, value) = (self.bits(pool, at)?, self.bits(pool, value)?);
            let here = self.terms.term(Kind::Equal, &[&at, &index])?;
            element = self.terms.term(Kind::Ite, &[&here, &value, &element])?;
        }
        Ok(element)
    }

    /// A known table as a tree of choices over the bits of the index; zero beyond it.
    fn look_up(&mut self, table: &[u64], index: &Term, width: u32) -> Made {
        let levels = table.len().next_power_of_two().trailing_zeros();
        let zero = self.terms.bv_value(width, 0)?;
        let mut row = table.iter().map(|&value| self.terms.bv_value(width, value)).collect::<Result<Vec<_>, _>>()?;
        row.resize(1 << levels, zero.clone());
        for level in 0..levels {
            let bit = self.terms.indexed(Kind::BvExtract, &[index], &[level, level])?;
            let set = self.terms.term(Kind::Equal, &[&bit, &self.terms.bv_value(1, 1)?])?;
            row = row
                .chunks(2)
                .map(|pair| match pair {
                    [low, high] if low == high => Ok(low.clone()),
                    [low, high] => self.terms.term(Kind::Ite, &[&set, high, low]),
                    _ => Ok(pair[0].clone()),
                })
                .collect::<Result<Vec<_>, _>>()?;
        }
        let length = self.terms.bv_value(64, table.len() as u64)?;
        let inside = self.terms.term(Kind::BvUlt, &[index, &length])?;
        self.terms.term(Kind::Ite, &[&inside, &row[0], &zero])
    }

    fn table_as_array(&mut self, table: &[u64], width: u32) -> Made {
        let zero = self.terms.bv_value(width, 0)?;
        let mut array = self.terms.const_array(&array_sort(width), &zero)?;
        for (index, &element) in table.iter().enumerate().filter(|(_, element)| **element != 0) {
            let (index, element) = (self.terms.bv_value(64, index as u64)?, self.terms.bv_value(width, element)?);
            array = self.terms.term(Kind::Store, &[&array, &index, &element])?;
        }
        Ok(array)
    }

    fn apply(&mut self, pool: &Pool, function: FunctionId, args: &[Expr], width: u32) -> Made {
        let widths: Vec<u32> = args.iter().map(|&arg| pool.width(arg)).collect();
        let key = (function, widths, width);
        let symbol = match self.functions.get(&key) {
            Some(symbol) => symbol.clone(),
            None => {
                let result = Sort::BitVec(width);
                let sort = match key.1.is_empty() {
                    true => result,
                    false => Sort::Function(key.1.iter().map(|&width| Sort::BitVec(width)).collect(), result.into()),
                };
                let symbol = self.terms.symbol(&sort, &format!("f{}", function.0))?;
                self.functions.insert(key, symbol.clone());
                symbol
            }
        };
        if args.is_empty() {
            return Ok(symbol);
        }
        let mut all = vec![symbol];
        for &arg in args {
            all.push(self.bits(pool, arg)?);
        }
        self.terms.term(Kind::Apply, &all.iter().collect::<Vec<_>>())
    }

    fn float(&mut self, pool: &Pool, id: TermId, op: FloatOp, node: &Node) -> Result<(), Error> {
        let arithmetic = |format, kind, rounding, count| (format, kind, Some(rounding), count);
        let (format, kind, rounding, count) = match op {
            FloatOp::Add(format, rounding) => arithmetic(format, Kind::FpAdd, rounding, 2),
            FloatOp::Sub(format, rounding) => arithmetic(format, Kind::FpSub, rounding, 2),
            FloatOp::Mul(format, rounding) => arithmetic(format, Kind::FpMul, rounding, 2),
            FloatOp::Div(format, rounding) => arithmetic(format, Kind::FpDiv, rounding, 2),
            FloatOp::Fma(format, rounding) => arithmetic(format, Kind::FpFma, rounding, 3),
            FloatOp::Sqrt(format, rounding) => arithmetic(format, Kind::FpSqrt, rounding, 1),
            FloatOp::RoundToIntegral(format, rounding) => arithmetic(format, Kind::FpRti, rounding, 1),
            FloatOp::Eq(format) => (format, Kind::FpEqual, None, 2),
            FloatOp::Lt(format) => (format, Kind::FpLt, None, 2),
            FloatOp::Le(format) => (format, Kind::FpLe, None, 2),
            FloatOp::IsNan(format) => (format, Kind::FpIsNan, None, 1),
            FloatOp::Rem(format) => {
                let (x, y) = (self.number(pool, node.args()[0], format)?, self.number(pool, node.args()[1], format)?);
                let number = self.remainder(&x, &y)?;
                self.numbers.insert(id, (number, format));
                return Ok(());
            }
            FloatOp::Convert { from, to, rounding } => {
                let (rounding, number) = (self.rounding(rounding)?, self.number(pool, node.args()[0], from)?);
                let indices = [to.exponent(), to.significand()];
                let number = self.terms.indexed(Kind::FpFromFp, &[&rounding, &number], &indices)?;
                self.numbers.insert(id, (number, to));
                return Ok(());
            }
            FloatOp::FromInt { to, signed, rounding } => {
                let kind = if signed { Kind::FpFromSigned } else { Kind::FpFromUnsigned };
                let (rounding, bits) = (self.rounding(rounding)?, self.bits(pool, node.args()[0])?);
                let indices = [to.exponent(), to.significand()];
                let number = self.terms.indexed(kind, &[&rounding, &bits], &indices)?;
                self.numbers.insert(id, (number, to));
                return Ok(());
            }
            FloatOp::ToInt { from, signed } => {
                let kind = if signed { Kind::FpToSigned } else { Kind::FpToUnsigned };
                let (rounding, number) = (self.rounding(Rounding::Zero)?, self.number(pool, node.args()[0], from)?);
                let bits = self.terms.indexed(kind, &[&rounding, &number], &[node.width])?;
                self.bits.insert(id, bits);
                return Ok(());
            }
        };
        let mut args = match rounding {
            Some(rounding) => vec![self.rounding(rounding)?],
            None => Vec::new(),
        };
        for &arg in &node.args()[..count] {
            args.push(self.number(pool, arg, format)?);
        }
        let result = self.terms.term(kind, &args.iter().collect::<Vec<_>>())?;
        match rounding {
            Some(_) => {
                self.numbers.insert(id, (result, format));
            }
            None => {
                let bit = self.as_bit(&result)?;
                self.bits.insert(id, bit);
            }
        }
        Ok(())
    }

    /// C's `fmod`: the quotient is rounded to zero, that of IEEE's remainder to the nearest.
    fn remainder(&self, x: &Term, y: &Term) -> Made {
        let terms = &self.terms;
        let (size_x, size_y) = (terms.term(Kind::FpAbs, &[x])?, terms.term(Kind::FpAbs, &[y])?);
        let nearest = terms.term(Kind::FpRem, &[&size_x, &size_y])?;
        let rounding = self.rounding(Rounding::NearestEven)?;
        let above = terms.term(Kind::FpAdd, &[&rounding, &nearest, &size_y])?;
        let size = terms.term(Kind::Ite, &[&terms.term(Kind::FpIsNeg, &[&nearest])?, &above, &nearest])?;
        let negative = terms.term(Kind::FpNeg, &[&size])?;
        terms.term(Kind::Ite, &[&terms.term(Kind::FpIsNeg, &[x])?, &negative, &size])
    }

    /// An operand as a number.
    fn number(&mut self, pool: &Pool, expr: Expr, format: FloatFormat) -> Made {
        if let Expr::Term(id) = expr
            && let Some((number, known)) = self.numbers.get(&id)
            && *known == format
        {
            return Ok(number.clone());
        }
        let bits = self.bits(pool, expr)?;
        self.read_float(&bits, format)
    }

    fn read_float(&self, bits: &Term, format: FloatFormat) -> Made {
        self.terms.indexed(Kind::FpFromBits, &[bits], &[format.exponent(), format.significand()])
    }

    /// A constant for the bits of a number.
    fn tied(&mut self, id: TermId, number: &Term, format: FloatFormat) -> Made {
        let terms = &self.terms;
        let bits = terms.symbol(&Sort::BitVec(format.width()), &format!("t{}", id.index()))?;
        let same = terms.term(Kind::Equal, &[&self.read_float(&bits, format)?, number])?;
        let nan = terms.wide_value(format.width(), &default_nan(format).words)?;
        let is_nan = terms.term(Kind::FpIsNan, &[number])?;
        let one_nan = terms.term(Kind::Implies, &[&is_nan, &terms.term(Kind::Equal, &[&bits, &nan])?])?;
        let tie = terms.term(Kind::And, &[&same, &one_nan])?;
        self.ties.insert(id, tie);
        self.bits.insert(id, bits.clone());
        Ok(bits)
    }

    fn ties_below(&self, pool: &Pool, root: TermId) -> Vec<Term> {
        let mut ties = Vec::new();
        if self.ties.is_empty() {
            return ties;
        }
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            ties.extend(self.ties.get(&id).cloned());
            let node = pool.node(id);
            stack.extend(operands(pool, node).into_iter().filter_map(|expr| match expr {
                Expr::Term(id) => Some(id),
                Expr::Const { .. } => None,
            }));
        }
        ties
    }

    fn rounding(&self, rounding: Rounding) -> Made {
        self.terms.rounding_mode(match rounding {
            Rounding::NearestEven => RoundingMode::NearestEven,
            Rounding::NearestAway => RoundingMode::NearestAway,
            Rounding::Up => RoundingMode::TowardPositive,
            Rounding::Down => RoundingMode::TowardNegative,
            Rounding::Zero => RoundingMode::TowardZero,
        })
    }
}

fn array_sort(width: u32) -> Sort {
    Sort::Array(Sort::BitVec(64).into(), Sort::BitVec(width).into())
}

/// What has to be translated before a term.
fn operands(pool: &Pool, node: &Node) -> Vec<Expr> {
    match node.op {
        Op::Apply { args, .. } => pool.apply_args(args).to_vec(),
        Op::Select => match short_reads(pool, node) {
            Some((writes, _)) => {
                let writes = writes.into_iter().flat_map(|(index, value)| [index, value]);
                std::iter::once(node.args()[1]).chain(writes).collect()
            }
            None => node.args().to_vec(),
        },
        _ => node.args().to_vec(),
    }
}

/// The writes below a read, the last one first, and the table below them, if that is better than an array.
fn short_reads(pool: &Pool, read: &Node) -> Option<(Vec<(Expr, Expr)>, u32)> {
    let mut writes = Vec::new();
    let mut array = read.args()[0];
    while let Expr::Term(id) = array {
        let node = pool.node(id);
        match node.op {
            Op::Store if writes.len() < MAX_WRITES => {
                writes.push((node.args()[1], node.args()[2]));
                array = node.args()[0];
            }
            Op::ArrayTable(table) => return (pool.table(table).len() <= MAX_TREE).then_some((writes, table)),
            _ => return None,
        }
    }
    None
}

/// About how many gates a term is.
fn cost(pool: &Pool, node: &Node) -> usize {
    let width = node.args().first().map_or(node.width, |&arg| pool.width(arg)).max(node.width) as usize;
    match node.op {
        Op::Mul => width * width * 4,
        Op::UDiv | Op::URem | Op::SDiv | Op::SRem => width * width * 8,
        Op::Shl | Op::LShr | Op::AShr => width * 8,
        Op::ArrayTable(table) => pool.table(table).len() * 8,
        Op::Float(op) => match op {
            FloatOp::Mul(..) | FloatOp::FromInt { .. } | FloatOp::ToInt { .. } => width * width * 4,
            FloatOp::Div(..) | FloatOp::Sqrt(..) => width * width * 8,
            FloatOp::Fma(..) => width * width * 12,
            // A step for each exponent.
            FloatOp::Rem(format) => (width * 8) << format.exponent(),
            _ => width * 32,
        },
        _ => width,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_tied_to_its_bits_only_where_they_are_asked_for() -> Result<(), Error> {
        let mut pool = Pool::new();
        let (x, y) = (pool.symbol("x", 32), pool.symbol("y", 32));
        let single = FloatFormat::Single;
        let sum = pool.float(FloatOp::Add(single, Rounding::NearestEven), &[x, y], 32);
        let less = pool.float(FloatOp::Lt(single), &[sum, x], 1);
        let same = pool.eq(sum, y);
        let mut translator = Translator::new()?;
        translator.constraint(&pool, less, usize::MAX)?;
        assert_eq!(translator.ties.len(), 0);
        translator.constraint(&pool, same, usize::MAX)?;
        assert_eq!(translator.ties.len(), 1);
        Ok(())
    }
}
