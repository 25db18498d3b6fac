//! Address expressions.

use crate::debug::ExprOp;
use crate::id::Strings;
use crate::parse::lexer::{Lexer, Token};

/// The operations of `!DIExpression(…)`, the lexer standing after the word; `None` if the text is
/// malformed.
pub fn expression_ops(lexer: &mut Lexer<'_>, strings: &mut Strings) -> Option<Box<[ExprOp]>> {
    if lexer.token() != Token::Punct(b'(') {
        return None;
    }
    let mut words: Vec<(&str, Vec<u64>)> = Vec::new();
    loop {
        match lexer.token() {
            Token::Punct(b')') => break,
            Token::Punct(b',') => {}
            Token::Word(word) => match encoding_number(word) {
                Some(number) => words.last_mut()?.1.push(number),
                None => words.push((word, Vec::new())),
            },
            Token::Integer(digits) => words.last_mut()?.1.push(operand(digits)?),
            _ => return None,
        }
    }
    let mut ops = Vec::with_capacity(words.len());
    let mut words = words.into_iter().peekable();
    while let Some((word, operands)) = words.next() {
        let next = words.peek().map_or("", |(word, _)| *word);
        let addend = operands.first().and_then(|&operand| i64::try_from(operand).ok());
        ops.push(match (word, &*operands, addend) {
            ("DW_OP_deref", [], _) => ExprOp::Deref,
            ("DW_OP_stack_value", [], _) => ExprOp::StackValue,
            ("DW_OP_LLVM_fragment", &[offset, bits], _) => ExprOp::Fragment { offset, bits },
            ("DW_OP_plus_uconst", [_], Some(addend)) => ExprOp::Add(addend),
            ("DW_OP_constu", [_], Some(addend)) if matches!(next, "DW_OP_plus" | "DW_OP_minus") => {
                words.next();
                ExprOp::Add(if next == "DW_OP_minus" { -addend } else { addend })
            }
            _ => ExprOp::Other(strings.intern_str(word), operands.into()),
        });
    }
    Some(ops.into())
}

fn operand(digits: &str) -> Option<u64> {
    digits.parse().ok().or_else(|| digits.parse::<i64>().ok().map(|value| value as u64))
}

/// The number of a basic type's encoding, which a conversion has as its operand.
fn encoding_number(word: &str) -> Option<u64> {
    Some(match word.strip_prefix("DW_ATE_")? {
        "address" => 1,
        "boolean" => 2,
        "complex_float" => 3,
        "float" => 4,
        "signed" => 5,
        "signed_char" => 6,
        "unsigned" => 7,
        "unsigned_char" => 8,
        "UTF" => 16,
        _ => 0,
    })
}
