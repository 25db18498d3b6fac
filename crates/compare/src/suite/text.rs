//! Tests as text; the form is described at the module above.

use std::fmt::Write;

use exec::case::{Datum, End, FaultKind, Input, Memory, Outcome, OutsideCall, Target, Turn};
use smt::bits::Bits;

use super::{Header, Reading, SCHEMA, Test};

/// The header, up to the line before the first test.
pub fn header(header: &Header) -> String {
    let mut out = format!("{SCHEMA}\nentry {}\nprogram {}\n", name(&header.entry), name(&header.program));
    for (param, reading) in &header.params {
        let _ = writeln!(out, "param {} {}", name(param), reading_name(*reading));
    }
    let _ = writeln!(out, "result {}", reading_name(header.result));
    for (object, reading) in &header.elements {
        let _ = writeln!(out, "elements {} {}", name(object), reading_name(*reading));
    }
    for option in &header.bounds {
        let _ = writeln!(out, "with {}", name(option));
    }
    out.push_str("--\n");
    out
}

/// One test, without the line's end.
pub fn test(out: &mut String, header: &Header, test: &Test) {
    input(out, header, &test.input);
    out.push_str(" -> ");
    outcome(out, header, test);
    if !test.turns.is_empty() {
        out.push_str(" | ");
        turns(out, &test.turns);
    }
}

/// A test's input.
pub fn input(out: &mut String, header: &Header, input: &Input) {
    input_with(out, header, input, &input.objects, &input.globals);
}

/// An input with other memory.
pub fn input_with(out: &mut String, header: &Header, input: &Input, objects: &[Memory], globals: &[(String, Memory)]) {
    let mut list = Items { out, first: true };
    if input.args.len() == header.params.len() {
        for ((param, reading), value) in header.params.iter().zip(&input.args) {
            let out = list.next();
            out.push_str(&name(param));
            out.push('=');
            datum(out, value, *reading);
        }
    } else {
        let out = list.next();
        out.push_str("args=");
        datum(out, &Datum::Many(input.args.clone()), Reading::None);
    }
    for (index, object) in objects.iter().enumerate() {
        let out = list.next();
        let _ = write!(out, "&{index}");
        named_memory(out, header, object, "");
    }
    for (symbol, contents) in globals {
        let out = list.next();
        out.push('@');
        out.push_str(&name(symbol));
        named_memory(out, header, contents, symbol);
    }
    if !input.argv.is_empty() {
        let out = list.next();
        out.push_str("argv[");
        for (index, arg) in input.argv.iter().enumerate() {
            out.push_str(if index > 0 { " " } else { "" });
            quoted(out, arg);
        }
        out.push(']');
    }
    if !input.stdin.is_empty() {
        let out = list.next();
        out.push_str("stdin=");
        quoted(out, &input.stdin);
    }
    for (file, bytes) in &input.files {
        let out = list.next();
        out.push_str("file(");
        quoted(out, file.as_bytes());
        out.push_str(")=");
        quoted(out, bytes);
    }
    for result in &input.results {
        let out = list.next();
        out.push_str(&name(&result.function));
        out.push('(');
        if !result.name.is_empty() {
            out.push(':');
            out.push_str(&name(&result.name));
        }
        out.push_str(")=");
        datum(out, &result.result, Reading::None);
        for written in &result.writes {
            let out = list.next();
            let _ = write!(out, "^{}", written.argument);
            if written.distance != 0 {
                let _ = write!(out, "{:+}", written.distance);
            }
            named_memory(out, header, &written.memory, "");
        }
    }
}

