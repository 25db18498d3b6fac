//! Compiling, and the passes that are looked at.

use std::path::Path;
use std::process::Command;

/// A pass of LLVM.
pub struct Pass {
    /// Its name in the table.
    pub name: &'static str,
    /// What opt is told.
    pub pipeline: &'static str,
    /// The share of functions that are to be the same, in percent; none for those that promotion makes easy.
    pub goal: Option<u32>,
}

const fn pass(name: &'static str, pipeline: &'static str, goal: u32) -> Pass {
    Pass { name, pipeline, goal: Some(goal) }
}

/// All passes. By default opt stops if one round of `instcombine` does not reach a fixpoint.
pub const PASSES: [Pass; 12] = [
    pass("simplifycfg", "simplifycfg", 95),
    pass("early-cse", "early-cse", 95),
    pass("sccp", "sccp", 95),
    pass("adce", "adce", 95),
    pass("instcombine", "instcombine<no-verify-fixpoint>", 85),
    pass("reassociate", "reassociate", 85),
    pass("loop-rotate", "function(loop(loop-rotate))", 85),
    pass("gvn", "gvn", 75),
    pass("licm", "function(loop-mssa(licm))", 65),
    pass("dse", "dse", 65),
    Pass { name: "mem2reg", pipeline: "mem2reg", goal: None },
    Pass { name: "sroa", pipeline: "sroa", goal: None },
];

/// What passes start from: the code as it was compiled, and after a pass.
pub const BASES: [(&str, Option<&str>); 2] = [("O0", None), ("sroa", Some("sroa"))];

/// Compiles a C file without optimisation, and without the attribute that keeps passes from it.
pub fn compile(source: &Path, flags: &[String], output: &Path) {
    let mut command = Command::new("clang-19");
    command.args(["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w", "-S", "-emit-llvm", "-o"]);
    run(command.arg(output).args(flags).arg(source));
}

/// Runs passes over a file of IR.
pub fn optimise(input: &Path, pipeline: &str, output: &Path) {
    run(Command::new("opt-19").arg(format!("-passes={pipeline}")).args(["-S", "-o"]).arg(output).arg(input));
}

fn run(command: &mut Command) {
    let ran = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(ran.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ran.stderr));
}
