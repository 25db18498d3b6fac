//! Turns bitcode into text.
//!
//! The libLLVM that rustc brings comes first: it is newer than what distributions package and reads what all older
//! ones wrote. The newest `llvm-dis` comes second.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Attempt, BuildError};
use crate::{Context, UnitInfo, UnitText, process, text, toolchain, unit_text};

/// Turns the bitcode file into text with the first tool that manages.
pub(crate) fn disassemble(path: &Path, context: &Context) -> Result<UnitText, BuildError> {
    let bytes = text::read(path, context.options.max_bytes)?;
    let producer = producer(&bytes);
    // A broken file can make LLVM ask for any amount; a sound one needs some 40 times its size.
    let max_memory = (4 << 30) + 128 * bytes.len() as u64;
    drop(bytes);
    let mut attempts = Vec::new();
    // The second tool is only looked for when the first one failed.
    for find_tool in [with_libllvm, with_llvm_dis] {
        let Some((name, command)) = find_tool(path, context) else { continue };
        let mut limited = process::with_memory_limit(&command, max_memory, context);
        let finished = process::run(&mut limited, context)?;
        if finished.status.success() && !finished.stdout.is_empty() {
            let info = UnitInfo { source: path.into(), command: Some(process::display(&command)), ir: None };
            let mut unit = UnitText { compile: finished.took, ..unit_text(info, finished.stdout, true) };
            // Such as debug info that was dropped because it is invalid.
            unit.notes.extend(finished.stderr.lines().next().map(|line| format!("{name}: {line}")));
            return Ok(unit);
        }
        attempts.push(Attempt { tool: name, problem: finished.problem() });
    }
    let help = "install Rust with rustup (https://rustup.rs), whose libLLVM reads bitcode, or an llvm-dis as new as the \
                bitcode: apt-get install llvm-19";
    Err(BuildError::Bitcode { path: path.into(), producer, attempts, help: help.to_owned() })
}

fn with_libllvm(path: &Path, context: &Context) -> Option<(String, Command)> {
    let (program, arguments) = context.env.bitcode_helper.as_ref()?.split_first()?;
    let library = toolchain::rustc_libllvm(context)?;
    let mut command = process::command(program, context);
    command.args(arguments).arg(&library).arg(process::operand(path));
    Some((name_of(&library), command))
}

fn with_llvm_dis(path: &Path, context: &Context) -> Option<(String, Command)> {
    let program: PathBuf = toolchain::newest("llvm-dis", context)?;
    let mut command = process::command(&program, context);
    command.args(["-o", "-"]).arg(process::operand(path));
    Some((name_of(&program), command))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(OsStr::new("?")).to_string_lossy().into_owned()
}

/// How the characters of a string are written in a bit stream.
#[derive(Clone, Copy)]
enum Encoding {
    /// Six bits, letters, digits, `.` and `_` only.
    Char6,
    /// Seven or eight bits.
    Fixed(usize),
    /// Groups of six bits; the highest says that another one follows.
    Vbr6,
}

const CHAR6: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

/// Who wrote the bitcode, as it says near its start in a string like `LLVM19.1.7` that begins at any bit.
fn producer(bitcode: &[u8]) -> Option<String> {
    let start = bitcode.get(..bitcode.len().min(256))?;
    for position in 0..start.len() * 8 {
        for encoding in [Encoding::Char6, Encoding::Fixed(7), Encoding::Fixed(8), Encoding::Vbr6] {
            let text: Vec<u8> = characters(start, position, encoding).take(4).collect();
            if text != b"LLVM" {
                continue;
            }
            // The length stands before it; a long one does not fit into six bits, then the end is guessed.
            let length =
                position.checked_sub(6).and_then(|before| field(start, before, 6)).filter(|&length| length > 4);
            let text: Vec<u8> = characters(start, position, encoding)
                .take(length.unwrap_or(64))
                .take_while(|byte| byte.is_ascii_alphanumeric() || b".-_+".contains(byte))
                .collect();
            return String::from_utf8(text).ok();
        }
    }
    None
}

fn characters(bytes: &[u8], mut position: usize, encoding: Encoding) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let (value, width) = match encoding {
            Encoding::Char6 => (usize::from(*CHAR6.as_bytes().get(field(bytes, position, 6)?)?), 6),
            Encoding::Fixed(width) => (field(bytes, position, width)?, width),
            Encoding::Vbr6 => match (field(bytes, position, 6)?, field(bytes, position + 6, 6)?) {
                (low @ 32.., high @ ..32) => (low - 32 + high * 32, 12),
                (low, _) => (low, 6),
            },
        };
        position += width;
        u8::try_from(value).ok()
    })
}

/// The number in `width` bits at a bit position.
fn field(bytes: &[u8], position: usize, width: usize) -> Option<usize> {
    (position..position + width)
        .enumerate()
        .try_fold(0, |value, (index, bit)| Some(value | usize::from(bytes.get(bit / 8)? >> (bit % 8) & 1) << index))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of a bitcode file whose identification is `text`.
    fn bitcode(text: &str, encoding: Encoding) -> Vec<u8> {
        let mut bits: Vec<bool> = vec![false; 16 * 8 + 3];
        let mut push = |value: usize, width: usize| bits.extend((0..width).map(|bit| value >> bit & 1 == 1));
        push(text.len(), 6);
        for byte in text.bytes() {
            match encoding {
                Encoding::Char6 => push(CHAR6.find(char::from(byte)).unwrap_or(0), 6),
                Encoding::Fixed(width) => push(byte.into(), width),
                Encoding::Vbr6 => push(usize::from(byte % 32 + 32) | usize::from(byte / 32) << 6, 12),
            }
        }
        let byte = |chunk: &[bool]| chunk.iter().enumerate().fold(0, |byte, (bit, &set)| byte | u8::from(set) << bit);
        let mut bytes: Vec<u8> = bits.chunks(8).map(byte).collect();
        bytes.extend([0x21; 40]);
        bytes
    }

    #[test]
    fn the_producer_is_found_at_any_bit_and_in_any_encoding() {
        let check = |text: &str, encoding| assert_eq!(producer(&bitcode(text, encoding)).as_deref(), Some(text));
        check("LLVM14.0.6", Encoding::Char6);
        check("LLVM19.1.7+b", Encoding::Fixed(7));
        check("LLVM19.1.7+b", Encoding::Fixed(8));
        check("LLVM22.1.2-rust-1.95.0-stable", Encoding::Vbr6);
        assert_eq!(producer(b"BC\xC0\xDE1234567890"), None);
        assert_eq!(producer(b""), None);
    }
}
