//! Types of the program model. Every type is interned, so equal types have equal ids.
//!
//! Pointers have no pointee: `T*` of LLVM up to 14 is read as `ptr`.

use crate::id::{Arena, Interner, NamedTypeId, StrId, TypeId};

/// One type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// An integer of that many bits.
    Int(u32),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer in that address space.
    Ptr(u32),
    /// A fixed number of equal elements in memory.
    Array(TypeId, u64),
    /// A SIMD vector.
    Vector {
        /// Element type.
        element: TypeId,
        /// Number of elements, or of a multiple of it when `scalable`.
        count: u64,
        /// Whether the count is multiplied by a hardware constant.
        scalable: bool,
    },
    /// A struct without a name.
    Struct {
        /// Field types in order.
        fields: Box<[TypeId]>,
        /// Whether there is no padding.
        packed: bool,
    },
    /// A struct with a name; its body is in [`Types::named`].
    Named(NamedTypeId),
    /// The type of a function.
    Function {
        /// Result.
        result: TypeId,
        /// Fixed parameters.
        params: Box<[TypeId]>,
        /// Whether more arguments may follow.
        variadic: bool,
    },
    /// A basic block as an operand.
    Label,
    /// Metadata as an operand.
    Metadata,
    /// A token.
    Token,
    /// A type that the model knows by its text only, such as `x86_amx` or `target("…")`.
    Other(StrId),
}

/// The floating-point formats of LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// IEEE 16 bits.
    Half,
    /// Brain float, 16 bits.
    BFloat,
    /// IEEE 32 bits.
    Float,
    /// IEEE 64 bits.
    Double,
    /// x87 extended, 80 bits.
    X86Fp80,
    /// IEEE 128 bits.
    Fp128,
    /// A pair of doubles.
    PpcFp128,
}

impl FloatKind {
    /// The type's keyword in LLVM IR.
    pub fn keyword(self) -> &'static str {
        match self {
            FloatKind::Half => "half",
            FloatKind::BFloat => "bfloat",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::X86Fp80 => "x86_fp80",
            FloatKind::Fp128 => "fp128",
            FloatKind::PpcFp128 => "ppc_fp128",
        }
    }

    /// Number of bits of a value, without padding.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
        }
    }
}

/// A struct type with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedType {
    /// Name without the `%`; numbered types (`%0 = type …`) have their number.
    pub name: StrId,
    /// Body; `None` for an opaque type.
    pub body: Option<TypeId>,
}

/// All types of a module.
#[derive(Clone, Debug, Default)]
pub struct Types {
    table: Interner<TypeId, Type>,
    /// Named struct types in order of definition.
    pub named: Arena<NamedTypeId, NamedType>,
}

impl Types {
    /// The id of `ty`.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        self.table.intern(ty)
    }

    /// The id of `ty` if the module has it.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.table.find(ty)
    }

    /// The integer type of `bits` bits.
    pub fn int(&mut self, bits: u32) -> TypeId {
        self.intern(Type::Int(bits))
    }

    /// The pointer type of address space 0.
    pub fn ptr(&mut self) -> TypeId {
        self.intern(Type::Ptr(0))
    }

    /// The void type.
    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is no type.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// All types with their ids.
    pub fn iter_ids(&self) -> impl ExactSizeIterator<Item = (TypeId, &Type)> {
        self.table.iter_ids()
    }

    /// The type behind a name, through any number of names; itself for every other type.
    pub fn resolve(&self, ty: TypeId) -> &Type {
        let mut ty = ty;
        // A name that stands for a name that … is bounded by the number of names.
        for _ in 0..=self.named.len() {
            match &self.table[ty] {
                Type::Named(id) => match self.named[*id].body {
                    Some(body) => ty = body,
                    None => break,
                },
                other => return other,
            }
        }
        &self.table[ty]
    }

    /// The named struct that a type is.
    pub fn named_of(&self, ty: TypeId) -> Option<NamedTypeId> {
        match self.table[ty] {
            Type::Named(id) => Some(id),
            _ => None,
        }
    }

    /// Calls `visit` with the types that a value of type `ty` is made of, one level deep.
    pub fn for_each_part(&self, ty: TypeId, mut visit: impl FnMut(TypeId)) {
        match &self.table[ty] {
            Type::Array(element, _) | Type::Vector { element, .. } => visit(*element),
            Type::Struct { fields, .. } => fields.iter().copied().for_each(visit),
            Type::Named(id) => self.named[*id].body.into_iter().for_each(visit),
            _ => {}
        }
    }

    /// Type of element `index` of an array, vector or struct.
    pub fn element(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match self.resolve(ty) {
            Type::Array(element, _) | Type::Vector { element, .. } => Some(*element),
            Type::Struct { fields, .. } => fields.get(usize::try_from(index).ok()?).copied(),
            _ => None,
        }
    }

    /// Result, parameters and variadicness of a function type.
    pub fn signature(&self, ty: TypeId) -> Option<(TypeId, &[TypeId], bool)> {
        match &self.table[ty] {
            Type::Function { result, params, variadic } => Some((*result, params, *variadic)),
            _ => None,
        }
    }
}

impl std::ops::Index<TypeId> for Types {
    type Output = Type;
    fn index(&self, id: TypeId) -> &Type {
        &self.table[id]
    }
}
