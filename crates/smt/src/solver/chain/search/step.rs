//! What the values of an operation's operands tell of its result, and the other way round.
//!
//! Both directions may keep values that are not possible, and never lose one that is.

use super::domain::Domain;
use crate::bits::Bits;
use crate::expr::{Op, mask, signed};
use crate::fold::{fold, fold_small};

/// The result of an operation, as far as its operands tell. Operands that it does not have are ignored.
pub fn forward(op: Op, width: u32, a: &Domain, b: &Domain, c: &Domain, count: usize) -> Domain {
    let all = mask(width);
    if op != Op::Ite
        && let Some(value) = exact(op, width, [a, b, c], count)
    {
        return value.map_or(Domain::all(width), |value| Domain::one(value, width));
    }
    match op {
        Op::Not => Domain {
            width,
            low: !a.high & all,
            high: !a.low & all,
            least: !a.greatest,
            greatest: !a.least,
            zeros: a.ones | !all,
            ones: a.zeros & all,
        },
        Op::Neg => subtract(&Domain::one(0, width), a),
        Op::And => {
            Domain { high: a.high.min(b.high), ..Domain::bits(a.zeros | b.zeros, a.ones & b.ones, width) }.settled()
        }
        Op::Or => Domain { low: a.low.max(b.low), ..Domain::bits(a.zeros & b.zeros, a.ones | b.ones, width) }.settled(),
        Op::Xor => Domain::bits(a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros, width),
        Op::Add => add(a, b),
        Op::Sub => subtract(a, b),
        Op::Mul => multiply(a, b),
        Op::UDiv if b.low > 0 => Domain::range(a.low / b.high, a.high / b.low, width),
        Op::URem if b.low > 0 => Domain::range(0, a.high.min(b.high - 1), width),
        Op::URem => Domain::range(0, a.high, width),
        Op::SDiv if b.least > 0 => {
            let ends = [a.least / b.least, a.least / b.greatest, a.greatest / b.least, a.greatest / b.greatest];
            hull(ends, width)
        }
        Op::SRem if b.least > 0 => {
            let most = b.greatest - 1;
            Domain::signed_range(a.least.min(0).max(-most), a.greatest.max(0).min(most), width)
        }
        Op::Shl => match b.value() {
            Some(by) if by < u64::from(width) => {
                let bits = Domain::bits(a.zeros << by | ((1 << by) - 1), a.ones << by, width);
                if a.high <= all >> by { bits.meet(&Domain::range(a.low << by, a.high << by, width)) } else { bits }
            }
            _ => Domain::all(width),
        },
        Op::LShr => {
            match b.value() {
                Some(by) if by < u64::from(width) => Domain::range(a.low >> by, a.high >> by, width)
                    .meet(&Domain::bits(a.zeros >> by | !(all >> by), a.ones >> by, width)),
                _ => Domain::range(0, a.high, width),
            }
        }
        Op::AShr => match b.value() {
            Some(by) => Domain::signed_range(a.least >> by.min(63), a.greatest >> by.min(63), width),
            _ => Domain::signed_range(a.least.min(0), a.greatest.max(-1), width),
        },
        Op::Eq => truth(a.meet(b).is_empty(), false),
        Op::Ult => truth(a.low >= b.high, a.high < b.low),
        Op::Ule => truth(a.low > b.high, a.high <= b.low),
        Op::Slt => truth(a.least >= b.greatest, a.greatest < b.least),
        Op::Sle => truth(a.least > b.greatest, a.greatest <= b.least),
        Op::Ite => match a.value() {
            Some(1) => *b,
            Some(_) => *c,
            None => b.join(c),
        },
        Op::Concat => {
            let shift = b.width;
            let join = |high: u64, low: u64| if shift >= 64 { low } else { high << shift | low };
            Domain {
                low: join(a.low, b.low),
                high: join(a.high, b.high),
                zeros: join(a.zeros, b.zeros & mask(shift)) | !all,
                ones: join(a.ones, b.ones),
                ..Domain::all(width)
            }
            .settled()
        }
        Op::Extract { low } => {
            let bits = Domain::bits(a.zeros >> low, a.ones >> low, width);
            if a.high >> low <= all { bits.meet(&Domain::range(a.low >> low, a.high >> low, width)) } else { bits }
        }
        Op::ZExt => Domain { width, least: 0, greatest: i64::MAX, ..*a }.meet(&Domain::all(width)),
        Op::SExt => {
            let range = Domain::signed_range(a.least, a.greatest, width);
            let below = mask(a.width - 1);
            range.meet(&Domain::bits(a.zeros & below, a.ones & below, width))
        }
        _ => Domain::all(width),
    }
}

