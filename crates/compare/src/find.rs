//! Finds functions by the name that a user gives.

use crate::diff::shown::is_of_library;
use crate::explore::function_place;
use ir::demangle::{function_display_name, instance_display_name, rust_path};
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
/// of that name (`Type::f`, `f`). The first of these that finds anything decides, the user's own functions before those of
/// libraries that come with compilers. Parameters, return types, type
/// arguments and the trait of a Rust method may be given or left out.
pub fn functions(module: &Module, name: &str) -> Result<Vec<FuncId>, NotFound> {
    let defined: Vec<FuncId> = module.functions.iter_ids().filter(|(_, f)| f.is_defined()).map(|(id, _)| id).collect();
    let by_symbol = |id: &FuncId| module.function_name(*id) == name || module.function_label(*id) == name;
    let found: Vec<FuncId> = defined.iter().copied().filter(by_symbol).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    // A symbol of another version of a crate: its hash is another one, and perhaps the crate's name.
    if let Some(path) = rust_path(name) {
        let inside = path.split_once("::").map_or(path.as_str(), |(_, inside)| inside).to_owned();
        return functions(module, &path)
            .or_else(|_| functions(module, &inside))
            .map_err(|_| NotFound { name: path, similar: Vec::new() });
    }
    let all_forms = |id: FuncId| {
        let mut all = forms(&instance_display_name(module, id));
        // Without type arguments, last: it is the one that is near to what users write.
        let plain = forms(&function_display_name(module, id));
        all.retain(|form| !plain.contains(form));
        all.extend(plain);
        all
    };
    let named: Vec<(FuncId, Vec<String>)> = defined.iter().map(|&id| (id, all_forms(id))).collect();
    let is_own = |id: FuncId| !function_place(module, id).is_some_and(|place| is_of_library(&place));
    for (only_own, matches) in [(true, is_same as Matches), (true, is_end), (false, is_same), (false, is_end)] {
        let is_meant = |forms: &[String]| forms.iter().any(|form| matches(form, name));
        let found = named.iter().filter(|(_, forms)| is_meant(forms)).map(|(id, _)| *id);
        let found: Vec<FuncId> = found.filter(|&id| !only_own || is_own(id)).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Err(NotFound { name: name.to_string(), similar: similar(named.iter().map(|(_, forms)| forms.as_slice()), name) })
}

type Matches = fn(&str, &str) -> bool;

fn is_same(form: &str, name: &str) -> bool {
    form == name
}

fn is_end(form: &str, name: &str) -> bool {
    !name.is_empty() && form.strip_suffix(name).is_some_and(|before| before.ends_with("::"))
}

/// The ways to say a name, the whole one first: `int ns::f<int>(int) const`, `ns::f<int>(int) const`, `ns::f<int>`,
/// `ns::f`; of `<a::Type as Trait>::f` also `a::Type::f` and `Trait::f`.
fn forms(display: &str) -> Vec<String> {
    let mut forms = vec![display.to_string()];
    let mut add = |form: String| {
        if !form.is_empty() && !forms.contains(&form) {
            forms.push(form);
        }
    };
    for side in [Side::Type, Side::Trait] {
        let path = without_impl(display, side);
        let parts = Parts::of(&path);
        add(path[parts.start..].to_string());
        add(path[parts.start..parts.end].to_string());
        add(parts.bare);
    }
    forms
}

/// Which part of `<Type as Trait>` and `<impl Trait for Type>` stands for the whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Type,
    Trait,
}

/// `<a::Type as Trait>::f` and `m::<impl Trait for a::Type>::f` as `a::Type::f`, or with the trait in its place.
fn without_impl(display: &str, side: Side) -> String {
    /// Impls inside of impls that are resolved; deeper ones do not occur in real code.
    const MAX_NESTED: usize = 8;
    let mut name = display.to_string();
    for _ in 0..MAX_NESTED {
        let open = if name.starts_with('<') { Some(0) } else { name.find("::<impl ").map(|at| at + 2) };
        let Some(open) = open else { break };
        let Some(close) = closing(&name, open) else { break };
        let inner = &name[open + 1..close];
        let (implemented, of_trait) = match inner.strip_prefix("impl ") {
            Some(rest) => split_outside(rest, " for ").map_or((rest, rest), |(of_trait, ty)| (ty, of_trait)),
            None => split_outside(inner, " as ").unwrap_or((inner, inner)),
        };
        let kept = if side == Side::Type { implemented } else { of_trait };
        name = format!("{kept}{}", &name[close + 1..]);
    }
    name
}

/// Splits at the first `word` that is not inside of brackets.
fn split_outside<'n>(name: &'n str, word: &str) -> Option<(&'n str, &'n str)> {
    let mut at = 0;
    loop {
        let rest = &name[at..];
        if let Some(behind) = rest.strip_prefix(word) {
            return Some((&name[..at], behind));
        }
        at = match rest.chars().next()? {
            '<' | '(' | '[' | '{' => closing(name, at)? + 1,
            c => at + c.len_utf8(),
        };
    }
}

