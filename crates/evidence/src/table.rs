//! The tables: what is known of each row, and how an enum is made of them.

use crate::{Assumption, Difference, Gap};
use std::fmt::Write;

/// What is known of an assumption, a gap or a kind of difference, whatever it speaks of in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Stable code: `A012`, `G007`, `D003`.
    pub code: &'static str,
    /// Name of the variant, which JSON has, too.
    pub name: &'static str,
    /// The line that results show, with the names of its parts in braces.
    pub text: &'static str,
    /// What it means for the reader of a result.
    pub explanation: &'static str,
    /// Code for which it shows up.
    pub example: &'static str,
    /// For assumptions their class, and whether callers inherit them; for gaps whether they outlast a proof.
    pub note: &'static str,
    /// What to do about it: an option, a declaration, a change of the code. Empty if there is nothing to do.
    pub help: &'static str,
}

/// Makes an enum of a table. A row is
/// `"A001" Variant { field: Type } "text with {field}" (properties) "explanation", "example", "help";`
/// and the properties are given to the enum's own functions.
macro_rules! table {
    (
        $(#[$doc:meta])*
        pub enum $enum:ident ($($property:ident: $kind:ty),*);
        $(
            $code:literal $name:ident $({ $($(#[$field_doc:meta])* $field:ident: $ty:ty),* $(,)? })? $text:literal
            ($($value:expr),* $(,)?) $explanation:literal, $example:literal, $help:literal;
        )*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
        #[serde(tag = "name", rename_all = "snake_case")]
        pub enum $enum {
            $(
                #[doc = $explanation]
                $name $({ $($(#[$field_doc])* #[doc = "Part of the text."] $field: $ty),* })?,
            )*
        }

        impl $enum {
            /// All rows, in the order of their codes.
            pub const ROWS: &'static [$crate::Row] = &[$(
                $crate::Row {
                    code: $code,
                    name: stringify!($name),
                    text: $text,
                    explanation: $explanation,
                    example: $example,
                    note: $enum::note($($value),*),
                    help: $help,
                },
            )*];

            fn index(&self) -> usize {
                #[derive(Clone, Copy)]
                #[allow(clippy::enum_variant_names, reason = "the names are those of the table")]
                enum Index { $($name),* }
                match self { $(Self::$name { .. } => Index::$name as usize),* }
            }

            /// Its row of the table.
            pub fn row(&self) -> &'static $crate::Row {
                &Self::ROWS[self.index()]
            }

            /// Its stable code.
            pub fn code(&self) -> &'static str {
                self.row().code
            }

            fn properties(&self) -> ($($kind,)*) {
                match self { $(Self::$name { .. } => ($($value,)*)),* }
            }

            /// Its name in JSON.
            pub fn name(&self) -> String {
                $crate::table::snake_case(self.row().name)
            }

            /// Changes every text of the program under test that it holds: names of variables and functions, messages.
            pub fn for_each_text(&mut self, _change: &mut dyn FnMut(&mut String)) {
                match self { $(Self::$name $({ $($field),* })? => { $($($crate::table::Texts::each($field, _change);)*)? })* }
            }
        }

        /// An object with the code, the name, the text, and all parts by their names.
        impl serde::Serialize for $enum {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("code", self.code())?;
                map.serialize_entry("name", &self.name())?;
                map.serialize_entry("text", &self.to_string())?;
                match self { $(Self::$name $({ $($field),* })? => { $($(map.serialize_entry(stringify!($field), $field)?;)*)? })* }
                map.end()
            }
        }

        impl std::fmt::Display for $enum {
            #[allow(unused_variables, reason = "not every part is a part of the text")]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self { $(Self::$name $({ $($field),* })? => write!(f, $text)),* }
            }
        }
    };
}
pub(crate) use table;

/// `OutOfScope` as `out_of_scope`, as serde writes it.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// What may hold text of the program under test.
pub trait Texts {
    /// Changes each such text.
    fn each(&mut self, change: &mut dyn FnMut(&mut String));
}

impl Texts for String {
    fn each(&mut self, change: &mut dyn FnMut(&mut String)) {
        change(self);
    }
}

impl Texts for u64 {
    fn each(&mut self, _: &mut dyn FnMut(&mut String)) {}
}

impl Texts for u32 {
    fn each(&mut self, _: &mut dyn FnMut(&mut String)) {}
}

impl Texts for bool {
    fn each(&mut self, _: &mut dyn FnMut(&mut String)) {}
}

/// All rows of all tables.
pub fn all_rows() -> impl Iterator<Item = &'static Row> {
    Assumption::ROWS.iter().chain(Gap::ROWS).chain(Difference::ROWS)
}

/// The row with a code, in whatever case it is written.
pub fn find(code: &str) -> Option<&'static Row> {
    all_rows().find(|row| row.code.eq_ignore_ascii_case(code))
}

/// Codes like one that is not there, the most alike first.
pub fn like(code: &str) -> Vec<&'static str> {
    let code = code.to_uppercase();
    let mut near: Vec<(usize, &str)> = all_rows()
        .map(|row| (strsim::damerau_levenshtein(&code, row.code), row.code))
        .filter(|(far, _)| *far <= NEAR)
        .collect();
    near.sort();
    near.into_iter().take(SHOWN).map(|(_, code)| code).collect()
}