/// What the result tells of each operand.
pub fn backward(op: Op, r: &Domain, a: &Domain, b: &Domain, c: &Domain) -> [Domain; 3] {
    let [mut to_a, mut to_b, mut to_c] = [*a, *b, *c];
    let known = |bits: &Domain| bits.zeros | bits.ones;
    match op {
        Op::Not => to_a = forward(Op::Not, r.width, r, r, r, 1),
        Op::Neg => to_a = forward(Op::Neg, r.width, r, r, r, 1),
        Op::And => {
            to_a = Domain { low: r.low, ..Domain::bits(r.zeros & b.ones, r.ones, a.width) }.settled();
            to_b = Domain { low: r.low, ..Domain::bits(r.zeros & a.ones, r.ones, b.width) }.settled();
        }
        Op::Or => {
            to_a = Domain { high: r.high, ..Domain::bits(r.zeros, r.ones & b.zeros, a.width) }.settled();
            to_b = Domain { high: r.high, ..Domain::bits(r.zeros, r.ones & a.zeros, b.width) }.settled();
        }
        Op::Xor => {
            let with = |other: &Domain, width: u32| {
                let both = known(r) & known(other);
                let ones = (r.ones ^ other.ones) & both;
                Domain::bits(!ones & both, ones, width)
            };
            to_a = with(b, a.width);
            to_b = with(a, b.width);
        }
        Op::Add => {
            to_a = subtract(r, b);
            to_b = subtract(r, a);
        }
        Op::Sub => {
            to_a = add(r, b);
            to_b = subtract(a, r);
        }
        Op::Mul => {
            let factor = |other: &Domain, own: &Domain| match other.value() {
                Some(by) if by > 0 && own.high.checked_mul(by).is_some_and(|most| most <= mask(own.width)) => {
                    Domain::range(r.low.div_ceil(by).min(mask(own.width)), r.high / by, own.width)
                }
                _ => *own,
            };
            to_a = factor(b, a);
            to_b = factor(a, b);
        }
        Op::UDiv => {
            if let Some(by) = b.value().filter(|&by| by > 0) {
                let low = r.low.checked_mul(by).filter(|&low| low <= mask(a.width));
                let high = r.high.saturating_mul(by).saturating_add(by - 1).min(mask(a.width));
                to_a = match low {
                    Some(low) => Domain::range(low, high, a.width),
                    None => nothing(a.width),
                };
            }
        }
        Op::URem => {
            // The remainder is at most the dividend.
            to_a = Domain::range(r.low, mask(a.width), a.width);
        }
        Op::Shl => {
            if let Some(by) = b.value().filter(|&by| by < u64::from(a.width)) {
                let kept = mask(a.width) >> by;
                to_a = Domain::bits(r.zeros >> by & kept, r.ones >> by, a.width);
                if a.high <= kept {
                    to_a = to_a.meet(&Domain::range(
                        (r.low >> by) + u64::from(r.low & ((1 << by) - 1) != 0),
                        r.high >> by,
                        a.width,
                    ));
                }
            }
        }
        Op::LShr => {
            if let Some(by) = b.value().filter(|&by| by < u64::from(a.width)) {
                let all = mask(a.width);
                if r.low > all >> by {
                    to_a = nothing(a.width);
                } else {
                    let high = (r.high.min(all >> by) << by) | ((1 << by) - 1);
                    to_a = Domain::range(r.low << by, high, a.width);
                    let below = (1u64 << by) - 1;
                    to_a = to_a.meet(&Domain::bits(r.zeros << by & !below & all, r.ones << by, a.width));
                }
            }
        }
        Op::Eq => match r.value() {
            Some(1) => {
                to_a = a.meet(b);
                to_b = to_a;
            }
            Some(_) => {
                if let Some(value) = b.value() {
                    to_a = a.without(value);
                }
                if let Some(value) = a.value() {
                    to_b = b.without(value);
                }
            }
            None => {}
        },
        Op::Ult | Op::Ule => match (r.value(), op) {
            (Some(1), Op::Ult) => (to_a, to_b) = below(a, b, true),
            (Some(1), _) => (to_a, to_b) = below(a, b, false),
            (Some(_), Op::Ult) => (to_b, to_a) = below(b, a, false),
            (Some(_), _) => (to_b, to_a) = below(b, a, true),
            (None, _) => {}
        },
        Op::Slt | Op::Sle => match (r.value(), op) {
            (Some(1), Op::Slt) => (to_a, to_b) = signed_below(a, b, true),
            (Some(1), _) => (to_a, to_b) = signed_below(a, b, false),
            (Some(_), Op::Slt) => (to_b, to_a) = signed_below(b, a, false),
            (Some(_), _) => (to_b, to_a) = signed_below(b, a, true),
            (None, _) => {}
        },
        Op::Ite => match a.value() {
            Some(1) => to_b = *r,
            Some(_) => to_c = *r,
            None if b.meet(r).is_empty() => {
                to_a = Domain::one(0, 1);
                to_c = *r;
            }
            None if c.meet(r).is_empty() => {
                to_a = Domain::one(1, 1);
                to_b = *r;
            }
            None => {}
        },
        Op::Concat => {
            let shift = b.width;
            to_a = Domain::range(r.low >> shift, r.high >> shift, a.width).meet(&Domain::bits(
                r.zeros >> shift,
                r.ones >> shift,
                a.width,
            ));
            to_b = Domain::bits(r.zeros & mask(shift), r.ones, b.width);
            if let Some(high) = a.value().filter(|&high| r.low >> shift == high && r.high >> shift == high) {
                let top = high << shift;
                to_b = to_b.meet(&Domain::range(r.low ^ top, r.high ^ top, b.width));
            }
        }
        Op::Extract { low } => {
            let all = mask(r.width);
            to_a = Domain::bits((r.zeros & all) << low & mask(a.width), r.ones << low, a.width);
            // Nothing above the slice: the range is that of the slice.
            if a.high >> low <= all {
                let below = (1u64 << low) - 1;
                to_a = to_a.meet(&Domain::range(r.low << low, r.high << low | below, a.width));
            }
        }
        Op::ZExt => {
            to_a = match r.low <= mask(a.width) {
                true => Domain::range(r.low, r.high.min(mask(a.width)), a.width).meet(&Domain::bits(
                    r.zeros & mask(a.width),
                    r.ones,
                    a.width,
                )),
                false => nothing(a.width),
            };
            if r.ones & !mask(a.width) != 0 {
                to_a = nothing(a.width);
            }
        }
        Op::SExt => {
            to_a = Domain { least: r.least, greatest: r.greatest, ..Domain::all(a.width) }
                .meet(&Domain::all(a.width))
                .meet(&Domain::bits(r.zeros & mask(a.width), r.ones & mask(a.width), a.width));
        }
        _ => {}
    }
    [to_a, to_b, to_c]
}

