//! A short cut for locations, which are four of five nodes: what LLVM itself prints is read byte by
//! byte, without tokens.

/// Whether a location in LLVM's own spelling starts here.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(PREFIX)
}

/// A location's fields, references as numbers.
pub(super) struct PlainLocation {
    pub line: u32,
    pub column: u32,
    pub scope: u32,
    pub inlined_at: Option<u32>,
}

const PREFIX: &[u8] = b"!DILocation(line: ";

/// Reads a location in LLVM's own spelling that has these fields and no other.
pub(super) fn read_plain(bytes: &[u8]) -> Option<PlainLocation> {
    let bytes = bytes.trim_ascii_start();
    let bytes = bytes.strip_prefix(b"distinct ").unwrap_or(bytes);
    let (line, bytes) = number_after(PREFIX, bytes)?;
    let (column, bytes) = number_after(b", column: ", bytes).unwrap_or((0, bytes));
    let (scope, bytes) = number_after(b", scope: !", bytes)?;
    let (inlined_at, bytes) = match number_after(b", inlinedAt: !", bytes) {
        Some((number, bytes)) => (Some(number), bytes),
        None => (None, bytes),
    };
    bytes.starts_with(b")").then_some(PlainLocation { line, column, scope, inlined_at })
}

fn number_after<'t>(key: &[u8], bytes: &'t [u8]) -> Option<(u32, &'t [u8])> {
    let bytes = bytes.strip_prefix(key)?;
    let mut number = 0_u32;
    let mut length = 0;
    while let Some(digit) = bytes.get(length).map(|b| b.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        number = number.checked_mul(10)?.checked_add(digit.into())?;
        length += 1;
    }
    (length > 0).then(|| (number, &bytes[length..]))
}
