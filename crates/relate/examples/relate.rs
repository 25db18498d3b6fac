//! Relates two modules given as LLVM IR: `relate OLD.ll NEW.ll`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [old, new] = &paths[..] else {
        eprintln!("usage: relate OLD.ll NEW.ll");
        return ExitCode::from(2);
    };
    let read = |path: &String| {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let mut module = ir::parse::parse(&text).map_err(|error| error.to_string())?;
        ir::promote::promote(&mut module);
        Ok::<_, String>(module)
    };
    match (read(old), read(new)) {
        (Ok(old), Ok(new)) => {
            let changes = change::compare(&old, &new);
            let begin = std::time::Instant::now();
            let found = relate::summarise(&old, &new, &changes, &Default::default(), &relate::Options::default());
            for (position, answer) in &found.answers {
                println!("{}: {answer:?}", changes.functions[*position].name);
            }
            eprintln!("{:?}", begin.elapsed());
            ExitCode::SUCCESS
        }
        (Err(error), _) | (_, Err(error)) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
