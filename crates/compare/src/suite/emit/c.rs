//! Tests as one C file that is compiled together with the code under test.
//!
//! Every test runs in a child process of its own, so that global variables are fresh and a test may end the process.
//! Pointers to anything but numbers are `void *`, which C passes alike; a record by value that is passed in memory is a
//! record of bytes.

use std::fmt::Write;

use exec::case::{Datum, End, FaultKind, Memory, OutsideCall, Target};
use ir::attrs::Attr;
use ir::debug::{DebugTypeKind, Encoding, Language};
use ir::id::{DebugTypeId, FuncId, TypeId};
use ir::module::{Module, SymbolKind};
use ir::types::Type;
use smt::bits::Bits;

use super::{Emitted, in_comment, is_identifier};
use crate::suite::{Header, Test, show, signature};

/// What every file begins with.
const PRELUDE: &str = include_str!("prelude.c");

/// Tests of an entry function as a C file.
pub fn c_file(module: &Module, entry: FuncId, header: &Header, tests: &[Test]) -> Emitted {
    let mut emitted = Emitted { text: String::new(), written: 0, left_out: 0 };
    let name = module.function_name(entry);
    let out = &mut emitted.text;
    let _ = writeln!(out, "/* Tests of `{}`, with the outcomes that were seen. */\n", in_comment(name));
    let writer = match Writer::new(module, entry) {
        Ok(writer) => writer,
        Err(reason) => {
            let _ = writeln!(out, "/* No test can be written in C: {}. */", in_comment(&reason));
            for test in tests {
                let _ = writeln!(out, "/* {} */", in_comment(&show::test(header, test)));
            }
            emitted.left_out = tests.len();
            return emitted;
        }
    };
    let bodies: Vec<Result<String, String>> = tests.iter().map(|test| writer.test(test)).collect();
    out.push_str(PRELUDE);
    out.push('\n');
    out.push_str(&writer.declarations(tests));
    let mut calls = String::new();
    for (number, (test, body)) in (1..).zip(tests.iter().zip(bodies)) {
        let line = in_comment(&show::test(header, test));
        match body {
            Ok(body) => {
                let _ = writeln!(out, "/* {line} */\nstatic void test_{number}(void) {{\n{body}}}\n");
                let (end, code) = match test.outcome.end {
                    End::Exited(code) => ("EXITS", code & 0xff),
                    End::Fault(_) => ("CRASHES", 0),
                    _ => ("RETURNS", 0),
                };
                let stdout =
                    if test.outcome.stdout.is_empty() { "\"\"".to_owned() } else { string(&test.outcome.stdout) };
                let _ = writeln!(
                    calls,
                    "    run({number}, test_{number}, {end}, {code}, {stdout}, {});",
                    test.outcome.stdout.len()
                );
                emitted.written += 1;
            }
            Err(reason) => {
                let _ = writeln!(out, "/* Not written in C: {}.\n   {line} */\n", in_comment(&reason));
                emitted.left_out += 1;
            }
        }
    }
    let _ = write!(out, "int main(void) {{\n{calls}    return finish();\n}}\n");
    emitted
}

/// What a value is to C.
#[derive(Clone, PartialEq, Eq)]
enum Kind {
    /// A number, by the name of its type.
    Number(String),
    /// A pointer, by the name of its type.
    Pointer(String),
    /// A record in memory of that many bytes, aligned to so many.
    Bytes(u64, u64),
    /// Nothing.
    Void,
}

struct Writer<'m> {
    module: &'m Module,
    entry: FuncId,
    params: Vec<Kind>,
    result: Kind,
    /// Whether the first parameter of the model is where the result goes.
    through_memory: bool,
    /// The source file, if the function cannot be called from another one.
    included: Option<String>,
}

