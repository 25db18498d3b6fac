//! The search for a text in a text: `contains`, `find`, `split` and others with a text as pattern.
//!
//! What searches is part of every program that uses it; only what prepares it is in the library's binary. It factorises the
//! text that is searched for (M. Crochemore, D. Perrin: "Two-way string-matching", JACM 1991) and notes that in a record, whose
//! layout debug info has. Any critical factorisation will do, so it need not be the one that the library finds.

use crate::models::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Pointer, Shape, Value};
use ir::debug::{DebugTypeKind, Field};
use ir::id::DebugTypeId;
use ir::module::Module;
use smt::expr::Expr;

/// All of them.
pub const MODELS: &[Model] = &[Model { name: "core::str::pattern::StrSearcher::new", run: new }];

/// `fn(out, haystack: &str, needle: &str)`
fn new(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(layout) = Layout::find(&run.program().module) else { return Ok(Reply::Outside) };
    let out = args.pointer(run, 0)?;
    let (haystack, haystack_length) = (args.value(1), args.bits(run, 2)?);
    let (needle, needle_length) = (args.pointer(run, 3)?, args.bits(run, 4)?);
    let most = run.program().options.max_bytes;
    let length = run.number(needle_length, most, "a text that is searched for and whose length is not known")?;
    let mut bytes = Vec::new();
    if length > 0 {
        let text = run.bytes(needle, length)?;
        for at in 0..text.len() {
            match text.byte(at).and_then(Expr::as_const) {
                Some(byte) => bytes.push(byte as u8),
                None => return Err(run.unsupported("a text that is searched for and not known")),
            }
        }
    }
    let word = |value: u64| Expr::constant(value, 64);
    let mut words = vec![(layout.haystack.1, haystack_length), (layout.needle.1, needle_length)];
    let mut flags = Vec::new();
    if bytes.is_empty() {
        let Some(empty) = layout.empty(&run.program().module) else { return Ok(Reply::Outside) };
        words.extend([(empty.position, word(0)), (empty.end, haystack_length)]);
        flags.extend([(empty.is_match_fw, 1), (empty.is_match_bw, 1), (empty.is_finished, 0)]);
        put_tag(run, out, empty.tag)?;
    } else {
        let Some(two_way) = layout.two_way(&run.program().module) else { return Ok(Reply::Outside) };
        let made = factorise(&bytes);
        let values = [made.cut, made.cut_back, made.period, made.bytes, 0];
        let places = [two_way.crit_pos, two_way.crit_pos_back, two_way.period, two_way.byteset, two_way.position];
        words.extend(places.into_iter().zip(values.map(word)));
        words.extend([(two_way.end, haystack_length), (two_way.memory, word(made.memory))]);
        words.push((two_way.memory_back, word(made.memory_back)));
        put_tag(run, out, two_way.tag)?;
    }
    for (at, pointer) in [(layout.haystack.0, haystack), (layout.needle.0, Value::Ptr(needle))] {
        let place = run.offset(out, at);
        run.store(place, &pointer, &Shape::Ptr)?;
    }
    for (at, value) in words {
        let place = run.offset(out, at);
        run.store(place, &Value::Bits(value), &Shape::Int { bits: 64, bytes: 8 })?;
    }
    for (at, flag) in flags {
        let place = run.offset(out, at);
        run.store_byte(place, Expr::constant(flag, 8))?;
    }
    Ok(Reply::Nothing)
}

fn put_tag(run: &mut Run, out: Pointer, (at, bytes, value): (u64, u32, u64)) -> Result<(), Stop> {
    let place = run.offset(out, at);
    run.store(place, &Value::int(value, bytes * 8), &Shape::Int { bits: bytes * 8, bytes })
}

/// What the search remembers where it need not: that nothing is to be remembered.
const NOTHING: u64 = u64::MAX;

/// What is prepared of a text that is searched for.
struct Factorised {
    cut: u64,
    cut_back: u64,
    period: u64,
    /// Which bytes it has, by their last six bits.
    bytes: u64,
    memory: u64,
    memory_back: u64,
}