/// How many letters codes differ in that are named as alike, and how many of them are.
const NEAR: usize = 2;
const SHOWN: usize = 3;

/// All tables as a page of the documentation.
pub fn page() -> String {
    let mut page = String::from(
        "# Codes\n\n\
         What results say beside a verdict, by its code; `pathshift explain-code A001` prints one of them. This page is made from the\n\
         tables in `crates/evidence`, and a test keeps it equal to them (`PATHSHIFT_WRITE_DOCS=1 cargo nextest run -p pathshift-evidence`\n\
         writes it).\n",
    );
    let tables = [
        (
            "Assumptions",
            "What a proof rests on. *Bounds* are limits that we chose; the others are about the program's surroundings.",
            Assumption::ROWS,
        ),
        ("Gaps", "Why a function is undecided, and what would decide it.", Gap::ROWS),
        (
            "Kinds of differences",
            "How two versions differ; `--ignore KIND` leaves a kind out of the exit code.",
            Difference::ROWS,
        ),
    ];
    for (title, intro, rows) in tables {
        let _ = write!(page, "\n## {title}\n\n{intro}\n");
        for row in rows {
            let _ = write!(page, "\n### {}: {}\n\n", row.code, row.text.replace('|', "\\|").replace('<', "&lt;"));
            let _ = writeln!(page, "{}", row.explanation);
            for (name, text) in [("Example", row.example), ("Note", row.note), ("Help", row.help)] {
                if !text.is_empty() {
                    let _ = writeln!(page, "\n*{name}:* {text}");
                }
            }
        }
    }
    page
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_and_ascend() {
        let codes: Vec<&str> = all_rows().map(|row| row.code).collect();
        let unique: BTreeSet<&str> = codes.iter().copied().collect();
        assert_eq!(codes.len(), unique.len());
        for (rows, letter) in [(Assumption::ROWS, 'A'), (Gap::ROWS, 'G'), (Difference::ROWS, 'D')] {
            assert!(rows.windows(2).all(|pair| pair[0].code < pair[1].code), "{letter}");
            let is_code = |code: &str| code.len() == 4 && code.starts_with(letter) && code[1..].parse::<u32>().is_ok();
            assert!(rows.iter().all(|row| is_code(row.code)));
        }
    }

    #[test]
    fn every_row_is_explained() {
        for row in all_rows() {
            assert!(row.explanation.ends_with('.') && row.explanation.len() > 30, "{}", row.code);
            assert!(row.text.len() < 140, "{}", row.code);
            assert!(
                !row.code.starts_with('G') || !row.help.is_empty(),
                "{} does not say what would close it",
                row.code
            );
        }
    }

    #[test]
    fn codes_are_found_and_near_ones_named() {
        assert_eq!(find("a001").map(|row| row.name), Some("NoAliases"));
        assert_eq!(find("A9"), None);
        assert!(like("A01").contains(&"A010"));
        assert!(like("nonsense").is_empty());
    }

    #[test]
    fn names_in_json_are_those_of_serde() {
        assert_eq!(Assumption::OutsideIsolated { function: String::new() }.name(), "outside_isolated");
        assert_eq!(Gap::NoCode { why: String::new() }.name(), "no_code");
    }

    /// With `PATHSHIFT_WRITE_DOCS` in its environment this writes the page.
    #[test]
    fn the_page_of_the_documentation_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/codes.md");
        if std::env::var_os("PATHSHIFT_WRITE_DOCS").is_some() {
            std::fs::write(path, page()).unwrap();
        }
        assert!(std::fs::read_to_string(path).unwrap() == page(), "docs/codes.md is not what the tables say");
    }
}