/// Where the bracket that opens at `open` closes.
fn closing(name: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in name.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if name[..at].ends_with('-') => {}
            '>' | ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// What a demangled name consists of.
struct Parts {
    /// Where the name begins, behind a return type.
    start: usize,
    /// Where it ends, before the parameters.
    end: usize,
    /// The name without type arguments, unnamed namespaces and tags.
    bare: String,
}

impl Parts {
    fn of(name: &str) -> Parts {
        let mut core = name;
        while let Some(shorter) = [" const", " volatile", " &", " &&"].iter().find_map(|end| core.strip_suffix(end)) {
            core = shorter;
        }
        let mut parts = Parts { start: 0, end: name.len(), bare: String::new() };
        // `operator bool` and `operator new` have a space of their own.
        let mut is_operator = false;
        let mut at = 0;
        while let Some(c) = core[at..].chars().next() {
            let rest = &core[at..];
            let begins_word = !core[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if let Some(symbol) = rest.strip_prefix("operator").filter(|_| begins_word).and_then(operator) {
                let end = at + "operator".len() + symbol.len();
                parts.bare.push_str(&core[at..end]);
                is_operator = true;
                at = end;
                continue;
            }
            match c {
                '(' | '<' | '[' => {
                    let Some(close) = closing(core, at) else {
                        parts.bare.push_str(rest);
                        break;
                    };
                    if c == '(' && close + 1 == core.len() {
                        parts.end = at;
                        break;
                    }
                    // An unnamed namespace, or `::<T>`: one separator goes with it.
                    if parts.bare.is_empty() || parts.bare.ends_with("::") {
                        parts.bare.truncate(parts.bare.len().saturating_sub(2));
                    }
                    at = close + 1;
                    continue;
                }
                ' ' if !is_operator => {
                    parts.start = at + 1;
                    parts.bare.clear();
                }
                _ => parts.bare.push(c),
            }
            at += c.len_utf8();
        }
        parts.bare = parts.bare.trim_start_matches("::").trim_end().to_string();
        parts
    }
}

/// The symbol of an operator, behind the word `operator`; nothing if the word is only the start of another one.
fn operator(rest: &str) -> Option<&str> {
    if rest.starts_with("()") || rest.starts_with("[]") {
        return Some(&rest[..2]);
    }
    if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let is_symbol = |c: char| "<>=!+-*/%^&|~,".contains(c);
    Some(&rest[..rest.find(|c| !is_symbol(c)).unwrap_or(rest.len())])
}

fn similar<'a>(names: impl Iterator<Item = &'a [String]>, wanted: &str) -> Vec<String> {
    let mut scored: Vec<(f64, &str)> = names
        .filter_map(|forms| {
            let (whole, bare) = (forms.first()?, forms.last()?);
            let last = bare.rsplit("::").next().unwrap_or(bare);
            let score = [whole, bare, last].map(|name| strsim::jaro_winkler(name, wanted));
            Some((score.into_iter().fold(0.0, f64::max), whole.as_str()))
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
    fn a_name_has_several_forms() {
        let check = |display: &str, expect: &[&str]| assert_eq!(forms(display), expect, "{display}");
        check("update", &["update"]);
        check(
            "int ns::mx<int>(int, int)",
            &["int ns::mx<int>(int, int)", "ns::mx<int>(int, int)", "ns::mx<int>", "ns::mx"],
        );
        check("ns::apply(int (*)(int), int)", &["ns::apply(int (*)(int), int)", "ns::apply"]);
        check("Box::get() const &", &["Box::get() const &", "Box::get"]);
        check("Box::operator bool() const", &["Box::operator bool() const", "Box::operator bool"]);
        check("Box::operator()(int)", &["Box::operator()(int)", "Box::operator()"]);
        check(
            "bool operator< <int>(V<int>)",
            &["bool operator< <int>(V<int>)", "operator< <int>(V<int>)", "operator< <int>", "operator<"],
        );
        check(
            "f()::$_0::operator()(int) const",
            &["f()::$_0::operator()(int) const", "f()::$_0::operator()", "f::$_0::operator()"],
        );
        check(
            "ns::(anonymous namespace)::g(int)",
            &["ns::(anonymous namespace)::g(int)", "ns::(anonymous namespace)::g", "ns::g"],
        );
        check("(anonymous namespace)::g()", &["(anonymous namespace)::g()", "(anonymous namespace)::g", "g"]);
        check("name[abi:cxx11]()", &["name[abi:cxx11]()", "name[abi:cxx11]", "name"]);
        check("operators()", &["operators()", "operators"]);
        check("t::m::W<T>::get", &["t::m::W<T>::get", "t::m::W::get"]);
        check("<t::W<u8>>::get", &["<t::W<u8>>::get", "t::W<u8>::get", "t::W::get"]);
        check("t::id::<i32>", &["t::id::<i32>", "t::id"]);
        check("<t::Sq as t::Area>::area", &["<t::Sq as t::Area>::area", "t::Sq::area", "t::Area::area"]);
        check(
            "t::<impl core::fmt::Display for t::Sq>::fmt",
            &["t::<impl core::fmt::Display for t::Sq>::fmt", "t::Sq::fmt", "core::fmt::Display::fmt"],
        );
        check("<<a::A as B>::C as D>::f", &["<<a::A as B>::C as D>::f", "a::A::C::f", "D::f"]);
        check("t::f::{{closure}}", &["t::f::{{closure}}"]);
        // Whatever a symbol contains, the result is some name.
        for odd in ["", "<", ">", "(", "<(>)", "::<impl ", "operator", "f(", "\u{e4}<\u{e4}", " ", "<<<<>", "a b) c"] {
            assert!(!forms(odd).is_empty());
        }
    }

    #[test]
    fn near_names_are_suggested() {
        let error = functions(&module(), "updaet").unwrap_err();
        assert_eq!(error.similar, ["update"]);
        assert_eq!(functions(&module(), "zzz").unwrap_err().similar, [] as [&str; 0]);
    }
}
