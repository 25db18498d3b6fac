//! `pathshift impact`.

use crate::args::{Impact, ImpactFormat, When};
use crate::console::{self, Failure};
use crate::{environment, output};
use build::Built;
use compare::store::this_build;
use report::escape::Syntax;
use report::impact::Extent;
use smt::pool::digest;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Says what a change can reach.
pub fn run(args: &Impact, color: When) -> Result<ExitCode, Failure> {
    let build = environment::options(&args.build, &[&args.old, &args.new])?;
    let machine = environment::machine();
    let store = super::store::open(&args.store);
    let load = |path| -> Result<Built, Failure> {
        let built = build::load(path, &build, &machine)?;
        if build.cancel.load(Ordering::Relaxed) {
            return Err(build::BuildError::Cancelled.into());
        }
        Ok(built)
    };
    let (old, new) = (load(&args.old)?, load(&args.new)?);
    let form = Form::of(args, color);
    let kept = store.as_ref().zip(key(args, form, [&old, &new]));
    let known = kept.and_then(|(store, key)| store.impact(key).ok().flatten());
    let text = match known {
        Some(known) => known,
        None => {
            let text = find_out(args, form, [old, new])?;
            if let Some((store, key)) = kept
                && let Err(error) = store.put_impact(key, &text)
            {
                super::store::warn(Some(&error.to_string()));
            }
            text
        }
    };
    output::write(args.output.as_deref(), form.syntax(), |out| out.write_all(text.as_bytes()))?;
    super::store::finish(store.as_ref());
    Ok(ExitCode::SUCCESS)
}

/// How the result is shown.
#[derive(Clone, Copy, Debug)]
struct Form {
    color: bool,
    extent: Extent,
    format: ImpactFormat,
}

impl Form {
    fn syntax(self) -> Syntax {
        match self.format {
            ImpactFormat::Text if self.color => Syntax::Coloured,
            ImpactFormat::Text | ImpactFormat::Dot | ImpactFormat::Svg => Syntax::Text,
            ImpactFormat::Json => Syntax::Json,
        }
    }

    fn of(args: &Impact, color: When) -> Form {
        let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match color {
            When::Always => true,
            When::Never => false,
            When::Auto => !is_plain && args.output.is_none() && console::is_output_watched(),
        };
        let all = args.all || !args.functions.is_empty();
        Form { color, extent: if all { Extent::All } else { Extent::Readable }, format: args.format }
    }
}

/// What stands for the question: the code with its lines and the checksums of the files that it is from, and what is to be
/// shown. Nothing if files have none: lines that are shown may change then, and the code would not tell.
fn key(args: &Impact, form: Form, versions: [&Built; 2]) -> Option<u128> {
    let asked = digest::mix(digest::text(&format!("impact {form:?} {:?}", args.functions)), this_build());
    versions.iter().try_fold(asked, |key, built| Some(digest::mix(key, built.digest?)))
}

fn find_out(args: &Impact, form: Form, versions: [Built; 2]) -> Result<String, Failure> {
    let [old, new] = versions.map(|mut built| {
        ir::promote::promote(&mut built.module);
        built.module
    });
    let impact = compare::impact::impact(&old, &new, &args.functions).map_err(super::ir::not_found)?;
    Ok(match form.format {
        ImpactFormat::Text => report::impact::text(&impact, form.color, form.extent),
        ImpactFormat::Json => report::json(&impact).map_err(|error| Failure::Internal(error.into()))?,
        ImpactFormat::Dot => report::impact_graph::dot(&impact),
        ImpactFormat::Svg => report::impact_svg::svg(&impact),
    })
}
