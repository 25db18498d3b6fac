//! `pathshift ir`.

use crate::args::{Ir, IrFormat};
use crate::console::Failure;
use crate::{environment, output};
use compare::find::{self, NotFound};
use compare::inspect::inspect;
use ir::id::FuncId;
use ir::module::Module;
use report::escape::Syntax;
use std::process::ExitCode;

/// Shows the model of an input.
pub fn run(args: &Ir) -> Result<ExitCode, Failure> {
    if args.summary && args.format != IrFormat::Text {
        let help = "json and llvm have all of it; choose functions with --function".to_owned();
        return Err(Failure::usage("--summary is for --format text".to_owned(), Some(help)));
    }
    let options = environment::options(&args.build, &[&args.input])?;
    let mut built = build::load(&args.input, &options, &environment::machine())?;
    environment::build_is_over(&options)?;
    let promoted = if args.no_promote { 0 } else { ir::promote::promote(&mut built.module).slots };
    let chosen = choose(&built.module, &args.functions)?;
    let text = match args.format {
        IrFormat::Llvm if chosen.is_empty() => ir::print::print(&built.module),
        IrFormat::Llvm => ir::print::print_functions(&built.module, &chosen),
        format => {
            let model = inspect(&args.input.display().to_string(), &built, promoted, &chosen);
            match format {
                IrFormat::Json => report::json(&model).map_err(|error| Failure::Internal(error.into()))?,
                _ => report::model_text::write(&model, args.summary),
            }
        }
    };
    let syntax = match args.format {
        IrFormat::Text => Syntax::Text,
        IrFormat::Json => Syntax::Json,
        IrFormat::Llvm => Syntax::Llvm,
    };
    output::write(args.output.as_deref(), syntax, |out| out.write_all(text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

/// The functions of those names.
fn choose(module: &Module, names: &[String]) -> Result<Vec<FuncId>, Failure> {
    let mut chosen = Vec::new();
    for name in names {
        let found = find::functions(module, name).map_err(not_found)?;
        chosen.extend(found);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

pub(super) fn not_found(error: NotFound) -> Failure {
    let help = match error.similar.as_slice() {
        [] => "`pathshift ir INPUT --summary` lists all functions".to_string(),
        names => format!("similar names: {}", names.join(", ")),
    };
    Failure::usage(error.to_string(), Some(help))
}