/// The value if all operands have one; inside, nothing if the operation then may give any.
fn exact(op: Op, width: u32, args: [&Domain; 3], count: usize) -> Option<Option<u64>> {
    let mut values = [0; 3];
    for (value, arg) in values.iter_mut().zip(args).take(count) {
        *value = arg.value()?;
    }
    if matches!(op, Op::Symbol(_) | Op::Select | Op::Concat) {
        return None;
    }
    if let Some(value) = fold_small(op, width, args[0].width, values[0], values[1]) {
        return Some(Some(value));
    }
    let bits: Vec<Bits> =
        values.iter().zip(args).take(count).map(|(&value, arg)| Bits::new(value.into(), arg.width)).collect();
    Some(fold(op, width, &bits).map(|bits| bits.low()))
}

fn nothing(width: u32) -> Domain {
    Domain { low: 1, high: 0, ..Domain::all(width) }
}

fn truth(never: bool, always: bool) -> Domain {
    match (never, always) {
        (true, _) => Domain::one(0, 1),
        (_, true) => Domain::one(1, 1),
        _ => Domain::all(1),
    }
}

fn hull(ends: [i64; 4], width: u32) -> Domain {
    let (mut least, mut greatest) = (ends[0], ends[0]);
    for end in ends {
        least = least.min(end);
        greatest = greatest.max(end);
    }
    Domain::signed_range(least, greatest, width)
}

