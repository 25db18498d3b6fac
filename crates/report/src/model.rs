//! A program as pathshift understands it: what `pathshift ir` shows.

use crate::escape::{harmless, shown};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A module.
#[derive(Clone, Debug, Serialize)]
pub struct Model {
    /// Version of this format.
    pub schema: &'static str,
    /// What the user named.
    pub input: String,
    /// Target triple.
    pub triple: String,
    /// Translation units.
    pub units: Vec<Unit>,
    /// How much of everything there is in the whole module, whatever was chosen to be shown.
    pub totals: Totals,
    /// Functions with a body, those that were chosen.
    pub functions: Vec<Function>,
    /// Functions without a body that the shown ones call.
    pub outside: Vec<Outside>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// What the model knows by its text only, in the shown functions.
    pub unsupported: Vec<Unsupported>,
    /// What was skipped or is worth knowing.
    pub notes: Vec<String>,
    /// Lines of the source files that instructions come from, for the text form.
    #[serde(skip)]
    pub sources: BTreeMap<String, BTreeMap<u32, String>>,
}

/// The format's name and version.
pub const SCHEMA: &str = "pathshift.ir/1";

/// A translation unit.
#[derive(Clone, Debug, Serialize)]
pub struct Unit {
    /// Source file.
    pub source: String,
    /// Compiler, as debug info names it.
    pub producer: Option<String>,
    /// Language, as debug info names it.
    pub language: Option<String>,
}

/// How much of everything there is.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Totals {
    /// Functions with a body.
    pub functions: usize,
    /// Functions without a body.
    pub outside: usize,
    /// Global variables.
    pub globals: usize,
    /// Basic blocks.
    pub blocks: usize,
    /// Instructions, markers not counted.
    pub instructions: usize,
    /// Stack slots that became values.
    pub promoted: usize,
    /// Instructions that the model knows by their text only.
    pub unsupported: usize,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column; 0 if unknown.
    pub column: u32,
}

/// A function with a body.
#[derive(Clone, Debug, Serialize)]
pub struct Function {
    /// Name as the user wrote it.
    pub name: String,
    /// Name in the object file.
    pub symbol: String,
    /// Where it is defined.
    pub place: Option<Place>,
    /// Whether only its own unit can call it.
    pub local: bool,
    /// Source type of its result, if debug info tells; else the IR type.
    pub returns: String,
    /// Parameters of the IR function.
    pub parameters: Vec<Parameter>,
    /// Source variables, parameters first.
    pub variables: Vec<Variable>,
    /// Basic blocks.
    pub blocks: Vec<Block>,
}

/// A parameter of the IR function.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    /// Name of the value in instructions.
    pub value: String,
    /// IR type.
    pub ty: String,
}

/// A source variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Variable {
    /// Position among the parameters, from 1; 0 for a local variable.
    pub parameter: u32,
    /// Line of its declaration.
    pub line: u32,
    /// Name.
    pub name: String,
    /// Source type.
    pub ty: String,
    /// Function it was inlined from, if it is another one.
    pub inlined_from: Option<String>,
}

/// A basic block.
#[derive(Clone, Debug, Serialize)]
pub struct Block {
    /// Name.
    pub label: String,
    /// Instructions.
    pub instructions: Vec<Instruction>,
}

/// An instruction.
#[derive(Clone, Debug, Serialize)]
pub struct Instruction {
    /// What it does: LLVM IR, or `variable = value` for an assignment.
    pub text: String,
    /// Whether it only says what a source variable is.
    pub marker: bool,
    /// Whether the model knows it by its text only.
    pub unsupported: bool,
    /// Where it comes from.
    pub place: Option<Place>,
    /// Where the function that it comes from was inlined, innermost first.
    pub inlined_at: Vec<Place>,
}

/// A function without a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Outside {
    /// Name as the user wrote it.
    pub name: String,
    /// Name in the object file.
    pub symbol: String,
}

/// A global variable.
#[derive(Clone, Debug, Serialize)]
pub struct Global {
    /// Name in the source, else in the object file.
    pub name: String,
    /// Name in the object file.
    pub symbol: String,
    /// Source type, if debug info tells; else the IR type.
    pub ty: String,
    /// Size in bytes, if it has one.
    pub bytes: Option<u64>,
    /// Whether it never changes.
    pub constant: bool,
    /// Whether it is defined here.
    pub defined: bool,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// Something that the model knows by its text only.
#[derive(Clone, Debug, Serialize)]
pub struct Unsupported {
    /// Function.
    pub function: String,
    /// Its text.
    pub text: String,
    /// Where it comes from.
    pub place: Option<Place>,
}

shown! {
    Model { schema, input, triple, units, totals, functions, outside, globals, unsupported, notes, sources }
    Unit { source, producer, language }
    Place { file, line, column }
    Function { name, symbol, place, local, returns, parameters, variables, blocks }
    Parameter { value, ty }
    Variable { parameter, line, name, ty, inlined_from }
    Block { label, instructions }
    Instruction { text, marker, unsupported, place, inlined_at }
    Outside { name, symbol }
    Global { name, symbol, ty, bytes, constant, defined, place }
    Unsupported { function, text, place }
}
harmless!(Totals);
