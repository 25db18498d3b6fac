//! `pathshift explain-code`.

use crate::console::{Failure, write_stdout};
use report::escape::Syntax;
use std::process::ExitCode;

/// Writes what a code means: its row of the tables, or a list of all rows.
pub fn run(code: Option<&str>) -> Result<ExitCode, Failure> {
    let text = match code {
        Some(code) => evidence::find(code).map(explained).ok_or_else(|| unknown(code))?,
        None => evidence::all_rows().map(|row| format!("{}  {}\n", row.code, row.text)).collect(),
    };
    write_stdout(&text, Syntax::Text)?;
    Ok(ExitCode::SUCCESS)
}

fn explained(row: &evidence::Row) -> String {
    let parts = [("example", row.example), ("note", row.note), ("help", row.help)];
    let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
    let parts: String = parts.map(|(name, text)| format!("{name}: {text}\n")).collect();
    format!("{}: {}\n\n{}\n\n{parts}", row.code, row.text, row.explanation)
}

fn unknown(code: &str) -> Failure {
    let near = evidence::like(code);
    let help = match near.as_slice() {
        [] => "`pathshift explain-code` lists all codes".to_owned(),
        near => format!("did you mean {}?", near.join(", ")),
    };
    Failure::usage(format!("there is no code `{code}`"), Some(help))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn codes_say_what_they_mean_and_what_helps() {
        let text = explained(evidence::find("A018").unwrap());
        for part in ["A018: up to {most} iterations of a loop\n\nLoops were", "\nexample: `while", "\nhelp: --unwind N"]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
        let Failure::Usage { message, help } = unknown("A18") else { panic!("another failure") };
        assert_eq!(message, "there is no code `A18`");
        assert!(help.unwrap().contains("A018"));
    }
}
