//! `diff` from end to end on two modules, under small limits and without native runs.

use crate::SLOWEST;
use build::Environment;
use compare::diff::{Options, diff as compare_versions};
use report::diff::Verdict;
use report::escape::is_hidden;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// What stands between the old and the new version, alone on its line.
pub const BETWEEN: &str = "; the new version";

/// Most bytes of a version: what is larger takes its time to read alone.
const MAX_BYTES: usize = 64 << 10;

/// Two versions. Limits hold, a module does not differ from itself, and every form of the result can be shown.
pub fn diff(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (old, new) = text.split_once(BETWEEN).unwrap_or((&text, &text));
    if old.len().max(new.len()) > MAX_BYTES {
        return;
    }
    let (Ok(mut old_module), Ok(mut new_module)) = (ir::parse::parse(old), ir::parse::parse(new)) else { return };
    ir::promote::promote(&mut old_module);
    ir::promote::promote(&mut new_module);
    let mut options = Options { time: Duration::from_secs(1), ..Options::default() };
    options.explore.unwind = Some(3);
    options.explore.max_paths = 64;
    options.explore.max_steps = 20_000;
    let env = Environment { path: OsString::new(), temp: std::env::temp_dir(), bitcode_helper: None };
    let functions = old_module.functions.len().max(new_module.functions.len());
    let start = Instant::now();
    let report = compare_versions(&old_module, &new_module, &options, &env, |_| {}).report;
    let took = start.elapsed();
    let most = SLOWEST.max(Duration::from_secs(2 * functions as u64));
    assert!(took < most, "{took:?} with a limit of one second for each of {functions} functions");
    if old == new {
        let different = report.functions.iter().find(|function| function.verdict == Verdict::Different);
        assert!(different.is_none(), "a module differs from itself: {:?}", different.map(|function| &function.name));
    }
    for shown in [report::diff::text(&report), report::diff::markdown(&report)] {
        let hidden = shown.chars().find(|&c| !matches!(c, '\n' | '\t') && is_hidden(c));
        assert_eq!(hidden, None, "{}", shown.escape_debug());
    }
    report::json(&report).unwrap_or_else(|error| panic!("{error}"));
}