impl<'m> Writer<'m> {
    fn new(module: &'m Module, entry: FuncId) -> Result<Writer<'m>, String> {
        let function = &module.functions[entry];
        let name = module.function_name(entry);
        if name == "main" {
            return Err("a program is run, not called".to_owned());
        }
        if !is_identifier(name) {
            return Err(format!("`{name}` is no name in C"));
        }
        let debug = &module.debug;
        let scope = function.scope.ok_or("the function has no debug info")?;
        let types = match debug.scopes[scope].ty.map(|ty| &debug.types[ty].kind) {
            Some(DebugTypeKind::Function { types }) => types,
            _ => return Err("the function's type is not known".to_owned()),
        };
        let (_, _, variadic) = module.types.signature(function.ty).ok_or("it has no type")?;
        if variadic {
            return Err("the function has variable arguments".to_owned());
        }
        let language = module.units.get(module.symbols[function.symbol].unit).and_then(|unit| unit.language);
        let c = language.is_some_and(|id| {
            let language = module.str(id);
            language.starts_with("DW_LANG_C") && !language.contains("plus_plus")
        });
        if !c {
            return Err("the function is not written in C".to_owned());
        }
        let memory = |ty: TypeId, align: Option<u64>| {
            let layout = module.type_layouts.get(ty)?;
            Some(Kind::Bytes(layout.size, align.unwrap_or(layout.align).max(layout.align)))
        };
        let mut params = Vec::new();
        let mut through_memory = None;
        let mut source = types.iter().skip(1);
        for param in &function.params {
            let attrs = &module.attrs[param.attrs].0;
            let align = attrs.iter().find_map(|attr| if let Attr::Align(bytes) = attr { Some(*bytes) } else { None });
            if let Some(ty) = attrs.iter().find_map(|attr| if let Attr::Sret(ty) = attr { Some(*ty) } else { None }) {
                through_memory = Some(memory(ty, align).ok_or("its result has no size")?);
                continue;
            }
            let source = source.next().copied().flatten();
            if let Some(ty) = attrs.iter().find_map(|attr| if let Attr::ByVal(ty) = attr { Some(*ty) } else { None }) {
                params.push(memory(ty, align).ok_or("a parameter has no size")?);
                continue;
            }
            params.push(kind(module, param.ty, source).ok_or("a record is passed in registers")?);
        }
        if source.next().is_some() {
            return Err("a record is passed in registers".to_owned());
        }
        let (result_ty, ..) = module.types.signature(function.ty).ok_or("it has no type")?;
        let result = match (&through_memory, &module.types[result_ty]) {
            (Some(kind), _) => kind.clone(),
            (None, Type::Void) => Kind::Void,
            _ => {
                let source = signature::result_type(module, function);
                kind(module, result_ty, source).ok_or("its result is a record in registers")?
            }
        };
        let included = module.symbols[function.symbol].linkage.is_local().then(|| {
            let file = debug.scopes[scope].file.map(|file| debug.file_path(&module.strings, file));
            file.unwrap_or_default()
        });
        if included.as_deref().is_some_and(|file| !is_file_name(file)) {
            return Err("its file has no name that C can include".to_owned());
        }
        Ok(Writer { module, entry, params, result, through_memory: through_memory.is_some(), included })
    }

    /// What all tests need: the function, global variables, functions of the outside.
    fn declarations(&self, tests: &[Test]) -> String {
        let mut out = String::new();
        let mut sizes: Vec<(u64, u64)> = self
            .params
            .iter()
            .chain([&self.result])
            .filter_map(|kind| if let Kind::Bytes(size, align) = kind { Some((*size, *align)) } else { None })
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        for (size, align) in sizes {
            let _ = writeln!(out, "struct bytes_{size}_{align} {{ _Alignas({align}) unsigned char at[{size}]; }};");
        }
        let name = self.module.function_name(self.entry);
        match &self.included {
            Some(file) => {
                let _ = writeln!(out, "/* The function is local to its file. */\n#include \"{file}\"");
            }
            None => {
                let params: Vec<String> = self.params.iter().map(type_name).collect();
                let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
                let _ = writeln!(out, "{} {name}({params});", type_name(&self.result));
            }
        }
        let mut globals: Vec<&str> = Vec::new();
        let mut answers: Vec<&str> = Vec::new();
        for test in tests {
            globals.extend(test.input.globals.iter().chain(&test.outcome.globals).map(|(name, _)| name.as_str()));
            let memories = test.input.objects.iter().chain(&test.outcome.objects);
            let memories = memories.chain(test.input.globals.iter().chain(&test.outcome.globals).map(|(_, m)| m));
            let values = test.input.args.iter().chain([&test.outcome.result]);
            let values = values.chain(test.input.results.iter().map(|result| &result.result));
            let values =
                values.filter_map(|value| if let Datum::Pointer(target) = value { Some(target) } else { None });
            for target in memories.flat_map(|memory| &memory.pointers).map(|(_, target)| target).chain(values) {
                if let Target::Symbol { name, .. } = target {
                    globals.push(name);
                }
            }
            answers.extend(test.outcome.calls.iter().map(|call| call.function.as_str()));
        }
        globals.sort_unstable();
        globals.dedup();
        for name in globals {
            if self.included.is_none() && self.global(name).is_ok() {
                let _ = writeln!(out, "extern unsigned char {name}[];");
            }
        }
        answers.sort_unstable();
        answers.dedup();
        for name in answers {
            if let Ok(stub) = self.answering(name) {
                out.push_str(&stub);
            }
        }
        out.push('\n');
        out
    }

    fn test(&self, test: &Test) -> Result<String, String> {
        let input = &test.input;
        if !input.argv.is_empty() || !input.stdin.is_empty() || !input.files.is_empty() {
            return Err("it needs arguments, standard input or files".to_owned());
        }
        match &test.outcome.end {
            End::Returned | End::Exited(_) => {}
            End::Fault(kind) if crashes(*kind) => {}
            End::Fault(_) => return Err("a plain build may pass over its fault".to_owned()),
            End::Bound(_) | End::Unsupported(_) | End::Refused(_) => return Err("its outcome is not known".to_owned()),
        }
        let mut out = String::new();
        for (index, object) in input.objects.iter().enumerate() {
            let align = object.align.max(1);
            let (bytes, size) = (byte_list(&object.bytes), object.bytes.len());
            let after = test.outcome.objects.get(index);
            // What the function frees has to be allocated.
            let freed =
                test.outcome.end == End::Returned && size > 0 && after.is_some_and(|after| after.bytes.is_empty());
            let _ = if freed {
                let _ = writeln!(out, "    unsigned char *object_{index} = malloc({size});");
                writeln!(out, "    memcpy(object_{index}, (unsigned char[]){{{bytes}}}, {size});")
            } else {
                writeln!(out, "    _Alignas({align}) static unsigned char object_{index}[] = {{{bytes}}};")
            };
            let _ = writeln!(out, "    (void)object_{index};");
        }
        for (index, object) in input.objects.iter().enumerate() {
            self.set_pointers(&mut out, &format!("object_{index}"), object)?;
        }
        for (name, memory) in &input.globals {
            let place = self.global(name)?;
            let size = memory.bytes.len();
            if size > 0 {
                let bytes = byte_list(&memory.bytes);
                let _ = writeln!(out, "    memcpy({place}, (unsigned char[]){{{bytes}}}, {size});");
            }
            self.set_pointers(&mut out, &place, memory)?;
        }
        self.answers(&mut out, test)?;
        self.call(&mut out, test)?;
        if test.outcome.end != End::Returned {
            return Ok(out);
        }
        self.check_result(&mut out, test)?;
        self.check_memory(&mut out, test)?;
        Ok(out)
    }

    fn call(&self, out: &mut String, test: &Test) -> Result<(), String> {
        let mut args = test.input.args.iter();
        if self.through_memory {
            args.next();
        }
        if args.len() != self.params.len() {
            return Err("its arguments are not those of the function".to_owned());
        }
        let mut list = Vec::new();
        for (index, (value, kind)) in args.zip(&self.params).enumerate() {
            list.push(match (value, kind) {
                (Datum::Bits(bits), Kind::Number(name)) => number(out, bits, name, &format!("value_{index}"))?,
                (Datum::Pointer(target), Kind::Pointer(name)) => format!("({name})({})", self.address(target)?),
                (Datum::Pointer(Target::Object { index: object, offset: 0 }), Kind::Bytes(size, align)) => {
                    let memory = test.input.objects.get(*object).filter(|memory| memory.bytes.len() as u64 == *size);
                    memory.ok_or("a record has another size")?;
                    let _ = writeln!(out, "    struct bytes_{size}_{align} value_{index};");
                    let _ = writeln!(out, "    memcpy(&value_{index}, object_{object}, {size});");
                    format!("value_{index}")
                }
                _ => return Err("an argument has no value in C".to_owned()),
            });
        }
        let name = self.module.function_name(self.entry);
        let call = format!("{name}({})", list.join(", "));
        let used = test.outcome.end == End::Returned && (test.outcome.result != Datum::Any || self.through_memory);
        let _ = match &self.result {
            Kind::Void => writeln!(out, "    {call};"),
            _ if !used => writeln!(out, "    (void){call};"),
            kind => writeln!(out, "    {} result = {call};", type_name(kind)),
        };
        Ok(())
    }

    fn check_result(&self, out: &mut String, test: &Test) -> Result<(), String> {
        let _ = match (&test.outcome.result, &self.result) {
            (_, Kind::Bytes(size, _)) => {
                // What the model has behind its first argument.
                let Some(Datum::Pointer(Target::Object { index, offset: 0 })) = test.input.args.first() else {
                    return Err("its result has no place".to_owned());
                };
                let memory = test.outcome.objects.get(*index).ok_or("its result is not known")?;
                if !memory.pointers.is_empty() || memory.bytes.len() as u64 != *size {
                    return Err("its result has pointers".to_owned());
                }
                if !memory.any.is_empty() {
                    return Err("parts of its result were never assigned".to_owned());
                }
                let bytes = byte_list(&memory.bytes);
                writeln!(out, "    CHECK(memcmp(&result, (unsigned char[]){{{bytes}}}, {size}) == 0);")
            }
            (Datum::Any, _) | (_, Kind::Void) => Ok(()),
            (Datum::Many(_), _) => return Err("parts of its result were never assigned".to_owned()),
            (Datum::Bits(bits), Kind::Number(name)) => {
                let expected = number(out, bits, name, "expected")?;
                if is_float(name) {
                    writeln!(out, "    CHECK(memcmp(&result, &{expected}, sizeof result) == 0);")
                } else {
                    writeln!(out, "    CHECK(result == {expected});")
                }
            }
            (Datum::Pointer(Target::Own), Kind::Pointer(_)) => writeln!(out, "    CHECK(result != 0);"),
            (Datum::Pointer(target), Kind::Pointer(_)) => {
                writeln!(out, "    CHECK((void *)result == (void *)({}));", self.address(target)?)
            }
            _ => return Err("its result has no value in C".to_owned()),
        };
        Ok(())
    }

    fn check_memory(&self, out: &mut String, test: &Test) -> Result<(), String> {
        let result_place = match test.input.args.first() {
            Some(Datum::Pointer(Target::Object { index, .. })) if self.through_memory => Some(*index),
            _ => None,
        };
        for (index, memory) in test.outcome.objects.iter().enumerate() {
            // The result has its own check; what was freed cannot be looked at.
            if Some(index) == result_place || memory.bytes.is_empty() {
                continue;
            }
            self.check_place(out, &format!("object_{index}"), &format!("after_{index}"), memory)?;
        }
        for (index, (name, memory)) in test.outcome.globals.iter().enumerate() {
            let place = self.global(name)?;
            self.check_place(out, &place, &format!("global_{index}"), memory)?;
        }
        Ok(())
    }

    fn check_place(&self, out: &mut String, place: &str, copy: &str, memory: &Memory) -> Result<(), String> {
        let size = memory.bytes.len();
        let _ = writeln!(out, "    unsigned char {copy}[] = {{{}}};", byte_list(&memory.bytes));
        for (offset, target) in &memory.pointers {
            // Memory that the run made is somewhere.
            let _ = match target {
                Target::Own => writeln!(out, "    memcpy({copy} + {offset}, (unsigned char *){place} + {offset}, 8);"),
                _ => Ok(()),
            };
        }
        for (offset, count) in &memory.any {
            let _ = writeln!(out, "    memcpy({copy} + {offset}, (unsigned char *){place} + {offset}, {count});");
        }
        let known = Memory {
            pointers: memory.pointers.iter().filter(|(_, target)| *target != Target::Own).cloned().collect(),
            ..Memory::default()
        };
        self.set_pointers(out, copy, &known)?;
        let _ = writeln!(out, "    CHECK(memcmp({place}, {copy}, {size}) == 0);");
        Ok(())
    }

    fn set_pointers(&self, out: &mut String, place: &str, memory: &Memory) -> Result<(), String> {
        for (offset, target) in &memory.pointers {
            let address = self.address(target)?;
            let _ = writeln!(out, "    set_pointer((unsigned char *){place} + {offset}, {address});");
        }
        Ok(())
    }

    fn address(&self, target: &Target) -> Result<String, String> {
        Ok(match target {
            Target::Null => "(void *)0".to_owned(),
            Target::Object { index, offset } => format!("object_{index} + {offset}"),
            Target::Symbol { name, offset } => format!("(unsigned char *){} + {offset}", self.global(name)?),
            Target::Own => return Err("a pointer leads to memory of the run".to_owned()),
            Target::Address(address) => format!("(void *){address:#x}"),
        })
    }

    /// The address of a global variable that the file can name.
    fn global(&self, name: &str) -> Result<String, String> {
        let module = self.module;
        let found = module
            .symbols
            .iter_ids()
            .find(|(id, symbol)| module.symbol_label(*id) == name && matches!(symbol.kind, SymbolKind::Variable(_)));
        let plain = is_identifier(name);
        match found {
            Some((_, symbol)) if plain && symbol.thread_local.is_none() => match &self.included {
                Some(_) => Ok(format!("(unsigned char *)&{name}")),
                None if !symbol.linkage.is_local() => Ok(name.to_owned()),
                None => Err(format!("`{name}` is local to its file")),
            },
            _ => Err(format!("`{name}` is no variable with a name in C")),
        }
    }

    /// Hands the answers of outside functions over, in the order of the calls.
    fn answers(&self, out: &mut String, test: &Test) -> Result<(), String> {
        for OutsideCall { function, .. } in &test.outcome.calls {
            self.answering(function)?;
        }
        for (index, result) in test.input.results.iter().enumerate() {
            // One that is never asked has no place to be kept.
            if !test.outcome.calls.iter().any(|call| call.function == result.function) {
                continue;
            }
            let name = &result.function;
            if !result.writes.is_empty() {
                return Err(format!("`{name}` writes to memory that it is given"));
            }
            let position = test.input.results[..index].iter().filter(|other| other.function == *name).count();
            match (&result.result, self.outside_result(name)?) {
                (Datum::Bits(bits), Kind::Number(ty)) => {
                    let value = number(out, bits, &ty, &format!("answer_{index}"))?;
                    let _ = writeln!(out, "    answers_{name}[{position}] = {value};");
                }
                (Datum::Pointer(target), Kind::Pointer(_)) => {
                    let _ = writeln!(out, "    answers_{name}[{position}] = (void *)({});", self.address(target)?);
                }
                (Datum::Any, _) => {}
                _ => return Err(format!("an answer of `{name}` has no value in C")),
            }
        }
        Ok(())
    }

    /// A function of the outside that answers in order.
    fn answering(&self, name: &str) -> Result<String, String> {
        let result = self.outside_result(name)?;
        if self.included.is_some() {
            return Err(format!("`{name}` may have another type in the file"));
        }
        let function = self.outside(name)?;
        let params: Option<Vec<String>> = function
            .params
            .iter()
            .enumerate()
            .map(|(index, param)| Some(format!("{} p{index}", type_name(&kind(self.module, param.ty, None)?))))
            .collect();
        let params = params.ok_or(format!("`{name}` has parameters that C cannot say"))?;
        let unused: String = (0..params.len()).map(|index| format!("(void)p{index}; ")).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let ty = type_name(&result);
        if result == Kind::Void {
            return Ok(format!("void {name}({params}) {{ {unused}}}\n"));
        }
        Ok(format!(
            "static {ty} answers_{name}[1024];\nstatic unsigned next_{name};\n\
             {ty} {name}({params}) {{ {unused}return answers_{name}[next_{name}++ % 1024]; }}\n"
        ))
    }

    fn outside_result(&self, name: &str) -> Result<Kind, String> {
        let function = self.outside(name)?;
        let (result, ..) = self.module.types.signature(function.ty).ok_or("it has no type")?;
        if self.module.types[result] == Type::Void {
            return Ok(Kind::Void);
        }
        kind(self.module, result, None).ok_or(format!("`{name}` returns what C cannot say"))
    }

    fn outside(&self, name: &str) -> Result<&'m ir::module::Function, String> {
        let plain = is_identifier(name);
        let (_, function) = self
            .module
            .functions
            .iter_ids()
            .find(|(id, function)| plain && !function.is_defined() && self.module.function_name(*id) == name)
            .ok_or(format!("`{name}` is no outside function with a name in C"))?;
        match self.module.types.signature(function.ty) {
            Some((.., false)) => Ok(function),
            _ => Err(format!("`{name}` has variable arguments")),
        }
    }
}

