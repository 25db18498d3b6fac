//! `pathshift impact`.

use crate::args::{Impact, ImpactFormat, When};
use crate::console::Failure;
use crate::{environment, output};
use report::impact::Extent;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Says what a change can reach.
pub fn run(args: &Impact, color: When) -> Result<ExitCode, Failure> {
    let build = environment::options(&args.build, &[&args.old, &args.new])?;
    let machine = environment::machine();
    let load = |path| -> Result<ir::module::Module, Failure> {
        let mut built = build::load(path, &build, &machine)?;
        if build.cancel.load(Ordering::Relaxed) {
            return Err(build::BuildError::Cancelled.into());
        }
        ir::promote::promote(&mut built.module);
        Ok(built.module)
    };
    let (old, new) = (load(&args.old)?, load(&args.new)?);
    let impact = compare::impact::impact(&old, &new, &args.functions).map_err(super::ir::not_found)?;
    let text = match args.format {
        ImpactFormat::Text => {
            let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let color = match color {
                When::Always => true,
                When::Never => false,
                When::Auto => !is_plain && args.output.is_none() && std::io::stdout().is_terminal(),
            };
            let all = args.all || !args.functions.is_empty();
            report::impact::text(&impact, color, if all { Extent::All } else { Extent::Readable })
        }
        ImpactFormat::Json => report::json(&impact).map_err(|error| Failure::Internal(error.into()))?,
        ImpactFormat::Dot => report::impact_graph::dot(&impact),
        ImpactFormat::Svg => report::impact_svg::svg(&impact),
    };
    output::write(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}
