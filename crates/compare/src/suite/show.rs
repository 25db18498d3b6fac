//! Parts of tests as a suite writes them, for reports.

use exec::case::{Datum, End, OutsideCall, Target};

use super::{Header, Reading, Test, text};

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

/// A test's input.
pub fn input(header: &Header, test: &Test) -> String {
    let mut out = String::new();
    text::input(&mut out, header, test);
    out
}

/// A whole test, as its line is.
pub fn test(header: &Header, test: &Test) -> String {
    let mut out = String::new();
    text::test(&mut out, header, test);
    out
}
