//! One form for constants that the text can say in several ways, the one that LLVM itself brings them to: zeros are
//! `zeroinitializer`, bytes a string, equal elements of a vector a splat.

use super::Parser;
use crate::constant::ConstKind;
use crate::id::{ConstId, TypeId};
use crate::inst::Value;
use crate::types::Type;

impl<'t> Parser<'t> {
    /// An aggregate or vector of type `ty` with these elements, which fit it.
    pub(super) fn aggregate_of(&self, ty: TypeId, elements: Vec<ConstId>) -> ConstKind {
        let consts = &self.module.consts;
        let kind = |id: &ConstId| &consts[*id].kind;
        if elements.iter().all(|element| self.is_null(*element)) {
            return ConstKind::Zero;
        }
        if elements.iter().all(|element| matches!(kind(element), ConstKind::Poison)) {
            return ConstKind::Poison;
        }
        match self.module.types.resolve(ty) {
            Type::Struct { .. }
                if elements.iter().all(|element| matches!(kind(element), ConstKind::Undef | ConstKind::Poison)) =>
            {
                ConstKind::Undef
            }
            _ if elements.iter().all(|element| matches!(kind(element), ConstKind::Undef)) => ConstKind::Undef,
            Type::Vector { .. } if elements.iter().all(|element| *element == elements[0]) => {
                ConstKind::Splat(elements[0])
            }
            Type::Array(element, _) if *element == self.types.i8 => {
                let byte = |element: &ConstId| match kind(element) {
                    ConstKind::Int(byte) => Some(*byte as u8),
                    _ => None,
                };
                match elements.iter().map(byte).collect::<Option<Vec<u8>>>() {
                    Some(bytes) => ConstKind::Bytes(bytes.into()),
                    None => ConstKind::Aggregate(elements.into()),
                }
            }
            _ => ConstKind::Aggregate(elements.into()),
        }
    }

    /// A vector of equal elements.
    pub(super) fn splat_of(&self, element: ConstId) -> ConstKind {
        match &self.module.consts[element].kind {
            ConstKind::Undef => ConstKind::Undef,
            ConstKind::Poison => ConstKind::Poison,
            _ if self.is_null(element) => ConstKind::Zero,
            _ => ConstKind::Splat(element),
        }
    }

    /// The mask of a `shufflevector`: an element that nobody chose is poison, though older text says `undef`.
    pub(super) fn mask_of(&mut self, ty: TypeId, mask: Value) -> Value {
        let Value::Const(id) = mask else { return mask };
        let kind = match &self.module.consts[id].kind {
            ConstKind::Undef => ConstKind::Poison,
            ConstKind::Aggregate(elements) => {
                let elements = elements.clone();
                let poison = self.intern_const(self.types.i32, ConstKind::Poison);
                let chosen = |element: &ConstId| match self.module.consts[*element].kind {
                    ConstKind::Undef => poison,
                    _ => *element,
                };
                self.aggregate_of(ty, elements.iter().map(chosen).collect())
            }
            _ => return mask,
        };
        Value::Const(self.intern_const(ty, kind))
    }

    fn is_null(&self, id: ConstId) -> bool {
        match &self.module.consts[id].kind {
            ConstKind::Int(0) | ConstKind::Float(0) | ConstKind::Null | ConstKind::Zero => true,
            ConstKind::WideInt(words) => words.iter().all(|word| *word == 0),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::parse::parse;
    use crate::print::print;

    #[test]
    fn constants_have_one_form() {
        let check = |input: &str, expect: &str| {
            let text = print(&parse(&format!("@x = global {input}")).unwrap());
            assert_eq!(text.trim(), format!("@x = global {expect}"));
        };
        check("[2 x i8] [i8 65, i8 0]", "[2 x i8] c\"A\\00\"");
        check("[2 x i8] c\"\\00\\00\"", "[2 x i8] zeroinitializer");
        check("[0 x i8] c\"\"", "[0 x i8] zeroinitializer");
        check("[2 x i8] [i8 undef, i8 0]", "[2 x i8] [i8 undef, i8 0]");
        check("{ i8, ptr } { i8 0, ptr null }", "{ i8, ptr } zeroinitializer");
        check("{ i8, double } { i8 0, double -0.0 }", "{ i8, double } { i8 0, double 0x8000000000000000 }");
        check("{} {}", "{} zeroinitializer");
        check("[1 x { i200 }] [{ i200 } { i200 0 }]", "[1 x { i200 }] zeroinitializer");
        check("<2 x float> <float 0.0, float 0.0>", "<2 x float> zeroinitializer");
        check("<2 x i8> splat (i8 0)", "<2 x i8> zeroinitializer");
        check("[2 x i8] [i8 poison, i8 poison]", "[2 x i8] poison");
        check("[2 x i8] [i8 undef, i8 undef]", "[2 x i8] undef");
        check("{ i8, i8 } { i8 undef, i8 poison }", "{ i8, i8 } undef");
        check("[2 x i8] [i8 undef, i8 poison]", "[2 x i8] [i8 undef, i8 poison]");
    }

    #[test]
    fn equal_elements_are_a_splat_however_they_are_written() {
        let text = |input: &str| print(&parse(input).unwrap());
        let splat = "define <vscale x 2 x i8> @f() {\n  ret <vscale x 2 x i8> splat (i8 7)\n}";
        let old = "define <vscale x 2 x i8> @f() {\n  ret <vscale x 2 x i8> shufflevector (<vscale x 2 x i8> \
                   insertelement (<vscale x 2 x i8> undef, i8 7, i32 0), <vscale x 2 x i8> poison, \
                   <vscale x 2 x i32> zeroinitializer)\n}";
        assert_eq!(text(splat), text(old));
        let both = "@x = global [2 x <2 x i8>] [<2 x i8> splat (i8 7), <2 x i8> <i8 7, i8 7>]";
        let module = parse(both).unwrap();
        let splats = module.consts.iter_ids().filter(|(_, c)| matches!(c.kind, crate::constant::ConstKind::Splat(_)));
        assert_eq!(splats.count(), 1);
    }

    #[test]
    fn masks_choose_or_are_poison() {
        let mask = |text: &str| {
            let body = format!("%m = shufflevector <2 x i8> %v, <2 x i8> %v, {text}\n");
            print(&parse(&format!("define void @f(<2 x i8> %v) {{\n{body}ret void\n}}")).unwrap())
        };
        assert_eq!(mask("<2 x i32> <i32 1, i32 undef>"), mask("<2 x i32> <i32 1, i32 poison>"));
        assert_eq!(mask("<2 x i32> undef"), mask("<2 x i32> <i32 poison, i32 undef>"));
    }
}
