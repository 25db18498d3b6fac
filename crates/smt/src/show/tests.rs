use super::*;

#[test]
fn as_people_write() {
    let mut pool = Pool::new();
    let p = &mut pool;
    let pedal = p.symbol_as("PedalPos", 32, Reading::Signed);
    let command = p.symbol_as("PedalCmd", 32, Reading::Signed);
    let len = p.symbol_as("req->len", 32, Reading::Unsigned);
    let dot = p.symbol_as("buf[2]", 8, Reading::Char);
    let next = p.symbol_as("list->next", 64, Reading::Address);
    let n = |value: i64| Expr::constant(value as u64, 32);
    let check = |pool: &Pool, expr: Expr, text: &str| assert_eq!(show(pool, expr), text);

    let low = p.sle(pedal, n(0));
    check(p, low, "PedalPos <= 0");
    let high = p.not(low);
    check(p, high, "PedalPos > 0");
    let negative = p.slt(pedal, n(-5));
    check(p, negative, "PedalPos < -5");
    let more = p.add(command, n(1));
    let two = p.eq(more, n(2));
    check(p, two, "PedalCmd == 1");
    let sum = p.add(more, pedal);
    let at_least = p.sle(n(7), sum);
    check(p, at_least, "PedalPos + PedalCmd + 1 >= 7");
    let both = p.and(low, two);
    check(p, both, "PedalCmd == 1 && PedalPos <= 0");
    let either = p.or(both, high);
    check(p, either, "PedalPos > 0 || (PedalCmd == 1 && PedalPos <= 0)");
    let nested = p.and(either, negative);
    check(p, nested, "PedalPos < -5 && (PedalPos > 0 || (PedalCmd == 1 && PedalPos <= 0))");
    let long = p.ult(n(16), len);
    check(p, long, "req->len > 16");
    let is_dot = p.eq(dot, Expr::constant(46, 8));
    check(p, is_dot, "buf[2] == '.'");
    let promoted = p.sext(dot, 32);
    let ended = p.ne(promoted, n(0));
    check(p, ended, "buf[2] != '\\0'");
    let last = p.eq(next, Expr::constant(0, 64));
    check(p, last, "list->next == NULL");
    let ratio = p.symbol_as("ratio", 64, Reading::Float(FloatFormat::Double));
    let sign = Expr::constant(1 << 63, 64);
    let negated = p.xor(ratio, sign);
    let one = Expr::constant(1f64.to_bits(), 64);
    let small = p.float(FloatOp::Lt(FloatFormat::Double), &[negated, one], 1);
    check(p, small, "-ratio < 1.0");
    let bits = p.symbol_as("bits", 64, Reading::Unsigned);
    let other = p.xor(bits, sign);
    check(p, other, "bits ^ 9223372036854775808");
    let positive = p.and(ratio, Expr::constant((1 << 63) - 1, 64));
    let near = p.float(FloatOp::Lt(FloatFormat::Double), &[positive, one], 1);
    check(p, near, "fabs(ratio) < 1.0");
    let odd_sense = p.ult(pedal, n(10));
    check(p, odd_sense, "(unsigned)PedalPos < 10");
    let doubled = p.shl(len, n(1));
    let halved = p.lshr(len, n(3));
    check(p, doubled, "req->len << 1");
    check(p, halved, "req->len >> 3");
    let masked = p.and(len, n(0xff));
    check(p, masked, "(uint8_t)req->len");
    let low_byte = p.extract(pedal, 0, 8);
    let (two, hex) = (Expr::constant(2, 8), Expr::constant(0xf0, 8));
    let signed_byte = p.slt(two, low_byte);
    check(p, signed_byte, "(int8_t)PedalPos > 2");
    let below = p.slt(low_byte, hex);
    check(p, below, "(int8_t)PedalPos < -16");
    let unsigned_byte = p.ult(two, low_byte);
    check(p, unsigned_byte, "(uint8_t)PedalPos > 2");
    let second = p.extract(pedal, 8, 8);
    let signed_second = p.slt(two, second);
    check(p, signed_second, "(int8_t)(PedalPos >> 8) > 2");
    let mixed = p.or(doubled, halved);
    check(p, mixed, "(req->len << 1) | (req->len >> 3)");
    let wide = p.concat(pedal, len);
    check(p, wide, "(PedalPos << 32) | req->len");
    let [one, other] = [pedal, command].map(|number| p.sext(number, 64));
    let (long, short) = (p.add(one, other), p.add(pedal, command));
    let short = p.sext(short, 64);
    let fits = p.eq(long, short);
    check(p, fits, "!overflows(PedalPos + PedalCmd)");
    let field = p.extract(len, 5, 3);
    let signed_field = p.slt(Expr::constant(1, 3), field);
    check(p, signed_field, "(int3_t)(req->len >> 5) > 1");
    let difference = p.sub(pedal, command);
    let scaled = p.mul(difference, n(3));
    check(p, scaled, "(PedalPos - PedalCmd) * 3");
    let chosen = p.ite(low, command, n(-1));
    check(p, chosen, "PedalPos <= 0 ? PedalCmd : -1");
}