fn outcome(out: &mut String, header: &Header, test: &Test) {
    let Outcome { end, result, objects, globals, stdout, stderr, calls } = &test.outcome;
    match (end, result) {
        (End::Returned, Datum::Any) => out.push_str("done"),
        (End::Returned, value) => datum(out, value, header.result),
        (end, _) => self::end(out, end),
    }
    if *end != End::Returned && *result != Datum::Any {
        out.push_str(" result=");
        datum(out, result, header.result);
    }
    let before = objects_before(test);
    if objects.len() != before.len() {
        let _ = write!(out, " objects={}", objects.len());
    }
    for (index, object) in objects.iter().enumerate() {
        let old = before.get(index);
        if old == Some(object) {
            continue;
        }
        let _ = write!(out, " &{index}");
        match old.filter(|old| old.name == object.name && old.align == object.align) {
            Some(_) => {
                out.push('=');
                contents(out, header, object);
            }
            None => {
                // Without a name and alignment those of the input's object would count.
                out.push_str(if object.name.is_empty() && object.align == 1 { ":\"\"" } else { "" });
                named_memory(out, header, object, "");
            }
        }
    }
    for (symbol, memory) in globals {
        out.push_str(" @");
        out.push_str(&name(symbol));
        named_memory(out, header, memory, symbol);
    }
    for (stream, bytes) in [("out", stdout), ("err", stderr)] {
        if !bytes.is_empty() {
            let _ = write!(out, " {stream}=");
            quoted(out, bytes);
        }
    }
    for call in calls {
        out.push(' ');
        self::call(out, call);
    }
}

/// How a run ended that did not return.
pub fn end(out: &mut String, end: &End) {
    match end {
        End::Returned => {}
        End::Exited(code) => {
            let _ = write!(out, "exit {code}");
        }
        End::Fault(kind) => {
            out.push_str("fault ");
            out.push_str(fault_name(*kind));
        }
        End::Bound(limit) => reason(out, "bound ", &limit.to_string()),
        End::Unsupported(what) => reason(out, "unsupported ", what),
        End::Refused(what) => reason(out, "refused ", what),
    }
}

/// Why a run did not get to its end.
fn reason(out: &mut String, word: &str, what: &str) {
    out.push_str(word);
    quoted(out, what.as_bytes());
}

/// A call to the outside.
pub fn call(out: &mut String, call: &OutsideCall) {
    out.push_str(&name(&call.function));
    out.push('(');
    for (index, arg) in call.args.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        datum(out, arg, Reading::None);
    }
    out.push(')');
}

/// The objects of an outcome that says nothing of them: as they were if the entry returned, else unknown.
pub fn objects_before(test: &Test) -> &[Memory] {
    if test.outcome.end == End::Returned { &test.input.objects } else { &[] }
}

/// Items with a space between them.
struct Items<'a> {
    out: &'a mut String,
    first: bool,
}

impl Items<'_> {
    fn next(&mut self) -> &mut String {
        if !std::mem::replace(&mut self.first, false) {
            self.out.push(' ');
        }
        self.out
    }
}

/// Name and alignment where they say something, then the contents. A global variable is called as its symbol.
fn named_memory(out: &mut String, header: &Header, memory: &Memory, symbol: &str) {
    if memory.name != symbol {
        out.push(':');
        out.push_str(&name(&memory.name));
    }
    if memory.align != 1 {
        let _ = write!(out, "%{}", memory.align);
    }
    out.push('=');
    contents(out, header, memory);
}

/// What memory holds.
pub fn contents(out: &mut String, header: &Header, memory: &Memory) {
    let start = out.len();
    let reading = header.elements.iter().find(|(object, _)| *object == memory.name).map(|(_, reading)| *reading);
    let mut at = 0usize;
    let pointers = memory.pointers.iter().map(|(offset, pointer)| (*offset, 8, Some(pointer)));
    let any = memory.any.iter().map(|&(offset, count)| (offset, count, None));
    let mut marked: Vec<(u64, u64, Option<&Target>)> = pointers.chain(any).collect();
    marked.sort_by_key(|(offset, ..)| *offset);
    for (offset, count, pointer) in marked {
        let Some(offset) = usize::try_from(offset).ok().filter(|offset| *offset >= at) else { continue };
        let end = usize::try_from(count).ok().and_then(|count| offset.checked_add(count));
        let Some(end) = end.filter(|end| *end <= memory.bytes.len()) else { continue };
        let Some(before) = memory.bytes.get(at..offset) else { continue };
        pieces(out, start, before, reading);
        join(out, start);
        match pointer {
            Some(pointer) => target(out, pointer),
            None => {
                let _ = write!(out, "?*{count}");
            }
        }
        at = end;
    }
    pieces(out, start, &memory.bytes[at..], reading);
    if out.len() == start {
        out.push_str("\"\"");
    }
}

