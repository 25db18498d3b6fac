//! Statements of compiled functions that this build leaves out: behind `#if`, `#[cfg]` or `cfg!`, or macros that stand for nothing.
//!
//! A function whose compiled code is the same may have changed where no code was made of it. Such lines are told by what they look like:
//! a statement that does something would have an instruction on one of its lines.

use super::unseen::without_comments;

/// A statement, or what stands before a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// Where the condition begins that may leave it out, if there is one.
    condition: Option<u32>,
    /// Whether code is made of it unless something leaves it out.
    acts: bool,
    /// Whether it is a call and nothing else, which may be that of a macro.
    calls: bool,
}

impl Statement {
    /// Whether the lack of code can only mean that it is left out, in a function that begins in that line.
    pub fn is_left_out(&self, begin: u32) -> bool {
        self.acts && (self.calls || self.condition.is_some_and(|line| line >= begin))
    }
}

/// A brace that is open.
struct Open {
    /// Whether it is one of values, not of statements.
    of_values: bool,
    condition: Option<u32>,
}

/// The statements of a file, as far as signs tell.
pub fn statements(lines: &[String], of_rust: bool) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let (mut text, mut first, mut parens, mut comment, mut directive) = (String::new(), 0, 0i64, 0, false);
    // Conditions of the preprocessor, by their lines; that of an attribute; that of a block that just ended.
    let mut groups: Vec<u32> = Vec::new();
    let (mut attribute, mut before_else): (Option<u32>, Option<u32>) = (None, None);
    for (number, line) in (1u32..).zip(lines) {
        let code = without_comments(line, &mut comment, of_rust);
        let trimmed = code.trim();
        let begins_directive = !of_rust && trimmed.starts_with('#');
        if directive || begins_directive {
            if begins_directive {
                let word = trimmed.trim_start_matches('#').trim_start();
                if word.starts_with("if") {
                    groups.push(number);
                } else if word.starts_with("endif") {
                    groups.pop();
                }
            }
            directive = code.ends_with('\\');
            continue;
        }
        if of_rust && text.trim().is_empty() && trimmed.starts_with("#[") {
            if trimmed.contains("cfg") {
                attribute = Some(number);
            }
            // What stands behind an attribute on its line is rare, and then not looked at.
            continue;
        }
        let (mut quoted, mut before) = (false, ' ');
        for c in code.chars() {
            let literal = quoted || before == '\'';
            if c == '"' && before != '\\' && before != '\'' {
                quoted = !quoted;
            }
            let ends = !literal && (matches!(c, '{' | '}') || c == ';' && parens <= 0);
            if !ends {
                if text.is_empty() && !c.is_whitespace() {
                    first = number;
                }
                if !text.is_empty() || !c.is_whitespace() {
                    text.push(c);
                }
                if !literal {
                    parens += i64::from(matches!(c, '(' | '[')) - i64::from(matches!(c, ')' | ']'));
                }
                before = c;
                continue;
            }
            let header = text.trim();
            let enclosing = open.last().and_then(|open| open.condition);
            let continues = before_else.filter(|_| header.starts_with("else"));
            let own = (of_rust && header.contains("cfg!(")).then_some(number);
            let condition = groups.last().copied().max(attribute).max(enclosing).max(continues).max(own);
            let is_value = open.last().is_some_and(|open| open.of_values);
            if !header.is_empty() && !is_value {
                let acts = acts(header, of_rust);
                found.push(Statement { first, last: number, condition, acts, calls: !of_rust && is_call(header) });
            }
            match c {
                '{' => {
                    let of_values = is_value || header.ends_with(['=', ',', '(', '[']) || header == "return";
                    open.push(Open { of_values, condition: enclosing.max(attribute).max(continues).max(own) });
                    before_else = None;
                }
                '}' => before_else = open.pop().and_then(|open| open.condition),
                _ => before_else = None,
            }
            attribute = None;
            (parens, before) = (0, c);
            text.clear();
        }
        if !text.is_empty() {
            text.push(' ');
        }
        // Labels are no part of what follows.
        let label = text.trim();
        if parens <= 0 && label.ends_with(':') && !label.contains('?') {
            text.clear();
        }
    }
    found
}

/// The words that a statement begins with, up to a sign.
fn first_words(text: &str) -> Vec<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && !c.is_whitespace()).unwrap_or(text.len());
    text[..end].split_whitespace().collect()
}

/// Whether a statement is a call of something by its name.
fn is_call(text: &str) -> bool {
    let words = first_words(text);
    words.len() == 1
        && text[words[0].len()..].trim_start().starts_with('(')
        && text.ends_with(')')
        && !CONTROL.contains(&words[0])
}

/// Words with which statements begin that decide where to go on.
const CONTROL: [&str; 8] = ["if", "while", "for", "switch", "return", "goto", "match", "throw"];

/// Words with which declarations begin.
const DECLARES: [&str; 24] = [
    "typedef",
    "using",
    "static_assert",
    "_Static_assert",
    "extern",
    "namespace",
    "template",
    "static",
    "constexpr",
    "public",
    "private",
    "protected",
    "friend",
    "const",
    "fn",
    "use",
    "struct",
    "enum",
    "union",
    "class",
    "impl",
    "type",
    "mod",
    "sizeof",
];

/// Whether code is made of a statement.
fn acts(text: &str, of_rust: bool) -> bool {
    let words = first_words(text);
    let text = text.strip_prefix("else").map_or(text, str::trim_start);
    match words.iter().find(|word| **word != "else") {
        Some(word) if CONTROL.contains(word) => true,
        Some(word) if DECLARES.contains(word) => false,
        Some(_) if text.contains('=') || text.contains("++") || text.contains("--") => true,
        // `int f(int)` declares, `f(1)` acts.
        Some(_) if of_rust => text.contains('(') && words.first() != Some(&"let"),
        Some(_) => words.len() == 1 && text.contains('('),
        None => text.starts_with(['*', '(']) && text.contains('='),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_out(text: &str, of_rust: bool) -> Vec<(u32, u32)> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let all = statements(&lines, of_rust).into_iter().filter(|one| one.is_left_out(2));
        all.map(|one| (one.first, one.last)).collect()
    }

    #[test]
    fn statements_behind_conditions() {
        let c = "#ifndef H\nint f(int x) {\n  int y;\n#ifdef A\n  int z;\n  y = x +\n    1;\n  if (x)\n    g(x);\n#endif\n  y = 3;\n  LOG(x);\n}\n#endif\n";
        assert_eq!(left_out(c, false), [(6, 7), (8, 9), (12, 12)]);
        let values = "\nint f(void) {\n#if 1\n  int t[] = {\n    g(1), g(2) };\n#endif\n}\n";
        assert_eq!(left_out(values, false), [(4, 4)]);
    }

    #[test]
    fn statements_behind_attributes() {
        let rust = "\nfn f(x: u8) -> u8 {\n  #[cfg(feature = \"a\")]\n  return g(x);\n  if cfg!(windows) {\n    g(x);\n  } else {\n    h(x);\n  }\n  g(x)\n}\n";
        assert_eq!(left_out(rust, true), [(4, 4), (5, 5), (6, 6), (8, 8)]);
    }
}
