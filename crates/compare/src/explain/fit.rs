//! Tests for a function that takes other parameters in one of the versions.
//!
//! A test has the arguments of one version. Numbers are numbers in the other one too, if there is room for them there.

use super::{ExplainError, Test};
use crate::diff::common::{Number, Scalar, Slot, numbers};
use exec::case::{Datum, Input};
use ir::id::FuncId;
use ir::module::Module;
use smt::bits::Bits;
use std::rc::Rc;

/// What both versions take.
pub(super) struct Parameters {
    old: Vec<Option<Number>>,
    new: Vec<Option<Number>>,
}

impl Parameters {
    /// The parameters of two versions of a function.
    pub(super) fn new((old, old_id): (&Module, FuncId), (new, new_id): (&Module, FuncId)) -> Parameters {
        Parameters { old: numbers(old, old_id), new: numbers(new, new_id) }
    }

    /// Whether no test can be given to both versions as it is.
    pub(super) fn differ(&self) -> bool {
        let is_other = |(a, b): (&Option<Number>, &Option<Number>)| match (a, b) {
            (Some(a), Some(b)) => a.ty != b.ty,
            (a, b) => a.is_some() != b.is_some(),
        };
        self.old.len() != self.new.len() || self.old.iter().zip(&self.new).any(is_other)
    }

    /// The test with arguments for `slots`, which stand for the parameters of both versions; without any for parameters
    /// that are the same in both.
    pub(super) fn fit(&self, test: &Test, slots: Option<&[Slot]>) -> Result<Test, ExplainError> {
        let Test::Case(input) = test else { return Ok(test.clone()) };
        let args = &input.args;
        let has_args_of = |numbers: &[Option<Number>]| {
            args.len() == numbers.len() && args.iter().zip(numbers).all(|(arg, number)| is_one(arg, *number))
        };
        let is_old = has_args_of(&self.old) || !has_args_of(&self.new) && args.len() == self.old.len();
        let own = if is_old { &self.old } else { &self.new };
        if args.len() != own.len() {
            let (has, takes) = (args.len(), own.len());
            return Err(ExplainError::DoesNotFit(format!("it has {has} arguments, the function takes {takes}")));
        }
        let fitted: Result<Vec<Datum>, String> = match slots {
            Some(slots) => slots.iter().map(|slot| of_slot(args, slot, is_old)).collect(),
            None if has_args_of(own) => return Ok(test.clone()),
            None => {
                let fitted = |(index, (arg, number)): (usize, (&Datum, &Option<Number>))| match number {
                    Some(number) if !matches!(number.ty, Scalar::Float(_)) => {
                        converted(arg, *number).map_err(|why| format!("argument {}: {why}", index + 1))
                    }
                    _ => Ok(arg.clone()),
                };
                args.iter().zip(own).enumerate().map(fitted).collect()
            }
        };
        let args = fitted.map_err(ExplainError::DoesNotFit)?;
        Ok(Test::Case(Rc::new(Input { args, ..Input::clone(input) })))
    }
}

fn of_slot(args: &[Datum], slot: &Slot, is_old: bool) -> Result<Datum, String> {
    let position = if is_old { slot.old } else { slot.new };
    let arg = position.and_then(|position| args.get(position));
    let arg = arg.ok_or_else(|| format!("it does not say what `{}` is", slot.name))?;
    converted(arg, slot.kind).map_err(|why| format!("`{}`: {why}", slot.name))
}

/// Whether an argument is one of a parameter as it is.
fn is_one(arg: &Datum, number: Option<Number>) -> bool {
    match (arg, number.map(|number| number.ty)) {
        (Datum::Bits(bits), Some(Scalar::Int(width))) => bits.width == width,
        (Datum::Bits(bits), Some(Scalar::Float(kind))) => bits.width == kind.bits(),
        (Datum::Pointer(_), Some(Scalar::Pointer)) | (Datum::Any, _) | (_, None) => true,
        _ => false,
    }
}

/// The same number, or pointer, as another type has it; else why there is none.
fn converted(arg: &Datum, number: Number) -> Result<Datum, String> {
    if is_one(arg, Some(number)) {
        return Ok(arg.clone());
    }
    match (arg, number.ty) {
        (Datum::Bits(bits), Scalar::Int(width)) => {
            let is_signed = number.signed != Some(false);
            let extended = |bits: &Bits, width| if is_signed { bits.sext(width) } else { bits.zext(width) };
            if width > bits.width {
                return Ok(Datum::Bits(extended(bits, width)));
            }
            let narrow = bits.extract(0, width);
            if extended(&narrow, bits.width) != *bits {
                let wide = extended(bits, bits.width.max(128)).low_128();
                let shown = if is_signed { (wide as i128).to_string() } else { wide.to_string() };
                return Err(format!("{shown} has no room in {width} bits"));
            }
            Ok(Datum::Bits(narrow))
        }
        (Datum::Bits(bits), Scalar::Float(kind)) => match (bits.width, kind.bits()) {
            (32, 64) => {
                let wide = f64::from(f32::from_bits(bits.low() as u32));
                Ok(Datum::Bits(Bits::new(wide.to_bits().into(), 64)))
            }
            (64, 32) => {
                let wide = f64::from_bits(bits.low());
                let narrow = wide as f32;
                if !wide.is_nan() && f64::from(narrow) != wide {
                    return Err(format!("{wide} is no float of 32 bits"));
                }
                Ok(Datum::Bits(Bits::new(narrow.to_bits().into(), 32)))
            }
            (from, to) => Err(format!("a float of {from} bits has no meaning as one of {to}")),
        },
        _ => Err("it is a pointer in one version and a number in the other".to_owned()),
    }
}