fn join(out: &mut String, start: usize) {
    if out.len() > start {
        out.push(',');
    }
}

/// Shortest run of zeros that is written as a number of them.
const ZEROS: usize = 8;

fn pieces(out: &mut String, start: usize, bytes: &[u8], reading: Option<Reading>) {
    if bytes.is_empty() {
        return;
    }
    if let Some(list) = reading.and_then(|reading| numbers(bytes, reading)) {
        join(out, start);
        out.push_str(&list);
        return;
    }
    let mut rest = bytes;
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        join(out, start);
        if zeros >= ZEROS {
            let _ = write!(out, "0*{zeros}");
            rest = &rest[zeros..];
            continue;
        }
        let end = rest.windows(ZEROS).position(|window| window.iter().all(|byte| *byte == 0)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end.max(1));
        if is_text(piece) {
            quoted(out, piece);
        } else {
            out.push('#');
            piece.iter().for_each(|byte| {
                let _ = write!(out, "{byte:02x}");
            });
        }
        rest = behind;
    }
}

/// Whether people would write these bytes as text: most are printable, and the rest has short escapes.
fn is_text(bytes: &[u8]) -> bool {
    let plain = bytes.iter().filter(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r')).count();
    let ended = bytes.iter().filter(|byte| **byte == 0).count();
    plain + ended == bytes.len() && plain * 2 >= bytes.len()
}

/// Numbers one after the other, if these bytes are that.
fn numbers(bytes: &[u8], reading: Reading) -> Option<String> {
    let width = reading.width();
    let size = width as usize / 8;
    if matches!(reading, Reading::Char(_) | Reading::None)
        || size == 0
        || width > 128
        || !bytes.len().is_multiple_of(size)
    {
        return None;
    }
    let mut out = format!("{}(", reading_name(reading));
    for (index, element) in bytes.chunks(size).enumerate() {
        out.push_str(if index > 0 { " " } else { "" });
        let value = element.iter().rev().fold(0u128, |value, byte| value << 8 | u128::from(*byte));
        number(&mut out, &Bits::new(value, width), reading);
    }
    out.push(')');
    Some(out)
}

/// A value. Its reading is written behind it unless it is the one that is known.
pub fn datum(out: &mut String, value: &Datum, known: Reading) {
    match value {
        Datum::Bits(bits) if known.width() == bits.width => number(out, bits, known),
        Datum::Bits(bits) => {
            let reading = if bits.width <= 128 { Reading::Signed(bits.width) } else { Reading::Raw(bits.width) };
            number(out, bits, reading);
            out.push(':');
            out.push_str(&reading_name(reading));
        }
        Datum::Pointer(pointer) => target(out, pointer),
        Datum::Many(parts) => {
            out.push('{');
            for (index, part) in parts.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                datum(out, part, Reading::None);
            }
            out.push('}');
        }
        Datum::Any => out.push('_'),
    }
}

/// What a pointer leads to.
pub fn target(out: &mut String, target: &Target) {
    let distance = |out: &mut String, offset: i64| {
        if offset != 0 {
            let _ = write!(out, "{offset:+}");
        }
    };
    match target {
        Target::Null => out.push_str("null"),
        Target::Object { index, offset } => {
            let _ = write!(out, "&{index}");
            distance(out, *offset);
        }
        Target::Symbol { name: symbol, offset } => {
            out.push_str("&@");
            out.push_str(&name(symbol));
            distance(out, *offset);
        }
        Target::Own => out.push_str("new"),
        Target::Address(address) => {
            let _ = write!(out, "at {address:#x}");
        }
    }
}

