//! Values that are worth a try: those that a program mentions, their neighbours, and texts made of what it mentions.

use ir::constant::ConstKind;
use ir::id::FuncId;
use ir::inst::{CastOp, InstKind, Value};
use ir::module::{Module, SymbolKind};
use ir::types::Type;
use smt::expr::FloatFormat;
use smt::pool::{Reading, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the code of some functions mentions.
#[derive(Clone, Default)]
pub(crate) struct Mentioned {
    /// Constants, each with its neighbours.
    numbers: Rc<[u64]>,
    floats: Rc<[f64]>,
    /// Texts, such as names of options and keywords.
    texts: Rc<[Vec<u8>]>,
    /// Constants that are characters.
    characters: Rc<[u8]>,
}

/// Most functions whose constants are looked at.
const MAX_FUNCTIONS: usize = 200;

/// Longest text of the program that is tried.
const MAX_TEXT: usize = 24;

impl Mentioned {
    /// What two functions, and all that they call, mention.
    pub(crate) fn of(module: &Module, entries: [FuncId; 2]) -> Mentioned {
        let (mut numbers, mut floats, mut texts) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut narrow: BTreeSet<u32> = BTreeSet::new();
        let (mut todo, mut seen) = (entries.to_vec(), BTreeSet::new());
        while let Some(id) = todo.pop() {
            if seen.len() >= MAX_FUNCTIONS || !seen.insert(id) {
                continue;
            }
            for (_, _, inst) in module.functions[id].body() {
                inst.kind.for_each_operand(|value| {
                    let Value::Const(id) = value else { return };
                    match &module.consts[id].kind {
                        ConstKind::Int(number) => {
                            numbers.insert(*number as u64);
                        }
                        ConstKind::Float(bits) => {
                            let width = module.type_layouts.get(module.consts[id].ty).map_or(0, |layout| layout.bits);
                            let value = match width {
                                32 => f64::from(f32::from_bits(*bits as u32)),
                                64 => f64::from_bits(*bits as u64),
                                _ => return,
                            };
                            floats.insert(value.to_bits());
                        }
                        _ => texts.extend(text(module, id)),
                    }
                });
                if let InstKind::Cast { op: CastOp::Trunc, .. } = inst.kind
                    && let Type::Int(bits @ (8 | 16)) = module.types[inst.ty]
                {
                    narrow.insert(bits);
                }
                if let InstKind::Switch { cases, .. } = &inst.kind {
                    for (case, _) in cases {
                        if let ConstKind::Int(number) = module.consts[*case].kind {
                            numbers.insert(number as u64);
                        }
                    }
                }
                if let Some(callee) = module.called_function(&inst.kind)
                    && module.functions[callee].is_defined()
                {
                    todo.push(callee);
                }
            }
        }
        let is_character = |number: &u64| matches!(number, 9 | 10 | 32..=126);
        let characters = numbers.iter().filter(|number| is_character(number)).map(|number| *number as u8).collect();
        // Where larger numbers lose bits, the first ones that do are worth a try.
        numbers.extend(narrow.into_iter().flat_map(|bits| [1 << (bits - 1), 1 << bits]));
        // A loop whose number goes beyond another one has two rounds more.
        let around = |number: u64| [number, number.wrapping_add(1), number.wrapping_sub(1), number.wrapping_add(2)];
        let numbers: BTreeSet<u64> = numbers.into_iter().flat_map(around).collect();
        Mentioned {
            numbers: numbers.into_iter().collect(),
            floats: floats.into_iter().map(f64::from_bits).collect(),
            texts: texts.into_iter().collect(),
            characters,
        }
    }

    /// Whether a number of some width is mentioned, or a neighbour of one.
    pub(crate) fn has(&self, value: u64, width: u32) -> bool {
        let mask = if width < 64 { (1u64 << width) - 1 } else { u64::MAX };
        self.numbers.iter().any(|number| number & mask == value & mask)
    }
}

/// The text that a constant points to, if it is one that an input may have.
fn text(module: &Module, constant: ir::id::ConstId) -> Option<Vec<u8>> {
    let symbol = module.base_symbol(constant)?;
    let SymbolKind::Variable(global) = module.symbols[symbol].kind else { return None };
    let global = &module.globals[global];
    let ConstKind::Bytes(bytes) = &module.consts[global.initializer.filter(|_| global.constant)?].kind else {
        return None;
    };
    let (last, text) = bytes.split_last()?;
    let plain = text.iter().all(|byte| matches!(byte, 9 | 10 | 32..=126) && *byte != b'%');
    (*last == 0 && plain && (1..=MAX_TEXT).contains(&text.len())).then(|| text.to_vec())
}

/// Numbers at which those that are read from texts get too large for their type.
const LIMITS: [i128; 10] = [
    1 << 31,
    (1 << 31) - 1,
    -(1 << 31) - 1,
    -(1 << 31),
    1 << 32,
    (1 << 32) - 1,
    1 << 63,
    (1 << 63) - 1,
    -(1 << 63) - 1,
    1 << 64,
];

/// Most inputs that are tried with a number that is mentioned each.
const MOST_FAVOURITES: usize = 120;

/// A constant as it is read mostly: one of 32 bits has a sign.
fn decimal(number: u64) -> i64 {
    if number >> 31 == 1 { i64::from(number as u32 as i32) } else { number as i64 }
}

/// Lengths of long words, the longest of which is longer than a byte can count.
const LENGTHS: [u64; 6] = [10, 33, 65, 100, 129, 260];
const LONGEST: u64 = 300;

/// Chooses the values of one input.
pub(crate) struct Chooser {
    mentioned: Mentioned,
    /// Most arguments of a program, its name included.
    arguments: Option<u64>,
    /// Chance that is the same every time.
    pub(crate) random: Random,
    /// The number that this input has mostly.
    favourite: Option<u64>,
    /// The number that texts of this input consist of.
    text: Option<String>,
    /// Texts that were chosen, by the name of what holds them; nothing where characters are chosen one by one.
    texts: BTreeMap<String, Option<Vec<u8>>>,
}

impl Chooser {
    /// A chooser; the same number chooses the same values. The first inputs have each number that is mentioned, so that none
    /// is left out by chance.
    pub(crate) fn new(mentioned: Mentioned, arguments: Option<u64>, number: u64, position: u32) -> Chooser {
        let position = position as usize;
        let favourite = mentioned.numbers.get(position / 2).copied().filter(|_| position < MOST_FAVOURITES);
        let limit = LIMITS.get(position / 2).map(i128::to_string);
        let text = limit.or_else(|| favourite.map(|number| decimal(number).to_string()));
        Chooser { mentioned, arguments, random: Random(number), favourite, text, texts: BTreeMap::new() }
    }

    /// Whether this input is not to be made out of another one.
    pub(crate) fn is_planned(&self) -> bool {
        self.favourite.is_some() || self.text.is_some()
    }

    /// A value for a symbol.
    pub(crate) fn value(&mut self, symbol: &Symbol) -> u64 {
        if let Some(value) = self.part_of_text(symbol) {
            return value;
        }
        let mask = if symbol.width < 64 { (1u64 << symbol.width) - 1 } else { u64::MAX };
        match symbol.reading {
            Reading::Float(FloatFormat::Double) => self.float().to_bits(),
            Reading::Float(FloatFormat::Single) => u64::from((self.float() as f32).to_bits()),
            // A pointer that leads somewhere, mostly.
            Reading::Address => u64::from(self.random.below(12) > 0) << 20,
            _ => self.number(symbol) & mask,
        }
    }

    /// A value that is near to one, or another one.
    pub(crate) fn near(&mut self, symbol: &Symbol, value: u64) -> u64 {
        let mask = if symbol.width < 64 { (1u64 << symbol.width) - 1 } else { u64::MAX };
        let is_number = !matches!(symbol.reading, Reading::Float(_) | Reading::Address);
        match self.random.below(6) {
            0 if is_number => value.wrapping_add(1) & mask,
            1 if is_number => value.wrapping_sub(1) & mask,
            2 if is_number => value.wrapping_neg() & mask,
            3 if symbol.width == 8 => u64::from(self.character()),
            _ => self.value(symbol),
        }
    }

    /// A character or the length of a text that is chosen as a whole.
    fn part_of_text(&mut self, symbol: &Symbol) -> Option<u64> {
        if let Some(most) = self.arguments.filter(|_| symbol.name == "argc") {
            // Programs want a number of arguments that nobody gives by chance.
            return Some(if self.random.below(2) == 0 { most } else { 1 + self.random.below(most) });
        }
        if let Some(name) = symbol.name.strip_prefix("size of ") {
            return Some(self.text(name)?.len() as u64);
        }
        let (name, index) = symbol.name.strip_suffix(']')?.rsplit_once('[').filter(|_| symbol.width == 8)?;
        let index: usize = index.parse().ok()?;
        Some(u64::from(self.text(name)?.get(index).copied().unwrap_or(0)))
    }

    fn text(&mut self, name: &str) -> Option<&[u8]> {
        if !self.texts.contains_key(name) {
            let is_argument = self.arguments.is_some();
            let whole = is_argument || self.random.below(3) > 0;
            let planned = self.text.as_ref().filter(|_| whole).map(|text| text.clone().into_bytes());
            let text = planned.or_else(|| whole.then(|| self.some_text(name == "stdin")));
            self.texts.insert(name.to_owned(), text);
        }
        self.texts.get(name)?.as_deref()
    }

    /// A text of numbers, of texts and characters that the program mentions, and of others.
    fn some_text(&mut self, long: bool) -> Vec<u8> {
        if self.random.below(8) == 0 {
            return self.long_word(long);
        }
        let mut text = Vec::new();
        let kind = self.random.below(if long { 4 } else { 8 });
        let pieces = match kind {
            // Numbers with something between them, or pieces of all kinds.
            0 | 1 => 1 + self.random.below(if long { 12 } else { 4 }),
            2 | 3 => 1 + self.random.below(if long { 16 } else { 5 }),
            4 | 5 => 1,
            _ => self.random.below(9),
        };
        let between: &[u8] = [&b" "[..], b"\n", b"", b" ", b","][self.random.below(5) as usize];
        for piece in 0..pieces {
            match kind {
                0 | 1 | 4 => {
                    if piece > 0 {
                        text.extend_from_slice(if between.is_empty() { b" " } else { between });
                    }
                    self.decimal(&mut text);
                }
                2 | 3 | 5 => {
                    match self.random.below(4) {
                        0 => self.decimal(&mut text),
                        1 if !self.mentioned.texts.is_empty() => {
                            let at = self.random.below(self.mentioned.texts.len() as u64) as usize;
                            text.extend_from_slice(&self.mentioned.texts[at]);
                        }
                        _ => text.push(self.character()),
                    }
                    text.extend_from_slice(between);
                }
                _ => text.push(self.character()),
            }
        }
        if long && self.random.below(4) > 0 {
            text.push(b'\n');
        }
        text
    }

    /// One character many times: buffers are too small for it, and counters too narrow.
    fn long_word(&mut self, is_line: bool) -> Vec<u8> {
        let numbers = &self.mentioned.numbers;
        let length = match self.random.below(3) {
            0 if !numbers.is_empty() => numbers[self.random.below(numbers.len() as u64) as usize],
            1 => 1 << self.random.below(9),
            _ => LENGTHS[self.random.below(LENGTHS.len() as u64) as usize],
        };
        let character = if self.random.below(2) == 0 { b'a' } else { self.character() };
        let mut text = vec![character; length.min(LONGEST) as usize];
        if is_line && self.random.below(2) == 0 {
            text.push(b'\n');
        }
        text
    }

    fn decimal(&mut self, text: &mut Vec<u8>) {
        let number = match self.random.below(5) {
            0 | 1 if !self.mentioned.numbers.is_empty() => {
                decimal(self.mentioned.numbers[self.random.below(self.mentioned.numbers.len() as u64) as usize])
            }
            2 => self.random.below(2) as i64,
            3 => self.random.below(1000) as i64,
            _ => self.random.below(10) as i64,
        };
        text.extend_from_slice(number.to_string().as_bytes());
        if self.random.below(12) == 0 {
            text.extend_from_slice(b".5");
        }
    }

    fn character(&mut self) -> u8 {
        match self.random.below(4) {
            0 | 1 if !self.mentioned.characters.is_empty() => {
                self.mentioned.characters[self.random.below(self.mentioned.characters.len() as u64) as usize]
            }
            2 => b'a' + self.random.below(4) as u8,
            _ => 32 + self.random.below(95) as u8,
        }
    }

    fn number(&mut self, symbol: &Symbol) -> u64 {
        let (random, numbers) = (&mut self.random, &self.mentioned.numbers);
        if let Some(favourite) = self.favourite.filter(|_| random.below(4) > 0) {
            return favourite;
        }
        let width = u64::from(symbol.width.min(64));
        match random.below(10) {
            0..=3 if !numbers.is_empty() => numbers[random.below(numbers.len() as u64) as usize],
            4 | 5 => random.below(12),
            6 if symbol.reading != Reading::Unsigned => random.below(8).wrapping_neg(),
            // Near powers of two.
            7 => (1u64 << random.below(width)).wrapping_add(random.below(3)).wrapping_sub(1),
            8 if symbol.width == 8 => 32 + random.below(95),
            _ => random.next() >> random.below(width),
        }
    }

    fn float(&mut self) -> f64 {
        let (random, floats) = (&mut self.random, &self.mentioned.floats);
        let unit = |random: &mut Random| (random.next() >> 11) as f64 / (1u64 << 53) as f64;
        match random.below(12) {
            0..=2 if !floats.is_empty() => {
                let value = floats[random.below(floats.len() as u64) as usize];
                match random.below(4) {
                    0 => -value,
                    1 => value * (1.0 + unit(random)),
                    2 => value * unit(random),
                    _ => value,
                }
            }
            0..=5 => random.below(21) as f64 - 10.0,
            6..=8 => (unit(random) - 0.5) * 20.0,
            9 => (unit(random) - 0.5) * 10f64.powi(random.below(12) as i32),
            10 => f64::from_bits(random.next()),
            _ => [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE, f64::MAX]
                [random.below(7) as usize],
        }
    }
}

/// Numbers that look random and are the same every time (SplitMix64).
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound; zero if there is none.
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.next().checked_rem(most).unwrap_or(0)
    }
}