/// Whether a plain build is ended by a signal at that fault.
fn crashes(kind: FaultKind) -> bool {
    use FaultKind::*;
    matches!(kind, NullPointer | Division | Assertion | Abort | ReadOnly | StackOverflow)
}

fn kind(module: &Module, ty: TypeId, source: Option<DebugTypeId>) -> Option<Kind> {
    let debug = &module.debug;
    let source = source.map(|ty| debug.strip(ty)).filter(|ty| debug.types[*ty].language != Language::Rust);
    let basic = source.and_then(|ty| match debug.types[ty].kind {
        DebugTypeKind::Basic(encoding) => Some((encoding, debug.types[ty].bits, debug.types[ty].name)),
        _ => None,
    });
    Some(match module.types.resolve(ty) {
        Type::Ptr(0) => match source.map(|ty| &debug.types[ty].kind) {
            Some(DebugTypeKind::Pointer { to: Some(to), .. }) => {
                let element = debug.strip(*to);
                match (&debug.types[element].kind, debug.types[element].name) {
                    (DebugTypeKind::Basic(encoding), Some(name))
                        if *encoding != Encoding::Other && is_type_name(module.str(name)) =>
                    {
                        Kind::Pointer(format!("{} *", module.str(name)))
                    }
                    _ => Kind::Pointer("void *".to_owned()),
                }
            }
            Some(DebugTypeKind::Record { .. } | DebugTypeKind::Array { .. }) => return None,
            _ => Kind::Pointer("void *".to_owned()),
        },
        Type::Int(bits) => {
            if let Some((encoding, width, Some(name))) = basic
                && (width == u64::from(*bits) || encoding == Encoding::Boolean)
                && is_type_name(module.str(name))
            {
                return Some(Kind::Number(module.str(name).to_owned()));
            }
            let is_record = source.is_some_and(|ty| matches!(debug.types[ty].kind, DebugTypeKind::Record { .. }));
            if is_record {
                return None;
            }
            Kind::Number(
                match bits {
                    1 => "_Bool",
                    8 => "signed char",
                    16 => "short",
                    32 => "int",
                    64 => "long",
                    _ => return None,
                }
                .to_owned(),
            )
        }
        Type::Float(kind) if source.is_none() || basic.is_some() => match kind.bits() {
            32 => Kind::Number("float".to_owned()),
            64 => Kind::Number("double".to_owned()),
            _ => return None,
        },
        _ => return None,
    })
}

