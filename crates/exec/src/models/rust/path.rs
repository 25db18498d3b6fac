//! Paths of Rust functions, in one spelling whatever the compiler mangled them with.

/// A demangled path without generic arguments: `<a::B<u8>>::m` is `a::B::m`, `<a::B<u8> as c::D<T>>::m` is
/// `<a::B as c::D>::m`, and so is the older `x::<impl c::D for a::B<u8>>::m`.
pub fn plain(path: &str) -> String {
    let Some((start, end)) = first_group(path) else { return path.to_owned() };
    let (before, inner, rest) = (&path[..start], &path[start + 1..end], &path[end + 1..]);
    if let Some(implementation) = inner.strip_prefix("impl ")
        && let Some((what, of)) = split(implementation, " for ")
    {
        return format!("<{} as {}>{}", without_groups(of), without_groups(what), without_groups(rest));
    }
    if !before.is_empty() {
        return without_groups(path);
    }
    match split(inner, " as ") {
        Some((of, what)) => format!("<{} as {}>{}", without_groups(of), without_groups(what), without_groups(rest)),
        None => format!("{}{}", without_groups(inner), without_groups(rest)),
    }
}

/// The first generic argument in a path, if there is one.
pub fn argument(path: &str) -> Option<&str> {
    let path = path.strip_prefix('<').unwrap_or(path);
    let (start, end) = first_group(path)?;
    Some(path[start + 1..end].split(',').next().unwrap_or("").trim())
}

/// Where the first bracket opens and closes.
fn first_group(path: &str) -> Option<(usize, usize)> {
    let start = path.find('<')?;
    let mut depth = 0;
    let mut before = ' ';
    for (index, c) in path[start..].char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((start, start + index));
        }
        before = c;
    }
    None
}

/// Splits at a word that stands in no brackets.
fn split<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let mut depth = 0;
    for (index, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ if depth == 0 && text[index..].starts_with(word) => {
                return Some((&text[..index], &text[index + word.len()..]));
            }
            _ => {}
        }
    }
    None
}

fn without_groups(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut depth = 0;
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '<' => {
                if depth == 0 && result.ends_with("::") {
                    result.truncate(result.len() - 2);
                }
                depth += 1;
            }
            '>' if before != '-' && depth > 0 => depth -= 1,
            _ if depth == 0 => result.push(c),
            _ => {}
        }
        before = c;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_for_all() {
        for (path, expect) in [
            ("core::panicking::panic", "core::panicking::panic"),
            ("core::panicking::assert_failed::<i32, i32>", "core::panicking::assert_failed"),
            ("<alloc::raw_vec::RawVec<u8>>::grow_one", "alloc::raw_vec::RawVec::grow_one"),
            (
                "<alloc::vec::Vec<u8> as core::ops::drop::Drop>::drop",
                "<alloc::vec::Vec as core::ops::drop::Drop>::drop",
            ),
            (
                "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop",
                "<alloc::vec::Vec as core::ops::drop::Drop>::drop",
            ),
            ("core::fmt::num::imp::<impl core::fmt::Display for u32>::fmt", "<u32 as core::fmt::Display>::fmt"),
            ("alloc::raw_vec::RawVec<T,A>::grow_one", "alloc::raw_vec::RawVec::grow_one"),
            ("<[u8]>::starts_with", "[u8]::starts_with"),
            ("std::panicking::begin_panic::<&str>", "std::panicking::begin_panic"),
        ] {
            assert_eq!(plain(path), expect);
        }
        assert_eq!(argument("<alloc::raw_vec::RawVec<u8>>::grow_one"), Some("u8"));
        assert_eq!(argument("core::panicking::panic"), None);
    }
}
