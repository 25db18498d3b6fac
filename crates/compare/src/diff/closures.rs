//! Closures of Rust and lambdas of C++: functions that nobody wrote down as such.
//!
//! They are numbered in the order in which they stand in a function, so that the first one of the old version may have
//! nothing to do with the first one of the new version. What counts is what their callers do with them, and these are
//! compared with all that they call. That is all there is to say if nobody else can call them: nothing holds their
//! address, every caller is compared or is itself such a function, and no code outside of the program gets hold of them.

use change::hashes::{function_uses, uses};
use change::{Changes, FunctionChange};
use ir::debug::{DebugTypeKind, Language};
use ir::demangle::function_display_name;
use ir::id::{FuncId, SymbolId};
use ir::module::{Module, SymbolKind, Visibility};
use std::collections::{BTreeMap, BTreeSet};

/// Closures among `chosen` of which their callers tell all there is to tell. `made` are functions that are left out for
/// another reason, but may stand between a closure and a caller that is compared.
pub fn told_by_callers(
    old: &Module,
    new: &Module,
    changes: &Changes,
    chosen: &[usize],
    made: &BTreeSet<usize>,
) -> BTreeSet<usize> {
    let functions = &changes.functions;
    let rows: BTreeSet<usize> = chosen.iter().copied().filter(|index| !made.contains(index)).collect();
    let is_open = |index: &usize| !functions[*index].same && is_closure(&functions[*index], old, new);
    let closures: BTreeSet<usize> = rows.iter().copied().filter(is_open).collect();
    if closures.is_empty() {
        return closures;
    }
    let sides =
        [Side::new(old, functions, |function| function.old), Side::new(new, functions, |function| function.new)];
    let mut left: BTreeSet<usize> = closures.union(made).copied().collect();
    loop {
        let holds = |index: &usize| {
            let ids = [functions[*index].old, functions[*index].new];
            sides.iter().zip(ids).filter_map(|(side, id)| Some((side, id?))).all(|(side, id)| {
                let is_told = |caller: &usize| rows.contains(caller) || left.contains(caller);
                side.only_called_by(id, &is_told) && (!closures.contains(index) || side.stays_inside(id, &left))
            })
        };
        let rest: BTreeSet<usize> = left.iter().copied().filter(holds).collect();
        if rest.len() == left.len() {
            return closures.intersection(&rest).copied().collect();
        }
        left = rest;
    }
}

fn is_closure(function: &FunctionChange, old: &Module, new: &Module) -> bool {
    let is_one = |module: &Module, id: FuncId| written_in(&function_display_name(module, id)).is_some();
    function.old.is_none_or(|id| is_one(old, id)) && function.new.is_none_or(|id| is_one(new, id))
}

/// The function in which the closure or lambda of that name is written; empty for one that is in none.
fn written_in(name: &str) -> Option<&str> {
    let last = name.rsplit("::").next().unwrap_or(name);
    if last == "{{closure}}" || last.starts_with("{closure#") && last.ends_with('}') {
        let at = name.find("::{{closure}}").or_else(|| name.find("::{closure#"))?;
        return Some(&name[..at]);
    }
    let (class, _) = name.rsplit_once("::operator()")?;
    let is_numbered = class.rsplit("::").next().is_some_and(|last| last.starts_with("$_"));
    let is_lambda = is_numbered || class.ends_with('}') && class.contains("{lambda(");
    let at = name.find("::$_").into_iter().chain(name.find("::{lambda(")).min().unwrap_or(0);
    is_lambda.then(|| &name[..at])
}

/// Who calls whom in one version.
pub(super) struct Side<'m> {
    module: &'m Module,
    /// Positions of functions among all that are compared.
    positions: BTreeMap<SymbolId, usize>,
    callers: BTreeMap<SymbolId, BTreeSet<FuncId>>,
    /// Symbols that are used in another way than being called.
    held: BTreeSet<SymbolId>,
}