fn factorise(text: &[u8]) -> Factorised {
    let (below, above) = (greatest_suffix(text, |a, b| a < b), greatest_suffix(text, |a, b| a > b));
    let (cut, period) = if below.0 > above.0 { below } else { above };
    let of = |bytes: &[u8]| bytes.iter().fold(0, |all, byte| all | 1u64 << (byte & 63));
    if text.get(period..period + cut) == Some(&text[..cut]) {
        // The whole text repeats itself.
        let turned: Vec<u8> = text.iter().rev().copied().collect();
        let back = |smaller: fn(u8, u8) -> bool| greatest_suffix(&turned, smaller).0;
        let cut_back = text.len() - back(|a, b| a < b).max(back(|a, b| a > b));
        return Factorised {
            cut: cut as u64,
            cut_back: cut_back as u64,
            period: period as u64,
            bytes: of(&text[..period]),
            memory: 0,
            memory_back: text.len() as u64,
        };
    }
    let period = cut.max(text.len() - cut) + 1;
    let cut = cut as u64;
    Factorised { cut, cut_back: cut, period: period as u64, bytes: of(text), memory: NOTHING, memory_back: NOTHING }
}

/// Where the greatest suffix of a text begins in an order of bytes, and its period.
fn greatest_suffix(text: &[u8], smaller: fn(u8, u8) -> bool) -> (usize, usize) {
    let (mut left, mut right, mut ahead, mut period) = (0, 1, 0, 1);
    while let Some(&candidate) = text.get(right + ahead) {
        let best = text[left + ahead];
        if smaller(candidate, best) {
            // The candidate is smaller: all up to here is one period.
            right += ahead + 1;
            ahead = 0;
            period = right - left;
        } else if candidate == best {
            if ahead + 1 == period {
                right += ahead + 1;
                ahead = 0;
            } else {
                ahead += 1;
            }
        } else {
            left = right;
            right += 1;
            ahead = 0;
            period = 1;
        }
    }
    (left, period)
}

/// Where the parts of the record lie.
struct Layout {
    /// Pointer and length.
    haystack: (u64, u64),
    needle: (u64, u64),
    /// Where what depends on the text begins, and its type.
    searcher: (u64, DebugTypeId),
}

/// Parts of what searches for an empty text.
struct Empty {
    tag: (u64, u32, u64),
    position: u64,
    end: u64,
    is_match_fw: u64,
    is_match_bw: u64,
    is_finished: u64,
}

/// Parts of what searches for another one.
struct TwoWay {
    tag: (u64, u32, u64),
    crit_pos: u64,
    crit_pos_back: u64,
    period: u64,
    byteset: u64,
    position: u64,
    end: u64,
    memory: u64,
    memory_back: u64,
}

impl Layout {
    fn find(module: &Module) -> Option<Layout> {
        let named =
            |id: &DebugTypeId| module.debug.types[*id].name.is_some_and(|name| module.str(name) == "StrSearcher");
        let ty = module.debug.types.ids().find(|id| named(id) && module.debug.types[*id].bits > 0)?;
        let text = |name: &str| {
            let (start, ty) = field(module, ty, name)?;
            Some((start + field(module, ty, "data_ptr")?.0, start + field(module, ty, "length")?.0))
        };
        Some(Layout { haystack: text("haystack")?, needle: text("needle")?, searcher: field(module, ty, "searcher")? })
    }

    /// A case of what depends on the text: its tag, where it begins, and its type.
    fn case(&self, module: &Module, wanted: &str) -> Option<((u64, u32, u64), u64, DebugTypeId)> {
        let (start, ty) = self.searcher;
        let DebugTypeKind::Record { variants: Some(variants), .. } = &module.debug.types[module.debug.strip(ty)].kind
        else {
            return None;
        };
        let is_it = |field: &Field| field.name.is_some_and(|name| module.str(name) == wanted);
        let case = variants.cases.iter().find(|case| is_it(&case.field))?;
        let tag = variants.tag.as_ref()?;
        let (inner, ty) = field(module, case.field.ty?, "__0")?;
        let tag = (start + tag.offset / 8, (tag.bits / 8) as u32, case.value? as u64);
        Some((tag, start + case.field.offset / 8 + inner, ty))
    }

    fn empty(&self, module: &Module) -> Option<Empty> {
        let (tag, start, ty) = self.case(module, "Empty")?;
        let at = |name: &str| Some(start + field(module, ty, name)?.0);
        Some(Empty {
            tag,
            position: at("position")?,
            end: at("end")?,
            is_match_fw: at("is_match_fw")?,
            is_match_bw: at("is_match_bw")?,
            is_finished: at("is_finished")?,
        })
    }

