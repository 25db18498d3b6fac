//! Why a line depends on a change, in words: through which variable, call or branch.

use super::Reached;
use analysis::facts::{Facts, FunctionFacts};
use analysis::influence::Why;
use analysis::memory::Source;
use analysis::points_to::ObjectKind;
use change::lines::line;
use ir::demangle::{demangle, function_display_name};
use ir::id::{FuncId, Id, InstId};
use ir::inst::{InstKind, Value};
use ir::module::Module;

/// Finds words for the lines of one function.
pub(super) struct Explainer<'a, 'm> {
    pub facts: &'a Facts<'m>,
    pub known: &'a FunctionFacts,
    pub id: FuncId,
}

/// A parameter as the user calls it.
pub(super) fn parameter(module: &Module, id: FuncId, index: u32) -> String {
    let function = &module.functions[id];
    let name = function.body().find_map(|(_, _, inst)| match &inst.kind {
        InstKind::Marker(marker) if marker.value == Some(Value::Arg(index)) => {
            let variable = &module.debug.variables[marker.variable];
            variable.name.filter(|_| variable.arg > 0).map(|name| module.str(name).to_owned())
        }
        _ => None,
    });
    name.map_or_else(|| format!("parameter {}", index + 1), |name| format!("parameter `{name}`"))
}

impl Explainer<'_, '_> {
    /// The most telling reason of a line's instructions: one that comes from another line, if there is one.
    pub fn line(&self, number: u32, insts: &[InstId], reached: &Reached) -> String {
        let reasons = insts.iter().filter_map(|inst| {
            let why = reached.why.get(inst).copied().filter(|_| reached.inside.contains(inst.index()));
            let calls = reached.calls.contains(inst.index());
            why.map(|why| self.reason(number, *inst, why)).or_else(|| calls.then(|| (6, self.inner(*inst))))
        });
        reasons.min().map_or(String::new(), |(_, text)| text)
    }

    fn inner(&self, call: InstId) -> String {
        match self.facts.module.called_function(&self.facts.module.functions[self.id].insts[call].kind) {
            Some(callee) => format!("something inside of `{}` depends on it", self.name(callee)),
            None => "something that it calls depends on it".to_owned(),
        }
    }

    /// Words, and how little they tell.
    fn reason(&self, number: u32, inst: InstId, why: Why) -> (u8, String) {
        let from = |inst: InstId| self.line_of(inst).filter(|&from| from != number);
        let at = |inst: InstId| from(inst).map_or(String::new(), |line| format!(", line {line}"));
        let rank = |inst: InstId, rank: u8| if from(inst).is_some() { rank } else { 9 };
        match why {
            Why::Start => (0, "changed, or uses what changed".to_owned()),
            Why::Other => (5, "depends on it in the old version".to_owned()),
            Why::Branch(decider, _) => match from(decider) {
                Some(line) => (1, format!("runs or not by line {line}")),
                None => (8, "runs or not by a decision in this line".to_owned()),
            },
            Why::Join(decider) => match from(decider) {
                Some(line) => (4, format!("its value depends on the way taken in line {line}")),
                None => (9, "its value depends on the way taken".to_owned()),
            },
            Why::Value(Value::Arg(index)) => (2, format!("through {}", parameter(self.facts.module, self.id, index))),
            Why::Value(Value::Inst(source)) => match self.variable(source) {
                Some(name) => (2, format!("through `{name}`{}", at(source))),
                None => (rank(source, 3), format!("through a value{}", at(source))),
            },
            Why::Value(Value::Const(_)) => (9, String::new()),
            Why::Memory(Source::Entry) => (2, format!("through {} as callers leave it", self.memory(inst))),
            Why::Memory(Source::Inst(writer)) => {
                let place = self.memory(inst);
                match self.facts.module.called_function(&self.facts.module.functions[self.id].insts[writer].kind) {
                    Some(callee) => (2, format!("through {place}, which `{}` writes{}", self.name(callee), at(writer))),
                    None => (rank(writer, 2), format!("through {place}{}", at(writer))),
                }
            }
            Why::Returned(callee) => (3, format!("`{}` returns something else", self.name(callee))),
            Why::Called => (7, "whether the function is called depends on it".to_owned()),
            Why::Outside => (7, "what code outside does depends on it".to_owned()),
        }
    }

    fn name(&self, id: FuncId) -> String {
        function_display_name(self.facts.module, id)
    }

    fn line_of(&self, inst: InstId) -> Option<u32> {
        let loc = self.facts.module.functions[self.id].insts[inst].loc?;
        line(self.facts.module, loc).map(|(_, line)| line)
    }

    /// The variable that an instruction's value is given to.
    fn variable(&self, inst: InstId) -> Option<String> {
        let module = self.facts.module;
        let function = &module.functions[self.id];
        let variables = self.known.uses.variables(function, Value::Inst(inst));
        variables
            .into_iter()
            .find_map(|variable| module.debug.variables[variable].name)
            .map(|name| module.str(name).to_owned())
    }

    /// The memory that an instruction reads, by the name of the variable if it is one.
    fn memory(&self, reader: InstId) -> String {
        let module = self.facts.module;
        let effect = self.facts.effects.get(self.id, reader);
        let mut names = effect.into_iter().flat_map(|effect| &effect.reads).filter_map(|&location| {
            match self.facts.points_to.objects[self.facts.effects.locations[location].object].kind {
                ObjectKind::Global(global) => Some(demangle(module.symbol_name(module.globals[global].symbol))),
                ObjectKind::Stack(owner, made) if owner == self.id => self.variable(made),
                _ => None,
            }
        });
        names.next().map_or_else(|| "memory".to_owned(), |name| format!("`{name}`"))
    }
}
