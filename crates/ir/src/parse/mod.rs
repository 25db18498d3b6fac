//! Reads textual LLVM IR.

pub mod lexer;
