//! Functions instruction by instruction, for people: what the canonical text says of each one, and
//! what the markers say of the source's variables.

use super::Printer;
use super::body::Body;
use super::names::LocalNames;
use crate::debug::ExprOp;
use crate::id::{FuncId, InstId, TypeId};
use crate::inst::{InstKind, Marker, MarkerKind};
use crate::module::Module;

/// A function, instruction by instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Value and type of each parameter.
    pub params: Vec<(String, String)>,
    /// Blocks in order.
    pub blocks: Vec<ListedBlock>,
}

/// A block, instruction by instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBlock {
    /// Name as branches write it, with the `%`.
    pub label: String,
    /// Text of each instruction, on one line.
    pub insts: Vec<(InstId, String)>,
}

/// Lists functions of one module.
pub struct Lister<'m> {
    printer: Printer<'m>,
}

impl<'m> Lister<'m> {
    /// A lister of that module's functions.
    pub fn new(module: &'m Module) -> Self {
        let mut printer = Printer::new(module, vec![true; module.functions.len()]);
        // People read a constant expression best where it is used.
        printer.expands.clear();
        Lister { printer }
    }

    /// A type's text.
    pub fn ty(&mut self, ty: TypeId) -> String {
        self.text(|printer| printer.ty(ty))
    }

    /// One function.
    pub fn function(&mut self, id: FuncId) -> Listing {
        let module = self.printer.module;
        let function = &module.functions[id];
        let mut names = LocalNames::default();
        names.assign(module, function, &[]);
        let params = function
            .params
            .iter()
            .enumerate()
            .map(|(index, param)| {
                let mut name = "%".to_string();
                names.push_arg(module, &mut name, index);
                (name, self.ty(param.ty))
            })
            .collect();
        let mut blocks = Vec::with_capacity(function.blocks.len());
        for (block, contents) in function.blocks.iter_ids() {
            let mut label = "%".to_string();
            names.push_block(module, &mut label, block);
            let mut insts = Vec::with_capacity(contents.insts.len());
            for &inst in &contents.insts {
                let kind = &function.insts[inst].kind;
                let mut body = Body {
                    printer: &mut self.printer,
                    function,
                    names: std::mem::take(&mut names),
                    phi_expansions: Default::default(),
                    marked_allocas: Default::default(),
                };
                match kind {
                    InstKind::Marker(marker) => body.marker(marker),
                    InstKind::Unsupported(unsupported) => body.push(module.str(unsupported.text)),
                    _ => body.instruction(inst),
                }
                names = body.names;
                let text = std::mem::take(&mut self.printer.out);
                insts.push((inst, one_line(&text)));
            }
            blocks.push(ListedBlock { label, insts });
        }
        Listing { params, blocks }
    }

    fn text(&mut self, write: impl FnOnce(&mut Printer<'m>)) -> String {
        write(&mut self.printer);
        std::mem::take(&mut self.printer.out)
    }
}

impl Body<'_, '_> {
    /// `x = value` or `x lives at address`, with the bits it concerns if not all.
    fn marker(&mut self, marker: &Marker) {
        let module = self.printer.module;
        let name = module.debug.variables[marker.variable].name;
        self.push(name.map_or("(unnamed)", |name| module.str(name)));
        let ops: &[ExprOp] = marker.expr.map_or(&[], |expr| &module.debug.exprs[expr]);
        for op in ops {
            if let ExprOp::Fragment { offset, bits } = op {
                self.push(&format!("[bits {offset}..{}]", offset.saturating_add(*bits)));
            }
        }
        self.push(match marker.kind {
            MarkerKind::Declare => " lives at ",
            MarkerKind::Assign => " = ",
        });
        match marker.value {
            Some(value) => self.value(value),
            None => self.push("(no longer known)"),
        }
        for op in ops {
            match op {
                ExprOp::Deref => self.push(", dereferenced"),
                ExprOp::Add(bytes) => self.push(&format!(" + {bytes}")),
                ExprOp::Other(name, _) => self.push(&format!(", {}", module.str(*name))),
                ExprOp::StackValue | ExprOp::Fragment { .. } => {}
            }
        }
    }
}

/// The lines of an instruction as one.
fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