#[test]
fn long_expressions_are_cut() {
    let mut pool = Pool::new();
    let mut sum = pool.symbol("x", 32);
    for i in 0..1000 {
        let next = pool.symbol(format!("y{i}"), 32);
        sum = pool.mul(sum, next);
    }
    let text = show(&pool, sum);
    assert!(text.chars().count() <= MAX_LENGTH + 1 && text.contains('…'), "{text}");
}

#[test]
fn signs_are_those_of_the_operation() {
    let mut pool = Pool::new();
    let p = &mut pool;
    let a = p.symbol_as("a", 32, Reading::Signed);
    let b = p.symbol_as("b", 32, Reading::Signed);
    let u = p.symbol_as("u", 32, Reading::Unsigned);
    let n = |value: i64| Expr::constant(value as u64, 32);
    let check = |pool: &Pool, expr: Expr, text: &str| assert_eq!(show(pool, expr), text);
    let by_three = p.lshr(a, n(3));
    check(p, by_three, "(unsigned)a >> 3");
    let by_b = p.lshr(a, b);
    check(p, by_b, "(unsigned)a >> b");
    let arithmetic = p.ashr(a, b);
    check(p, arithmetic, "a >> b");
    let arithmetic = p.ashr(u, n(2));
    check(p, arithmetic, "(signed)u >> 2");
    let sum = p.add(a, b);
    let third = p.udiv(sum, n(3));
    check(p, third, "(unsigned)(a + b) / 3");
    let rest = p.urem(n(100), a);
    check(p, rest, "100 % (unsigned)a");
    let third = p.udiv(u, n(3));
    check(p, third, "u / 3");
    let low = p.and(a, n(255));
    let plus = p.add(low, b);
    check(p, plus, "(uint8_t)a + b");
    let byte = p.extract(a, 0, 8);
    let byte = p.sext(byte, 32);
    let plus = p.add(byte, b);
    check(p, plus, "(int8_t)a + b");
    let masked = p.and(b, n(31));
    let shifted = p.shl(a, masked);
    check(p, shifted, "a << (b & 31)");
    let (_, asked) = show_knowing(p, shifted, &Below::default());
    assert_eq!(show_knowing(p, shifted, &asked).0, "a << b");
    // Ranges that are held as one comparison.
    let month = p.add(a, n(-1));
    let inside = p.ule(month, n(11));
    check(p, inside, "a >= 1 && a <= 12");
    let outside = p.not(inside);
    check(p, outside, "a < 1 || a > 12");
    let above = p.add(a, n(5));
    let inside = p.ult(above, n(10));
    check(p, inside, "a >= -5 && a <= 4");
}
