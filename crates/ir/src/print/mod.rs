//! Writes a module as LLVM IR that clang 15 and newer compile.
