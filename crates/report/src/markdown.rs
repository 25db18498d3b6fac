//! Text of others inside of Markdown, as CommonMark and GitHub's extensions read it.
//!
//! Such text is shown as code wherever that is possible: nothing inside of code is markup, a link, a mention of a person
//! or a reference to an issue. Sentences of ours with names of others in them are [`words`].

/// Text as code inside of a line.
pub fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    if text.is_empty() {
        return "` `".to_owned();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    // One space at both ends is taken away; a back-tick may not touch the fence.
    let is_edge = |c: Option<char>| matches!(c, Some('`' | ' '));
    let room = if is_edge(text.chars().next()) || is_edge(text.chars().last()) { " " } else { "" };
    format!("{ticks}{room}{text}{room}{ticks}")
}

/// Text as code in a cell of a table, where a bar ends the cell even inside of code.
pub fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Lines as a block of code in a language, with a fence that is longer than any inside.
pub fn block(language: &str, lines: &[String]) -> String {
    let fence = "`".repeat(lines.iter().map(|line| longest_run(line)).max().unwrap_or(0).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", lines.join("\n"))
}

/// A sentence in which nothing is Markdown or HTML. What a code host would turn into a link, a mention or a reference
/// although its characters are escaped is shown as code, the whole of it.
pub fn words(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    let mut out = Vec::new();
    for word in text.split(' ') {
        if is_link(word) { out.push(cell(word)) } else { out.push(escaped(word)) }
    }
    out.join(" ")
}

/// Whether a word could become a link: `@name`, `#12`, `a@b.c`, `http://…`, `www.…`, `GH-12`, `owner/name#1`.
fn is_link(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    word.contains(['@', '#']) || ["://", "www.", "gh-", "mailto:", "xmpp:"].iter().any(|begin| lower.contains(begin))
}

/// A word with a backslash before all punctuation that can be markup.
fn escaped(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            // An entity would be shown as what it stands for, and text such as `<b>` inside of HTML has to be one.
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '~' | '!' | '$' | '^' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    // What would begin a list, a heading or a rule at the begin of a line.
    let is_mark = word.starts_with(['-', '+', '=', ':'])
        || word.ends_with(['.', ')']) && word[..word.len() - 1].bytes().all(|byte| byte.is_ascii_digit());
    match is_mark && !out.is_empty() {
        true if out.starts_with(|c: char| c.is_ascii_digit()) => {
            out.insert(out.len() - 1, '\\');
            out
        }
        true if out.starts_with(['-', '+', '=', ':']) => format!("\\{out}"),
        _ => out,
    }
}

/// Text as code inside of HTML, where Markdown is not read.
pub fn html_code(text: &str) -> String {
    let mut out = String::from("<code>");
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            // A line without text would end the HTML.
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out + "</code>"
}

/// Most back-ticks in a row.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_holds_what_it_is_given() {
        let check = |text: &str, expect: &str| assert_eq!(code(text), expect);
        check("a", "`a`");
        check("a|b", "`a|b`");
        check("a`b", "``a`b``");
        check("`a", "`` `a ``");
        check(" a ", "`  a  `");
        check("", "` `");
        check("a\n\n# b", "`a  # b`");
        assert_eq!(cell("a|b"), "`a\\|b`");
    }

    #[test]
    fn sentences_are_no_markup() {
        let check = |text: &str, expect: &str| assert_eq!(words(text), expect);
        check("out of time", "out of time");
        check("a *b* [c](d) ![e](f)", "a \\*b\\* \\[c\\](d) \\!\\[e\\](f)");
        check("<img src=x> &lt;", "&lt;img src=x&gt; &amp;lt;");
        check("calls @everyone of #12", "calls `@everyone` of `#12`");
        check("see https://a.b/c|d or www.a.b", "see `https://a.b/c\\|d` or `www.a.b`");
        check("- a", "\\- a");
        check("1. a 1) b", "1\\. a 1\\) b");
        check("a\n\n# b", "a  `#` b");
        check("~~a~~ a_b `c`", "\\~\\~a\\~\\~ a\\_b \\`c\\`");
    }

    #[test]
    fn html_is_text() {
        assert_eq!(html_code("a<b>&\"'`\n\n"), "<code>a&lt;b&gt;&amp;&quot;&#39;&#96;  </code>");
    }

    #[test]
    fn blocks_have_a_fence_that_nothing_in_them_ends() {
        assert_eq!(block("diff", &["-a".to_owned(), "+````".to_owned()]), "`````diff\n-a\n+````\n`````\n");
    }
}