fn number(out: &mut String, bits: &Bits, reading: Reading) {
    let _ = match reading {
        Reading::Signed(_) | Reading::Char(_) | Reading::Bool(_) | Reading::Unsigned(_) if bits.width > 128 => {
            hex(out, bits)
        }
        Reading::Char(_) if (32..127).contains(&bits.low()) && bits.words.iter().skip(1).all(|word| *word == 0) => {
            let c = bits.low() as u8;
            let escape = if matches!(c, b'\'' | b'\\') { "\\" } else { "" };
            write!(out, "'{escape}{}'", char::from(c))
        }
        // Numbers of a word are written faster than longer ones.
        Reading::Signed(_) if bits.width <= 64 => write!(out, "{}", smt::expr::signed(bits.low(), bits.width)),
        Reading::Unsigned(_) if bits.width <= 64 => write!(out, "{}", bits.low()),
        Reading::Signed(_) | Reading::Char(_) if bits.is_negative() => write!(out, "-{}", bits.neg().low_128()),
        Reading::Bool(_) if bits.low_128() < 2 => write!(out, "{}", bits.low() == 1),
        Reading::Signed(_) | Reading::Char(_) | Reading::Bool(_) | Reading::Unsigned(_) => {
            write!(out, "{}", bits.low_128())
        }
        Reading::Float(32) if !f32::from_bits(bits.low() as u32).is_nan() => {
            write!(out, "{:?}", f32::from_bits(bits.low() as u32))
        }
        Reading::Float(64) if !f64::from_bits(bits.low()).is_nan() => write!(out, "{:?}", f64::from_bits(bits.low())),
        _ => hex(out, bits),
    };
}

fn hex(out: &mut String, bits: &Bits) -> std::fmt::Result {
    let used = bits.words.iter().rposition(|word| *word != 0).unwrap_or(0);
    write!(out, "{:#x}", bits.words.get(used).copied().unwrap_or(0))?;
    bits.words[..used].iter().rev().try_for_each(|word| write!(out, "{word:016x}"))
}

impl Reading {
    /// Width in bits.
    pub fn width(self) -> u32 {
        match self {
            Reading::None => 0,
            Reading::Signed(width)
            | Reading::Unsigned(width)
            | Reading::Char(width)
            | Reading::Bool(width)
            | Reading::Float(width)
            | Reading::Raw(width) => width,
        }
    }
}

/// `i32`, `char`, `ptr` and so on.
pub fn reading_name(reading: Reading) -> String {
    match reading {
        Reading::None => "ptr".to_owned(),
        Reading::Signed(width) => format!("i{width}"),
        Reading::Unsigned(width) => format!("u{width}"),
        Reading::Char(width) => format!("c{width}"),
        Reading::Bool(width) => format!("b{width}"),
        Reading::Float(width) => format!("f{width}"),
        Reading::Raw(width) => format!("x{width}"),
    }
}

/// Whether a byte can be part of a name without quotes.
pub fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// A name, in quotes if it has to be.
pub fn name(name: &str) -> String {
    let plain = name.bytes().all(is_plain) && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    // Where a value could stand, a name must not look like the beginning of one.
    if plain && !matches!(name, "args") {
        return name.to_owned();
    }
    let mut out = String::new();
    quoted(&mut out, name.as_bytes());
    out
}

/// Bytes in quotes.
fn quoted(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let _ = match c {
                '"' | '\\' => write!(out, "\\{c}"),
                '\n' => write!(out, "\\n"),
                '\t' => write!(out, "\\t"),
                '\r' => write!(out, "\\r"),
                '\0' => write!(out, "\\0"),
                ' '..='~' => write!(out, "{c}"),
                // Letters of other scripts as they are; what cannot be seen as bytes.
                c if c.is_alphanumeric() => write!(out, "{c}"),
                c => {
                    let mut buffer = [0; 4];
                    c.encode_utf8(&mut buffer).bytes().try_for_each(|byte| write!(out, "\\x{byte:02x}"))
                }
            };
        }
        chunk.invalid().iter().for_each(|byte| {
            let _ = write!(out, "\\x{byte:02x}");
        });
    }
    out.push('"');
}

