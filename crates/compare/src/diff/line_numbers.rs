//! Whether a number is one that the source asks the compiler for: the number of a line.
//!
//! `__LINE__` is nowhere in what the compiler writes; there is but a number. That it is the number of its line may be chance: an
//! `exit(2)` in line 2 became `exit(3)` in line 3. So a number counts as that of a line only where the source text, with the macros
//! that it names, asks for the line, and does not contain that number.

use super::includes;
use super::part::Source;
use ir::module::Module;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::path::PathBuf;

/// Most words that are followed from a line through macros.
const MOST_WORDS: usize = 4096;

/// How sources ask for the number of a line.
const ASK: [&str; 4] = ["__LINE__", "__builtin_LINE", "line!", "column!"];

/// The sources of a version.
pub struct LineNumbers<'a> {
    module: &'a Module,
    source: &'a Source,
    /// What macros stand for, as words, by name; several definitions of one name are one.
    macros: OnceCell<FxHashMap<String, Vec<String>>>,
}

impl<'a> LineNumbers<'a> {
    /// The sources of a version.
    pub fn new(module: &'a Module, source: &'a Source) -> LineNumbers<'a> {
        LineNumbers { module, source, macros: OnceCell::new() }
    }

    /// Whether what a file says from a line on, down to the line `number`, asks for that number and does not contain it.
    pub fn is_one(&self, (file, line): &change::lines::Line, number: u64) -> bool {
        let Some(lines) = self.source.lines(file) else { return false };
        let (Some(first), Ok(last)) = ((*line as usize).checked_sub(1), usize::try_from(number)) else { return false };
        let Some(text) = lines.get(first..last.max(first)) else { return false };
        let macros = self.macros.get_or_init(|| macros(self.module, self.source));
        let mut todo: Vec<&str> = text.iter().flat_map(|line| words(line)).collect();
        let mut seen: FxHashSet<&str> = todo.iter().copied().collect();
        let mut asks = false;
        while let Some(word) = todo.pop() {
            if is_number(word, number) || seen.len() > MOST_WORDS {
                return false;
            }
            asks |= ASK.contains(&word);
            let behind = macros.get(word).into_iter().flatten().map(String::as_str);
            todo.extend(behind.filter(|word| seen.insert(word)));
        }
        asks
    }
}

/// Words and numbers of a line, those of strings too; macros of Rust have their `!`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        rest = &rest[rest.find(is_part)?..];
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let is_macro = rest[end..].starts_with('!') && !rest[end..].starts_with("!=");
        let (word, behind) = rest.split_at(if is_macro { end + 1 } else { end });
        rest = behind;
        Some(word)
    })
}

/// Whether a word is that number, in any notation that it may be in.
fn is_number(word: &str, number: u64) -> bool {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let plain: String = word.to_ascii_lowercase().replace('_', "");
    let of = |digits: &str, base: u32| {
        let end = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
        u64::from_str_radix(&digits[..end], base) == Ok(number)
    };
    let prefixed = [("0x", 16), ("0b", 2), ("0o", 8), ("0", 8)];
    of(&plain, 10)
        || prefixed.iter().any(|(prefix, base)| plain.strip_prefix(prefix).is_some_and(|rest| of(rest, *base)))
}

/// The macros of all sources of a version, and of the headers that these name.
fn macros(module: &Module, source: &Source) -> FxHashMap<String, Vec<String>> {
    let debug = &module.debug;
    let files = debug.files.ids().map(|file| PathBuf::from(debug.file_path(&module.strings, file))).collect();
    let mut found: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for file in includes::closure(files, source, &|_| true) {
        let lines = file.to_str().and_then(|file| source.lines(file));
        define(&lines.unwrap_or_default(), &mut found);
    }
    found
}

/// Adds the macros that lines define.
fn define(lines: &[String], found: &mut FxHashMap<String, Vec<String>>) {
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        if let Some(rest) = text.strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("define")) {
            let mut of_macro: Vec<&str> = words(rest).collect();
            let mut last = line;
            while last.ends_with('\\')
                && let Some(next) = lines.next()
            {
                of_macro.extend(words(next));
                last = next;
            }
            if let Some((name, stands_for)) = of_macro.split_first() {
                found.entry((*name).to_owned()).or_default().extend(stands_for.iter().map(|&word| word.to_owned()));
            }
        } else if let Some((_, rest)) = text.split_once("macro_rules!") {
            let mut name = String::new();
            let mut stands_for: Vec<String> = Vec::new();
            let (mut depth, mut begun, mut text) = (0i64, false, rest);
            loop {
                for word in words(text) {
                    match name.is_empty() {
                        true => name = format!("{word}!"),
                        false => stands_for.push(word.to_owned()),
                    }
                }
                depth += text.chars().map(|c| i64::from("({[".contains(c)) - i64::from(")}]".contains(c))).sum::<i64>();
                begun |= depth > 0;
                match lines.next() {
                    Some(next) if !begun || depth > 0 => text = next,
                    _ => break,
                }
            }
            found.entry(name).or_default().extend(stands_for);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_any_notation() {
        for word in ["12", "12u", "0xc", "0XCul", "0b1100", "014", "0o14", "1_2u32"] {
            assert!(is_number(word, 12), "{word}");
        }
        for word in ["x12", "120", "1", "c"] {
            assert!(!is_number(word, 12), "{word}");
        }
    }

    #[test]
    fn macros_of_both_languages() {
        let text = "#define A(x) f(x, \\\n  __LINE__)\nint a;\n# define B 3\nmacro_rules! c {\n  () => { d(line!()) };\n}\nint e;";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut found = FxHashMap::default();
        define(&lines, &mut found);
        assert!(found["A"].iter().any(|word| word == "__LINE__"));
        assert_eq!(found["B"], ["3"]);
        assert!(found["c!"].iter().any(|word| word == "line!"));
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn words_of_a_line() {
        assert_eq!(words("f!(a != 3, \"b 4\");").collect::<Vec<_>>(), ["f!", "a", "3", "b", "4"]);
    }
}