impl<'m> Side<'m> {
    /// Looks at all functions of a version; `id` says which one of a change is the version's.
    pub(super) fn new(
        module: &'m Module,
        functions: &[FunctionChange],
        id: impl Fn(&FunctionChange) -> Option<FuncId>,
    ) -> Side<'m> {
        let symbol = |function| Some(module.functions[id(function)?].symbol);
        let positions = functions.iter().enumerate().filter_map(|(index, f)| Some((symbol(f)?, index))).collect();
        let mut side = Side { module, positions, callers: BTreeMap::new(), held: BTreeSet::new() };
        for (symbol, used) in module.symbols.ids().zip(uses(module)) {
            let SymbolKind::Function(caller) = module.symbols[symbol].kind else {
                side.held.extend(used);
                continue;
            };
            let mut mentions: BTreeMap<SymbolId, usize> = BTreeMap::new();
            function_uses(module, caller).into_iter().for_each(|used| *mentions.entry(used).or_default() += 1);
            for (_, _, inst) in module.functions[caller].body() {
                if let Some(callee) = module.called_function(&inst.kind).map(|callee| module.functions[callee].symbol) {
                    side.callers.entry(callee).or_default().insert(caller);
                    mentions.entry(callee).and_modify(|count| *count = count.saturating_sub(1));
                }
            }
            side.held.extend(mentions.into_iter().filter(|(_, count)| *count > 0).map(|(symbol, _)| symbol));
        }
        side
    }

    /// The functions that call one, itself aside.
    fn callers_of(&self, id: FuncId) -> impl Iterator<Item = FuncId> {
        let callers = self.callers.get(&self.module.functions[id].symbol).into_iter().flatten();
        callers.copied().filter(move |caller| *caller != id)
    }

    fn position(&self, id: FuncId) -> Option<usize> {
        self.positions.get(&self.module.functions[id].symbol).copied()
    }

    /// Whether a function is called and nothing else, and only by functions that are told of.
    pub(super) fn only_called_by(&self, id: FuncId, is_told: &dyn Fn(&usize) -> bool) -> bool {
        let by_known = |caller: FuncId| self.position(caller).is_some_and(|position| is_told(&position));
        !self.held.contains(&self.module.functions[id].symbol)
            && self.callers_of(id).next().is_some()
            && self.callers_of(id).all(by_known)
    }

    /// Whether no code outside of the program can call a closure. Those of generic and inline functions can be seen from
    /// outside, but nobody gets hold of one that its function calls, through functions that are left out at most, and
    /// does not return.
    fn stays_inside(&self, id: FuncId, left: &BTreeSet<usize>) -> bool {
        let symbol = &self.module.symbols[self.module.functions[id].symbol];
        if symbol.linkage.is_local() || symbol.visibility == Visibility::Hidden {
            return true;
        }
        let name = function_display_name(self.module, id);
        let Some(parent) = written_in(&name).filter(|parent| !parent.is_empty()) else { return false };
        let is_parent = |id: FuncId| {
            let name = function_display_name(self.module, id);
            // A template's name begins with the type of its result.
            name.strip_suffix(parent).is_some_and(|before| before.is_empty() || before.ends_with(' '))
        };
        let (mut seen, mut todo) = (BTreeSet::from([id]), vec![id]);
        while let Some(id) = todo.pop() {
            for caller in self.callers_of(id) {
                if is_parent(caller) {
                    return self.returns_no_closure(caller);
                }
                if self.position(caller).is_some_and(|position| left.contains(&position)) && seen.insert(caller) {
                    todo.push(caller);
                }
            }
        }
        false
    }

    /// Whether the type that a function returns is known, and neither is a closure nor made of one.
    fn returns_no_closure(&self, id: FuncId) -> bool {
        let debug = &self.module.debug;
        let ty = self.module.functions[id].scope.and_then(|scope| debug.scopes[scope].ty);
        let Some(ty) = ty.map(|ty| &debug.types[ty]) else { return false };
        let DebugTypeKind::Function { types } = &ty.kind else { return false };
        // To rustc whatever holds nothing is no result, and that is what a closure may be.
        let Some(result) = types.first().copied().flatten() else { return ty.language != Language::Rust };
        let name = debug.type_name(&self.module.strings, result);
        // The class of a lambda has no name.
        !["{closure", "lambda", "{...}"].iter().any(|part| name.contains(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_are_known_by_their_names() {
        let check = |name: &str, expect: Option<&str>| assert_eq!(written_in(name), expect, "{name}");
        check("m::f", None);
        check("m::f::{{closure}}", Some("m::f"));
        check("m::f::{{closure}}::{{closure}}", Some("m::f"));
        check("m::f::{closure#1}", Some("m::f"));
        check("m::twice::<m::f::{closure#0}>", None);
        check("<m::S as m::T>::f::{{closure}}", Some("<m::S as m::T>::f"));
        check("all(int const*, int)::$_0::operator()(int) const", Some("all(int const*, int)"));
        check("ns::f(int)::{lambda(int)#1}::operator()(int) const", Some("ns::f(int)"));
        check("$_0::operator()(int) const", Some(""));
        check("Box::operator()(int)", None);
        check("f(int)::$_0::__invoke(int)", None);
        check("call<f()::{lambda()#1}>::operator()()", None);
    }
}