fn add(a: &Domain, b: &Domain) -> Domain {
    let (width, all) = (a.width, mask(a.width));
    let mut sum = Domain::all(width);
    let (low, high) = (u128::from(a.low) + u128::from(b.low), u128::from(a.high) + u128::from(b.high));
    // Either nothing overflows or everything does.
    if (low > u128::from(all)) == (high > u128::from(all)) {
        (sum.low, sum.high) = (low as u64 & all, high as u64 & all);
    }
    let (least, greatest) =
        (i128::from(a.least) + i128::from(b.least), i128::from(a.greatest) + i128::from(b.greatest));
    if overflows(least, width) == overflows(greatest, width) {
        (sum.least, sum.greatest) = (signed(least as u64 & all, width), signed(greatest as u64 & all, width));
    }
    // Low bits that are known in both.
    let known = (a.zeros | a.ones) & (b.zeros | b.ones);
    let low_bits = mask(known.trailing_ones());
    let bits = a.ones.wrapping_add(b.ones) & low_bits & all;
    if known.trailing_ones() > 0 {
        sum.ones |= bits;
        sum.zeros |= !bits & low_bits;
    }
    sum.settled()
}

/// How often a number goes round the signed numbers of that width.
fn overflows(number: i128, width: u32) -> i128 {
    let half = 1i128 << (width - 1);
    (number + half).div_euclid(half * 2)
}

fn subtract(a: &Domain, b: &Domain) -> Domain {
    let (width, all) = (a.width, mask(a.width));
    let mut difference = Domain::all(width);
    let (low, high) = (i128::from(a.low) - i128::from(b.high), i128::from(a.high) - i128::from(b.low));
    if (low < 0) == (high < 0) {
        (difference.low, difference.high) = (low as u64 & all, high as u64 & all);
    }
    let (least, greatest) =
        (i128::from(a.least) - i128::from(b.greatest), i128::from(a.greatest) - i128::from(b.least));
    if overflows(least, width) == overflows(greatest, width) {
        (difference.least, difference.greatest) =
            (signed(least as u64 & all, width), signed(greatest as u64 & all, width));
    }
    let known = (a.zeros | a.ones) & (b.zeros | b.ones);
    let low_bits = mask(known.trailing_ones());
    if known.trailing_ones() > 0 {
        let bits = a.ones.wrapping_sub(b.ones) & low_bits & all;
        difference.ones |= bits;
        difference.zeros |= !bits & low_bits;
    }
    difference.settled()
}

fn multiply(a: &Domain, b: &Domain) -> Domain {
    let (width, all) = (a.width, mask(a.width));
    let zeros = (a.zeros.trailing_ones() + b.zeros.trailing_ones()).min(width);
    let mut product = Domain { zeros: mask(zeros) | !all, ..Domain::all(width) };
    if zeros == 0 {
        product.zeros = !all;
    }
    if let Some(high) = a.high.checked_mul(b.high).filter(|&high| high <= all) {
        (product.low, product.high) = (a.low * b.low, high);
    }
    let ends = [(a.least, b.least), (a.least, b.greatest), (a.greatest, b.least), (a.greatest, b.greatest)]
        .map(|(a, b)| i128::from(a) * i128::from(b));
    if ends.iter().all(|&end| overflows(end, width) == 0) {
        let least = ends.iter().min().copied().unwrap_or(0);
        let greatest = ends.iter().max().copied().unwrap_or(0);
        (product.least, product.greatest) = (least as i64, greatest as i64);
    }
    product.settled()
}

/// `a` below `b`, or at most `b`: what is left of both.
fn below(a: &Domain, b: &Domain, strictly: bool) -> (Domain, Domain) {
    let step = u64::from(strictly);
    if strictly && (b.high == 0 || a.low == u64::MAX) {
        return (nothing(a.width), nothing(b.width));
    }
    let (mut left, mut right) = (*a, *b);
    left.high = left.high.min(b.high - step);
    right.low = right.low.max(a.low + step);
    (left.settled(), right.settled())
}

fn signed_below(a: &Domain, b: &Domain, strictly: bool) -> (Domain, Domain) {
    let step = i64::from(strictly);
    if strictly && (b.greatest == i64::MIN || a.least == i64::MAX) {
        return (nothing(a.width), nothing(b.width));
    }
    let (mut left, mut right) = (*a, *b);
    left.greatest = left.greatest.min(b.greatest - step);
    right.least = right.least.max(a.least + step);
    (left.settled(), right.settled())
}
