//! Who uses a value inside its function.

use ir::id::{Id, InstId};
use ir::inst::{InstKind, Value};
use ir::module::Function;

/// The users of each value of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uses {
    /// Instructions that use each instruction's result, ascending, markers too.
    pub of_inst: Vec<Vec<InstId>>,
    /// Instructions that use each parameter, ascending, markers too.
    pub of_param: Vec<Vec<InstId>>,
}

/// The users of each value of a function.
pub fn uses(function: &Function) -> Uses {
    let mut uses =
        Uses { of_inst: vec![Vec::new(); function.insts.len()], of_param: vec![Vec::new(); function.params.len()] };
    for (_, user, inst) in function.body() {
        inst.kind.for_each_operand(|operand| {
            let list = match operand {
                Value::Inst(id) => uses.of_inst.get_mut(id.index()),
                Value::Arg(index) => uses.of_param.get_mut(index as usize),
                Value::Const(_) => None,
            };
            if let Some(list) = list {
                list.push(user);
            }
        });
    }
    for list in uses.of_inst.iter_mut().chain(&mut uses.of_param) {
        list.sort_unstable();
        list.dedup();
    }
    uses
}

impl Uses {
    /// The users of a value; constants have none.
    pub fn of(&self, value: Value) -> &[InstId] {
        match value {
            Value::Inst(id) => self.of_inst.get(id.index()).map_or(&[], |list| list),
            Value::Arg(index) => self.of_param.get(index as usize).map_or(&[], |list| list),
            Value::Const(_) => &[],
        }
    }

    /// The variables that have that value somewhere, as the markers say, in order of the markers.
    pub fn variables(&self, function: &Function, value: Value) -> Vec<ir::id::VarId> {
        let variable = |user: &InstId| match &function.insts[*user].kind {
            InstKind::Marker(marker) if marker.value == Some(value) => Some(marker.variable),
            _ => None,
        };
        let mut found: Vec<_> = self.of(value).iter().filter_map(variable).collect();
        let mut seen = Vec::new();
        found.retain(|variable| {
            !seen.contains(variable) && {
                seen.push(*variable);
                true
            }
        });
        found
    }
}
