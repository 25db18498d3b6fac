//! Compilers, and results as short texts.

use analysis::facts::Facts;
use analysis::influence::Upward;
use analysis::points_to::Scope;
use change::impact::{Known, Versions, impact};
use change::summary::{Summary, summarise};
use change::{Changes, Kind, compare};
use ir::module::Module;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Whether the long suites run.
pub fn full() -> bool {
    std::env::var_os("PATHSHIFT_FULL").is_some()
}

pub const FLAGS: [&str; 7] = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-femit-all-decls", "-S", "-emit-llvm"];

/// The IR text of a C or C++ file; the compiler's words if it does not compile.
pub fn compile(version: u32, file: &Path, flags: &[String]) -> Result<String, String> {
    let mut command = Command::new(format!("clang-{version}"));
    command.arg("-w").args(FLAGS).args(flags).args(["-o", "-"]).arg(file);
    let output = command.output().unwrap();
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The promoted module of an IR text.
pub fn module(text: &str) -> Module {
    let mut module = ir::parse::parse(text).unwrap_or_else(|error| panic!("{error}"));
    ir::promote::promote(&mut module);
    module
}

/// The promoted module of several IR texts.
pub fn linked<'t>(texts: impl IntoIterator<Item = &'t String>) -> Module {
    let modules = texts.into_iter().map(|text| ir::parse::parse(text).unwrap()).collect();
    let mut module = ir::link::link(modules).unwrap();
    ir::promote::promote(&mut module);
    module
}

/// The promoted module of a source that is called `name` in a directory of its own.
pub fn module_of_source(name: &str, source: &str) -> Module {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(name);
    std::fs::write(&file, source).unwrap();
    if name.ends_with(".rs") {
        return module(&rust(&file));
    }
    let flags = if name.ends_with(".cpp") { vec!["-std=c++17".to_owned()] } else { Vec::new() };
    module(&compile(19, &file, &flags).unwrap_or_else(|error| panic!("{error}")))
}

fn rust(file: &Path) -> String {
    let out = file.with_extension("ll");
    let mut command = Command::new("rustc");
    command.args(["--edition=2021", "--crate-type=lib", "--crate-name=sample", "-g", "--emit=llvm-ir"]);
    command.args(["-C", "panic=abort", "-C", "codegen-units=1", "-C", "link-dead-code", "-A", "warnings"]);
    // Each file is a version of its own, with its own hashes in names.
    command.arg(format!("-Cmetadata={}", file.display()));
    let output = command.arg("-o").arg(&out).arg(file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(out).unwrap()
}

/// Compares two modules, and checks what must hold of every result.
pub fn checked(old: &Module, new: &Module) -> (Changes, Summary) {
    let changes = compare(old, new);
    for function in &changes.functions {
        let Some(diff) = &function.diff else { continue };
        for (index, fate) in diff.old.iter().enumerate() {
            let back = fate.partner.map(|partner| diff.of_new(partner));
            assert!(back.is_none_or(|back| back.status == fate.status), "{}", function.name);
            assert!(
                back.is_none_or(|back| back.partner.is_some_and(|p| ir::id::Id::index(p) == index)),
                "{}",
                function.name
            );
        }
        let old_function = &old.functions[function.old.unwrap()];
        let new_function = &new.functions[function.new.unwrap()];
        let code = |kind: &ir::inst::InstKind| !matches!(kind, ir::inst::InstKind::Marker(_));
        let same = old_function
            .body()
            .filter(|(_, _, inst)| code(&inst.kind))
            .all(|(_, id, _)| diff.of_old(id).status == change::Status::Unchanged)
            && new_function
                .body()
                .filter(|(_, _, inst)| code(&inst.kind))
                .all(|(_, id, _)| diff.of_new(id).status == change::Status::Unchanged);
        // What is aligned instruction by instruction agrees with the digests.
        if function.kind == Kind::Unchanged {
            assert!(same || !reachable_all(old_function), "{} is unchanged, some instruction is not", function.name);
        } else {
            assert!(!same || function.signature_changed, "{} is changed, no instruction is", function.name);
        }
    }
    let summary = summarise(old, new, &changes);
    (changes, summary)
}

/// How many sets of impacted instructions a change has in the new version.
pub fn reached(old: &Module, new: &Module) -> usize {
    let changes = compare(old, new);
    let (old, new) = (Facts::new(old, &Scope::Library), Facts::new(new, &Scope::Library));
    let versions = Versions { old: &old, new: &new, changes: &changes };
    let found = impact(&versions, &mut Known::default(), Upward::Callers);
    found.new.influence.sets.values().filter(|set| !set.is_empty()).count()
}

/// Whether no block is dead: what digests leave out may have changed.
fn reachable_all(function: &ir::module::Function) -> bool {
    let mut seen = vec![false; function.blocks.len()];
    let mut stack: Vec<_> = function.blocks.ids().take(1).collect();
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[ir::id::Id::index(block)], true) {
            function.terminator(block).unwrap().kind.for_each_successor(|next| stack.push(next));
        }
    }
    seen.into_iter().all(|seen| seen)
}

/// The result in short: one line for each function and variable that is not the same or uses something that is not.
pub fn text(summary: &Summary) -> String {
    let mut out = String::new();
    for f in &summary.functions {
        write!(out, "{}", f.name.split('(').next().unwrap()).unwrap();
        if let Some(old) = &f.old_name {
            write!(out, " (was {})", old.split('(').next().unwrap()).unwrap();
        }
        write!(out, " {}", kind(f.kind)).unwrap();
        if f.signature_changed {
            out.push_str(" signature");
        }
        if f.kind == Kind::Changed {
            for hunk in &f.hunks {
                write!(out, " {:?}->{:?}", hunk.old_lines, hunk.new_lines).unwrap();
            }
        }
        if !f.uses_functions.is_empty() {
            let names: Vec<&str> = f.uses_functions.iter().map(|name| name.split('(').next().unwrap()).collect();
            write!(out, " calls {}", names.join(", ")).unwrap();
        }
        if !f.uses_globals.is_empty() {
            write!(out, " touches {}", f.uses_globals.join(", ")).unwrap();
        }
        out.push('\n');
    }
    for g in &summary.globals {
        let renamed = g.old_name.as_ref().map(|old| format!(" (was {old})")).unwrap_or_default();
        writeln!(out, "variable {}{renamed} {}", g.name, kind(g.kind)).unwrap();
    }
    for t in &summary.types {
        let renamed = t.old_name.as_ref().map(|old| format!(" (was {old})")).unwrap_or_default();
        let members: Vec<&str> = t.members.iter().map(|member| &*member.name).collect();
        writeln!(out, "type {}{renamed} {} {}", t.name, kind(t.kind), members.join(" ")).unwrap();
    }
    out
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Unchanged => "unchanged",
        Kind::Changed => "changed",
        Kind::Added => "added",
        Kind::Removed => "removed",
    }
}

/// Random numbers from a seed.
pub struct Random(pub u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 24) % limit as u64) as usize
    }
}
