//! Finds functions by the name that a user gives.

use ir::demangle::function_display_name;
use ir::id::FuncId;
use ir::module::Module;

/// No function has the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no function `{name}`")]
pub struct NotFound {
    /// What was asked for.
    pub name: String,
    /// Names that are near to it, the nearest first.
    pub similar: Vec<String>,
}

/// How many similar names are told.
const MAX_SIMILAR: usize = 3;

/// Names less similar than this are no help.
const MIN_SIMILARITY: f64 = 0.75;

/// All functions with a body that `name` names: by symbol, by the name in the source (`ns::Type::f`), or by the end
/// of that name (`Type::f`, `f`). The first of these that finds anything decides.
pub fn functions(module: &Module, name: &str) -> Result<Vec<FuncId>, NotFound> {
    let defined: Vec<FuncId> = module.functions.iter_ids().filter(|(_, f)| f.is_defined()).map(|(id, _)| id).collect();
    let by_symbol = |id: &FuncId| module.function_name(*id) == name;
    let found: Vec<FuncId> = defined.iter().copied().filter(by_symbol).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let displayed: Vec<(FuncId, String)> = defined.iter().map(|&id| (id, function_display_name(module, id))).collect();
    for matches in [is_same, is_end] {
        let found: Vec<FuncId> =
            displayed.iter().filter(|(_, display)| matches(display, name)).map(|(id, _)| *id).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Err(NotFound { name: name.to_string(), similar: similar(displayed.iter().map(|(_, display)| display), name) })
}

fn is_same(display: &str, name: &str) -> bool {
    display == name || without_parameters(display) == name
}

fn is_end(display: &str, name: &str) -> bool {
    let display = without_parameters(display);
    display.strip_suffix(name).is_some_and(|before| before.ends_with("::"))
}

/// `ns::f(int, char)` without its parameters.
fn without_parameters(display: &str) -> &str {
    match display.rfind('(') {
        Some(at) if display.ends_with(')') || display.ends_with("const") => &display[..at],
        _ => display,
    }
}

fn similar<'a>(names: impl Iterator<Item = &'a String>, wanted: &str) -> Vec<String> {
    let mut scored: Vec<(f64, &str)> = names
        .map(|name| {
            let last = without_parameters(name).rsplit("::").next().unwrap_or(name);
            let score = strsim::jaro_winkler(name, wanted).max(strsim::jaro_winkler(last, wanted));
            (score, name.as_str())
        })
        .filter(|(score, _)| *score >= MIN_SIMILARITY)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(MAX_SIMILAR).map(|(_, name)| name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn module() -> Module {
        let define = |name: &str| format!("define void @{name}() {{\n  ret void\n}}\n");
        let names = ["update", "_ZN2ns3Box3addEii", "_ZN4main3run17h0123456789abcdefE", "main"];
        ir::parse::parse(&names.map(define).concat()).unwrap()
    }

    #[test]
    fn symbol_then_whole_name_then_end() {
        let module = module();
        let check = |name: &str, symbol: &str| {
            let found = functions(&module, name).unwrap();
            assert_eq!(found.iter().map(|&id| module.function_name(id)).collect::<Vec<_>>(), [symbol], "{name}");
        };
        check("update", "update");
        check("_ZN2ns3Box3addEii", "_ZN2ns3Box3addEii");
        check("ns::Box::add", "_ZN2ns3Box3addEii");
        check("ns::Box::add(int, int)", "_ZN2ns3Box3addEii");
        check("Box::add", "_ZN2ns3Box3addEii");
        check("add", "_ZN2ns3Box3addEii");
        check("main::run", "_ZN4main3run17h0123456789abcdefE");
        check("main", "main");
    }

    #[test]
    fn near_names_are_suggested() {
        let error = functions(&module(), "updaet").unwrap_err();
        assert_eq!(error.similar, ["update"]);
        assert_eq!(functions(&module(), "zzz").unwrap_err().similar, [] as [&str; 0]);
    }
}
