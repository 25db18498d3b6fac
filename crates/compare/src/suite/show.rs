//! Parts of tests as a suite writes them, for reports.

use exec::case::{Datum, End, OutsideCall, Target};

use super::{Header, Reading, Test, text};
use smt::bits::Bits;

/// A value; with its type where `reading` does not say it.
pub fn value(value: &Datum, reading: Reading) -> String {
    let mut out = String::new();
    text::datum(&mut out, value, reading);
    out
}

/// What a pointer leads to.
pub fn target(target: &Target) -> String {
    let mut out = String::new();
    text::target(&mut out, target);
    out
}

/// How a run ended: `returned`, `exit 3`, `fault null-pointer`.
pub fn end(end: &End) -> String {
    match end {
        End::Returned => "returned".to_owned(),
        end => {
            let mut out = String::new();
            text::end(&mut out, end);
            out
        }
    }
}

/// A call to the outside.
pub fn call(call: &OutsideCall) -> String {
    let mut out = String::new();
    text::call(&mut out, call);
    out
}

/// A test's input. Variables are called as in the source, and where memory is aligned interests nobody.
pub fn input(header: &Header, test: &Test) -> String {
    let mut out = String::new();
    let mut objects = test.input.objects.clone();
    objects.iter_mut().for_each(|object| object.align = 1);
    text::input_with(&mut out, header, &test.input, &objects, &[]);
    for (name, memory) in &test.input.globals {
        out.push_str(if out.is_empty() { "" } else { " " });
        out.push_str(name);
        out.push('=');
        let reading = header.elements.iter().find(|(known, _)| known == name).map(|(_, reading)| *reading);
        let word = || memory.bytes.iter().rev().fold(0u128, |word, &byte| word << 8 | u128::from(byte));
        match reading {
            Some(reading) if reading.width() as usize == 8 * memory.bytes.len() && memory.pointers.is_empty() => {
                let bits = Bits::new(word(), reading.width());
                text::datum(&mut out, &Datum::Bits(bits), reading);
            }
            _ => text::contents(&mut out, header, memory),
        }
    }
    out
}

/// A whole test, as its line is.
pub fn test(header: &Header, test: &Test) -> String {
    let mut out = String::new();
    text::test(&mut out, header, test);
    out
}