    fn two_way(&self, module: &Module) -> Option<TwoWay> {
        let (tag, start, ty) = self.case(module, "TwoWay")?;
        let at = |name: &str| Some(start + field(module, ty, name)?.0);
        Some(TwoWay {
            tag,
            crit_pos: at("crit_pos")?,
            crit_pos_back: at("crit_pos_back")?,
            period: at("period")?,
            byteset: at("byteset")?,
            position: at("position")?,
            end: at("end")?,
            memory: at("memory")?,
            memory_back: at("memory_back")?,
        })
    }
}

/// Where a field lies in bytes, and its type.
fn field(module: &Module, ty: DebugTypeId, name: &str) -> Option<(u64, DebugTypeId)> {
    let DebugTypeKind::Record { fields, .. } = &module.debug.types[module.debug.strip(ty)].kind else { return None };
    let field = fields.iter().find(|field| field.name.is_some_and(|id| module.str(id) == name))?;
    Some((field.offset / 8, field.ty?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places from the last one on, as the library searches backwards.
    fn find_back(text: &[u8], wanted: &[u8]) -> Vec<usize> {
        let made = factorise(wanted);
        let (cut, period) = (made.cut_back as usize, made.period as usize);
        let is_long = made.memory_back == NOTHING;
        let mut found = Vec::new();
        let (mut end, mut known) = (text.len(), wanted.len());
        'search: while let Some(begin) = end.checked_sub(wanted.len()) {
            if made.bytes >> (text[begin] & 63) & 1 == 0 {
                (end, known) = (begin, wanted.len());
                continue;
            }
            for i in (0..if is_long { cut } else { cut.min(known) }).rev() {
                if wanted[i] != text[begin + i] {
                    (end, known) = (end - (cut - i), wanted.len());
                    continue 'search;
                }
            }
            for i in cut..if is_long { wanted.len() } else { known } {
                if wanted[i] != text[begin + i] {
                    (end, known) = (end - period, period);
                    continue 'search;
                }
            }
            found.push(begin);
            (end, known) = (begin, wanted.len());
        }
        found
    }

    /// The same forwards.
    fn find(text: &[u8], wanted: &[u8]) -> Vec<usize> {
        let made = factorise(wanted);
        let (cut, period) = (made.cut as usize, made.period as usize);
        let mut found = Vec::new();
        let (mut at, mut known) = (0, if made.memory == NOTHING { None } else { Some(0) });
        'search: while let Some(&last) = text.get(at + wanted.len() - 1) {
            if made.bytes >> (last & 63) & 1 == 0 {
                at += wanted.len();
                known = known.map(|_| 0);
                continue;
            }
            for i in cut.max(known.unwrap_or(0))..wanted.len() {
                if wanted[i] != text[at + i] {
                    at += i - cut + 1;
                    known = known.map(|_| 0);
                    continue 'search;
                }
            }
            for i in (known.unwrap_or(0)..cut).rev() {
                if wanted[i] != text[at + i] {
                    at += period;
                    known = known.map(|_| wanted.len() - period);
                    continue 'search;
                }
            }
            found.push(at);
            at += wanted.len();
            known = known.map(|_| 0);
        }
        found
    }

    #[test]
    fn texts_are_found_where_they_are() {
        let letters = [b'a', b'b'];
        let word = |bits: u32, length: u32| (0..length).map(|i| letters[(bits >> i & 1) as usize]).collect::<Vec<u8>>();
        for length in 1..7u32 {
            for wanted in (0..1 << length).map(|bits| word(bits, length)) {
                for text in (0..1 << 10).map(|bits| word(bits, 10)) {
                    let wanted_text = std::str::from_utf8(&wanted).unwrap_or_default();
                    let known: Vec<usize> = std::str::from_utf8(&text)
                        .unwrap_or_default()
                        .match_indices(wanted_text)
                        .map(|(at, _)| at)
                        .collect();
                    assert_eq!(find(&text, &wanted), known, "{wanted:?} in {text:?}");
                    let text = std::str::from_utf8(&text).unwrap_or_default();
                    let back: Vec<usize> = text.rmatch_indices(wanted_text).map(|(at, _)| at).collect();
                    assert_eq!(find_back(text.as_bytes(), &wanted), back, "{wanted:?} in {text:?} backwards");
                }
            }
        }
    }
}