/// Whether debug info names a type as C does: `unsigned int`.
fn is_type_name(name: &str) -> bool {
    name.split(' ').all(is_identifier)
}

/// Whether a file can be included by its name.
fn is_file_name(name: &str) -> bool {
    !name.contains(['"', '\n']) && !name.contains("??") && !name.chars().any(report::escape::is_hidden)
}

fn type_name(kind: &Kind) -> String {
    match kind {
        Kind::Number(name) | Kind::Pointer(name) => name.clone(),
        Kind::Bytes(size, align) => format!("struct bytes_{size}_{align}"),
        Kind::Void => "void".to_owned(),
    }
}

fn is_float(name: &str) -> bool {
    matches!(name, "float" | "double")
}

/// A number of a type as an expression; a float is a variable with exactly its bits.
fn number(out: &mut String, bits: &Bits, ty: &str, variable: &str) -> Result<String, String> {
    if bits.width > 64 {
        return Err("a value is wider than C's numbers".to_owned());
    }
    let low = bits.low();
    if is_float(ty) {
        let integer = if ty == "float" { "unsigned" } else { "unsigned long" };
        let _ = writeln!(out, "    {ty} {variable};");
        let _ = writeln!(out, "    memcpy(&{variable}, &({integer}){{{low:#x}u}}, sizeof {variable});");
        return Ok(variable.to_owned());
    }
    // Through a cast every bit pattern of every type can be written.
    Ok(match ty {
        "_Bool" | "bool" => (if low & 1 == 1 { "1" } else { "0" }).to_owned(),
        _ if ty.starts_with("unsigned") => format!("({ty}){low}u"),
        _ if bits.is_negative() && low == 1 << (bits.width - 1) => format!("({ty}){low:#x}u"),
        _ if bits.is_negative() => format!("-{}", bits.neg().low()),
        _ => low.to_string(),
    })
}

/// Bytes of an array; one zero if there is none, since an array has to have something.
fn byte_list(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "0".to_owned();
    }
    bytes.iter().map(|byte| format!("{byte:#04x}")).collect::<Vec<_>>().join(", ")
}

/// A string literal with exactly these bytes.
fn string(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        let _ = match byte {
            b'"' | b'\\' => write!(out, "\\{}", char::from(*byte)),
            b'\n' => write!(out, "\\n"),
            // A question mark could be part of a trigraph.
            b' '..=b'~' if *byte != b'?' => write!(out, "{}", char::from(*byte)),
            _ => write!(out, "\\{byte:03o}"),
        };
    }
    out.push('"');
    out
}