/// Longest sequence of turns that is looked for as a repeated one.
const MAX_PERIOD: usize = 8;

fn turns(out: &mut String, turns: &[Turn]) {
    let mut function: Option<&str> = None;
    let mut at = 0;
    while at < turns.len() {
        let (period, rounds) = repetition(&turns[at..]);
        if rounds > 1 {
            // The first round is written as it comes, so that the group begins in the function that it ends in.
            let group = &turns[at..at + period];
            let mut text = String::new();
            group.iter().for_each(|turn| one_turn(&mut text, turn, &mut function));
            let _ = write!(out, "({text})*{rounds}");
            at += period * rounds;
        } else {
            one_turn(out, &turns[at], &mut function);
            at += 1;
        }
    }
}

/// The period at the beginning that covers most, and how often it comes; one round if nothing is repeated enough.
fn repetition(turns: &[Turn]) -> (usize, usize) {
    let mut best = (1, 1);
    for period in 1..=MAX_PERIOD.min(turns.len() / 2) {
        // Numbers first: names are mostly the same, and take longer to compare.
        let is_same = |a: &Turn, b: &Turn| a.branch == b.branch && a.side == b.side && a.function == b.function;
        let matching = turns.iter().zip(&turns[period..]).take_while(|(a, b)| is_same(a, b)).count();
        let rounds = 1 + matching / period;
        if rounds >= 3 && period * rounds > best.0 * best.1 {
            best = (period, rounds);
        }
    }
    best
}

fn one_turn<'t>(out: &mut String, turn: &'t Turn, function: &mut Option<&'t str>) {
    // Behind the number of rounds.
    if out.ends_with(|c: char| c.is_ascii_digit()) {
        out.push(' ');
    }
    if *function != Some(&turn.function) {
        if out.ends_with(|c: char| c != '(' && c != ' ') {
            out.push(' ');
        }
        out.push_str(&name(&turn.function));
        out.push(':');
        *function = Some(&turn.function);
    }
    match char::from_digit(turn.branch, 10) {
        Some(digit) => out.push(digit),
        None => _ = write!(out, "{}", turn.branch),
    }
    match u8::try_from(turn.side).ok().filter(|side| *side < 26) {
        Some(side) => out.push(char::from(b'a' + side)),
        None => _ = write!(out, "/{};", turn.side),
    }
}

/// Kinds of faults and their names.
pub const FAULTS: [(FaultKind, &str); 19] = [
    (FaultKind::NullPointer, "null-pointer"),
    (FaultKind::OutOfBounds, "out-of-bounds"),
    (FaultKind::WildPointer, "wild-pointer"),
    (FaultKind::UseAfterFree, "use-after-free"),
    (FaultKind::DoubleFree, "double-free"),
    (FaultKind::InvalidFree, "invalid-free"),
    (FaultKind::ReadOnly, "read-only"),
    (FaultKind::Division, "division"),
    (FaultKind::Unreachable, "unreachable"),
    (FaultKind::Assertion, "assertion"),
    (FaultKind::Panic, "panic"),
    (FaultKind::Abort, "abort"),
    (FaultKind::Uncaught, "uncaught"),
    (FaultKind::Overflow, "overflow"),
    (FaultKind::Shift, "shift"),
    (FaultKind::Conversion, "conversion"),
    (FaultKind::Uninitialized, "uninitialized"),
    (FaultKind::BadCall, "bad-call"),
    (FaultKind::StackOverflow, "stack-overflow"),
];

/// The name of a kind of fault.
pub fn fault_name(kind: FaultKind) -> &'static str {
    FAULTS.iter().find(|(other, _)| *other == kind).map_or("unknown", |(_, name)| name)
}
