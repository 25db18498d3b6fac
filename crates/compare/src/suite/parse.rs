//! Tests from text; the form is described at the module above. Whatever is wrong has a column and a help.

use exec::case::{CallResult, Datum, End, Input, Memory, Outcome, OutsideCall, Target, Turn};
use smt::bits::Bits;

use super::text::{FAULTS, is_plain, objects_before};
use super::{Header, Reading, Test};

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where, in bytes from the beginning.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// Deepest nesting of values.
const MAX_DEPTH: usize = 64;
/// Most bytes that one run of zeros, or one object, can have.
const MAX_BYTES: u64 = 1 << 32;
/// Most turns of one test.
const MAX_TURNS: usize = 1 << 28;
/// Widest value in bits.
const MAX_WIDTH: u32 = 1 << 23;

type Parsed<T> = Result<T, Problem>;

/// Reads one line of a header.
pub fn header_line(line: &[u8], header: &mut Header) -> Parsed<()> {
    let mut p = Parser { line, at: 0 };
    let start = p.at;
    let key = p.word();
    match key {
        b"entry" | b"program" => {
            p.expect(b" ", "a name comes next")?;
            let name = p.name()?;
            if key == b"entry" { header.entry = name } else { header.program = name }
        }
        b"param" | b"elements" => {
            p.expect(b" ", "a name comes next")?;
            let name = p.name()?;
            p.expect(b" ", "how to read it comes next, such as i32")?;
            let reading = p.reading()?;
            if key == b"param" { header.params.push((name, reading)) } else { header.elements.push((name, reading)) }
        }
        b"result" => {
            p.expect(b" ", "how to read it comes next, such as i32")?;
            header.result = p.reading()?;
        }
        _ => {
            let help = "a header has the lines entry, program, param, result, elements, and `--` at its end";
            return p.fail_at(start, "this is no line of a header", help);
        }
    }
    p.end()
}

/// Reads one test.
pub fn test(line: &[u8], header: &Header) -> Parsed<Test> {
    let mut p = Parser { line, at: 0 };
    let input = p.input(header)?;
    p.expect(b"->", "the outcome comes behind `->`")?;
    p.spaces();
    let (end, result) = p.outcome_end(header)?;
    let mut test = Test {
        input,
        outcome: Outcome {
            end,
            result,
            objects: Vec::new(),
            globals: Vec::new(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            calls: Vec::new(),
        },
        turns: Vec::new(),
    };
    test.outcome.objects = objects_before(&test).to_vec();
    p.outcome_items(header, &mut test.outcome)?;
    if p.eat(b"|") {
        p.spaces();
        test.turns = p.turns()?;
    }
    p.end()?;
    Ok(test)
}

struct Parser<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    // ---- Parts of a test ----

    fn input(&mut self, header: &Header) -> Parsed<Input> {
        let mut input = Input::default();
        if self.eat(b"args=") {
            let start = self.at;
            match self.value(Reading::None, 0)? {
                Datum::Many(args) => input.args = args,
                _ => return self.fail_at(start, "these are no arguments", "write them as {1:i32, null}"),
            }
        } else {
            for (param, reading) in &header.params {
                self.spaces();
                let start = self.at;
                let name = self.name()?;
                if name != *param {
                    let help = "values come in the order of the header's parameters";
                    return self.fail_at(start, &format!("the next parameter is `{param}`, not `{name}`"), help);
                }
                self.expect(b"=", "a value comes behind `=`")?;
                input.args.push(self.value(*reading, 0)?);
            }
        }
        loop {
            self.spaces();
            if self.rest().starts_with(b"->") {
                return Ok(input);
            }
            self.input_item(&mut input)?;
        }
    }

    fn input_item(&mut self, input: &mut Input) -> Parsed<()> {
        let start = self.at;
        if self.eat(b"&") {
            let index = self.unsigned()?;
            if index != input.objects.len() as u128 {
                let message = format!("the next object is &{}", input.objects.len());
                return self.fail_at(start, &message, "objects are numbered from 0 in order");
            }
            let memory = self.named_memory(None, "")?;
            input.objects.push(memory);
        } else if self.eat(b"@") {
            let symbol = self.name()?;
            let memory = self.named_memory(None, &symbol)?;
            input.globals.push((symbol, memory));
        } else if self.eat(b"argv[") {
            while !self.eat(b"]") {
                input.argv.push(self.quoted()?);
                self.spaces();
            }
        } else if self.eat(b"stdin=") {
            input.stdin = self.quoted()?;
        } else if self.rest().starts_with(b"file(\"") {
            self.at += b"file(".len();
            let name = self.quoted_text()?;
            self.expect(b")=", "a file is written file(\"name\")=\"bytes\"")?;
            let bytes = self.quoted()?;
            input.files.push((name, bytes));
        } else {
            let help = "inputs are &0=…, @global=…, argv[…], stdin=…, file(…)=…, function()=…, then `->`";
            if self.rest().is_empty() {
                return self.fail("the line ends in its input", help);
            }
            let function = self.name().map_err(|problem| Problem { help: help.to_owned(), ..problem })?;
            if !self.eat(b"()=") {
                return self.fail_at(start, "this is no part of an input", help);
            }
            let result = self.value(Reading::None, 0)?;
            input.results.push(CallResult { function, result });
        }
        Ok(())
    }

    fn outcome_end(&mut self, header: &Header) -> Parsed<(End, Datum)> {
        let start = self.at;
        let word = self.word();
        let end = match word {
            b"done" => End::Returned,
            b"exit" => {
                self.expect(b" ", "an exit code comes next")?;
                let number = self.signed()?;
                End::Exited(
                    i32::try_from(number).or_else(|_| self.fail_at(start, "this is no exit code", "it has 32 bits"))?,
                )
            }
            b"fault" => {
                self.expect(b" ", "a kind of fault comes next")?;
                let at = self.at;
                let name = self.take_while(|byte| byte.is_ascii_lowercase() || byte == b'-');
                match FAULTS.iter().find(|(_, other)| other.as_bytes() == name) {
                    Some((kind, _)) => End::Fault(*kind),
                    None => {
                        let names: Vec<&str> = FAULTS.iter().map(|(_, name)| *name).collect();
                        return self.fail_at(at, "there is no such fault", &format!("faults are {}", names.join(", ")));
                    }
                }
            }
            b"bound" | b"unsupported" => {
                self.expect(b" ", "a reason in quotes comes next")?;
                let what = self.quoted_text()?;
                if word == b"bound" { End::Bound(what) } else { End::Unsupported(what) }
            }
            _ => {
                self.at = start;
                return Ok((End::Returned, self.value(header.result, 0)?));
            }
        };
        Ok((end, Datum::Any))
    }

    fn outcome_items(&mut self, header: &Header, outcome: &mut Outcome) -> Parsed<()> {
        loop {
            self.spaces();
            let start = self.at;
            if self.rest().is_empty() || self.rest().starts_with(b"|") {
                return Ok(());
            }
            if self.eat(b"result=") {
                outcome.result = self.value(header.result, 0)?;
            } else if self.eat(b"objects=") {
                let count = usize::try_from(self.unsigned()?).unwrap_or(usize::MAX);
                // Each object that is new comes with its own item.
                if count > outcome.objects.len() + self.rest().len() {
                    return self.fail_at(
                        start,
                        "the line has no room for so many objects",
                        "write the number of objects",
                    );
                }
                outcome.objects.resize(count, Memory { align: 1, ..Memory::default() });
            } else if self.eat(b"&") {
                let index = usize::try_from(self.unsigned()?).unwrap_or(usize::MAX);
                let Some(old) = outcome.objects.get(index).cloned() else {
                    return self.fail_at(start, "there is no such object", "objects=N says how many there are");
                };
                outcome.objects[index] = self.named_memory(Some(&old), "")?;
            } else if self.eat(b"@") {
                let symbol = self.name()?;
                let memory = self.named_memory(None, &symbol)?;
                outcome.globals.push((symbol, memory));
            } else if self.eat(b"out=") {
                outcome.stdout = self.quoted()?;
            } else if self.eat(b"err=") {
                outcome.stderr = self.quoted()?;
            } else {
                let help = "outcomes go on with &0=…, @global=…, out=…, err=…, function(…), then `|` and turns";
                let function = self.name().map_err(|problem| Problem { help: help.to_owned(), ..problem })?;
                if !self.eat(b"(") {
                    return self.fail_at(start, "this is no part of an outcome", help);
                }
                let args = self.list(b")", 0)?;
                outcome.calls.push(OutsideCall { function, args });
            }
        }
    }

    /// Name and alignment, then the contents; without them those of `old`, or the symbol's name.
    fn named_memory(&mut self, old: Option<&Memory>, symbol: &str) -> Parsed<Memory> {
        let mut memory = Memory { name: symbol.to_owned(), align: 1, ..Memory::default() };
        match old {
            Some(old) if self.rest().starts_with(b"=") => {
                memory.name = old.name.clone();
                memory.align = old.align;
            }
            _ => {
                if self.eat(b":") {
                    memory.name = self.name()?;
                }
                if self.eat(b"%") {
                    let start = self.at;
                    let align = self.unsigned()?;
                    memory.align = u64::try_from(align)
                        .or_else(|_| self.fail_at(start, "the alignment is too large", "write bytes"))?;
                }
            }
        }
        self.expect(b"=", "contents come behind `=`")?;
        self.contents(&mut memory)?;
        Ok(memory)
    }

    fn contents(&mut self, memory: &mut Memory) -> Parsed<()> {
        loop {
            self.piece(memory)?;
            if memory.bytes.len() as u64 > MAX_BYTES {
                return self.fail("the object is too large", "an object has at most 4 GiB");
            }
            if !self.eat(b",") {
                return Ok(());
            }
        }
    }

    fn piece(&mut self, memory: &mut Memory) -> Parsed<()> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => memory.bytes.extend(self.quoted()?),
            Some(b'#') => {
                self.at += 1;
                let digits = self.take_while(|byte| byte.is_ascii_hexdigit());
                if !digits.len().is_multiple_of(2) {
                    return self.fail_at(start, "a byte has two hexadecimal digits", "write #00ff");
                }
                let byte = |pair: &[u8]| pair.iter().fold(0, |value, digit| value << 4 | hex_value(*digit));
                memory.bytes.extend(digits.chunks(2).map(byte));
            }
            Some(b'0') => {
                self.expect(b"0*", "zeros are written 0*97")?;
                let count = self.unsigned()?;
                let room = u128::from(MAX_BYTES).saturating_sub(memory.bytes.len() as u128);
                if count > room {
                    return self.fail_at(start, "the object is too large", "an object has at most 4 GiB");
                }
                memory.bytes.resize(memory.bytes.len() + count as usize, 0);
            }
            Some(b'i' | b'u' | b'b' | b'f' | b'x') => {
                let reading = self.reading()?;
                let size = reading.width() as usize / 8;
                if size == 0 || size > 16 || !reading.width().is_multiple_of(8) {
                    return self.fail_at(start, "these are no numbers of whole bytes", "write i32(1 -2)");
                }
                self.expect(b"(", "numbers are written i32(1 -2)")?;
                while !self.eat(b")") {
                    let bits = self.number(reading)?;
                    memory.bytes.extend_from_slice(&bits.low_128().to_le_bytes()[..size]);
                    self.spaces();
                }
            }
            _ => {
                let help = "contents are \"text\", #00ff, 0*97, i32(1 -2), &1, joined by `,`";
                match self.pointer()? {
                    Some(target) => {
                        memory.pointers.push((memory.bytes.len() as u64, target));
                        memory.bytes.extend([0; 8]);
                    }
                    None => return self.fail("these are no contents", help),
                }
            }
        }
        Ok(())
    }

    fn turns(&mut self) -> Parsed<Vec<Turn>> {
        let mut turns: Vec<Turn> = Vec::new();
        let mut function: Option<String> = None;
        let mut group: Option<usize> = None;
        loop {
            self.spaces();
            let start = self.at;
            match self.peek() {
                None if group.is_some() => return self.fail("the group does not end", "write (…)*4"),
                None => return Ok(turns),
                Some(b'(') if group.is_none() => {
                    self.at += 1;
                    group = Some(turns.len());
                }
                Some(b')') if group.is_some() => {
                    self.expect(b")*", "the number of rounds comes behind the group")?;
                    let rounds = usize::try_from(self.unsigned()?).unwrap_or(usize::MAX);
                    let first = group.take().unwrap_or(0);
                    let period = turns.len() - first;
                    let more = rounds.saturating_sub(1).checked_mul(period);
                    if rounds == 0 || more.is_none_or(|more| more + turns.len() > MAX_TURNS) {
                        return self.fail_at(start, "there are no such rounds", "a test has at most 2^28 turns");
                    }
                    for _ in 1..rounds {
                        turns.extend_from_within(first..first + period);
                    }
                }
                Some(byte) if byte.is_ascii_digit() => {
                    let Some(function) = &function else {
                        return self.fail("a function comes first", "turns are written f:0a1b");
                    };
                    let function = function.clone();
                    let (branch, side) = self.turn()?;
                    turns.push(Turn { function, branch, side });
                }
                Some(_) => {
                    function = Some(self.name()?);
                    self.expect(b":", "turns are written f:0a1b")?;
                }
            }
        }
    }

    fn turn(&mut self) -> Parsed<(u32, u32)> {
        let start = self.at;
        let number = |p: &mut Self| {
            let number = p.unsigned()?;
            u32::try_from(number).or_else(|_| p.fail_at(start, "the number is too large", "branches have 32 bits"))
        };
        let branch = number(self)?;
        let side = match self.peek() {
            Some(letter) if letter.is_ascii_lowercase() => {
                self.at += 1;
                u32::from(letter - b'a')
            }
            _ => {
                self.expect(b"/", "the side of a branch is a letter, or /27;")?;
                let side = number(self)?;
                self.expect(b";", "a side by number ends in `;`")?;
                side
            }
        };
        Ok((branch, side))
    }

    // ---- Values ----

    fn value(&mut self, known: Reading, depth: usize) -> Parsed<Datum> {
        let start = self.at;
        if depth > MAX_DEPTH {
            return self.fail("values are nested too deeply", "at most 64 deep");
        }
        if let Some(target) = self.pointer()? {
            return Ok(Datum::Pointer(target));
        }
        if self.eat(b"{") {
            return Ok(Datum::Many(self.list(b"}", depth + 1)?));
        }
        if self.peek() == Some(b'_') {
            self.at += 1;
            return Ok(Datum::Any);
        }
        // The suffix, if there is one, says how to read what stands before it.
        let length = self.number_length();
        let mut reading = known;
        let after = Parser { line: self.line, at: start + length };
        let mut behind = after;
        let suffix = behind.eat(b":");
        if suffix {
            reading = behind.reading()?;
        }
        if reading == Reading::None {
            let help = "values are 3, 'a', 1.5, 0xff, null, &0, new, {…}, _; with :i32 where the header has no type";
            return self.fail_at(start, if length == 0 { "a value is missing" } else { "the value has no type" }, help);
        }
        let bits = self.number(reading)?;
        if suffix {
            if self.at != start + length {
                return self.fail("this is no part of a number", "write 3:i32");
            }
            self.at = behind.at;
        }
        Ok(Datum::Bits(bits))
    }

    fn list(&mut self, end: &[u8], depth: usize) -> Parsed<Vec<Datum>> {
        let mut list = Vec::new();
        loop {
            self.spaces();
            if self.eat(end) {
                return Ok(list);
            }
            if !list.is_empty() {
                self.expect(b",", "values are separated by commas")?;
                self.spaces();
            }
            list.push(self.value(Reading::None, depth)?);
        }
    }

    fn pointer(&mut self) -> Parsed<Option<Target>> {
        let start = self.at;
        if self.eat(b"&@") {
            let name = self.name()?;
            let offset = self.offset()?;
            return Ok(Some(Target::Symbol { name, offset }));
        }
        if self.eat(b"&") {
            let index = self.unsigned()?;
            let index =
                usize::try_from(index).or_else(|_| self.fail_at(start, "there is no such object", "write &0"))?;
            return Ok(Some(Target::Object { index, offset: self.offset()? }));
        }
        if self.eat(b"at ") {
            let at = self.at;
            let bits = self.number(Reading::Raw(64))?;
            if self.at == at {
                return self.fail("an address comes next", "write at 0x1000");
            }
            return Ok(Some(Target::Address(bits.low())));
        }
        Ok(match self.word() {
            b"null" => Some(Target::Null),
            b"new" => Some(Target::Own),
            _ => {
                self.at = start;
                None
            }
        })
    }

    fn offset(&mut self) -> Parsed<i64> {
        if !matches!(self.peek(), Some(b'+' | b'-')) || self.rest().starts_with(b"->") {
            return Ok(0);
        }
        let start = self.at;
        let offset = self.signed()?;
        i64::try_from(offset).or_else(|_| self.fail_at(start, "the distance is too large", "it has 64 bits"))
    }

    /// How many bytes from here on look like one number.
    fn number_length(&self) -> usize {
        match self.peek() {
            Some(b'\'') => {
                let escaped = self.rest().get(1) == Some(&b'\\');
                self.rest().len().min(if escaped { 4 } else { 3 })
            }
            _ => self
                .rest()
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
                .count(),
        }
    }

    fn number(&mut self, reading: Reading) -> Parsed<Bits> {
        let start = self.at;
        let width = reading.width();
        let text = &self.rest()[..self.number_length()];
        // Behind an address a dot may come, which is no part of it.
        let text = match text.strip_prefix(b"0x") {
            Some(digits) => &text[..2 + digits.iter().take_while(|digit| digit.is_ascii_hexdigit()).count()],
            None => text,
        };
        // `->` behind a value begins with a sign, too.
        let text = text.strip_suffix(b"-").unwrap_or(text);
        self.at += text.len();
        let word = std::str::from_utf8(text).unwrap_or_default();
        let help = format!("write a value of {width} bits");
        if text.is_empty() {
            return self.fail_at(start, "a number is missing", &help);
        }
        if let Some(digits) = word.strip_prefix("0x") {
            return match from_hex(digits, width) {
                Some(bits) => Ok(bits),
                None => self.fail_at(start, "this is no hexadecimal number that fits", &help),
            };
        }
        let value = match reading {
            Reading::Char(_) if text.starts_with(b"'") => match text {
                [b'\'', b'\\', c, b'\''] | [b'\'', c, b'\''] => Some(u128::from(*c)),
                _ => None,
            },
            Reading::Bool(_) if word == "true" => Some(1),
            Reading::Bool(_) if word == "false" => Some(0),
            Reading::Float(32) => word.parse::<f32>().ok().map(|value| u128::from(value.to_bits())),
            Reading::Float(64) => word.parse::<f64>().ok().map(|value| u128::from(value.to_bits())),
            Reading::Float(_) | Reading::Raw(_) | Reading::None => None,
            Reading::Signed(_) | Reading::Char(_) if word.starts_with('-') => negative(word, width),
            _ => word.parse::<u128>().ok(),
        };
        let fits = |value: &u128| {
            let signed = matches!(reading, Reading::Signed(_) | Reading::Char(_)) && !word.starts_with(['-', '\'']);
            let limit = width.saturating_sub(u32::from(signed && width > 1));
            limit >= 128 || *value >> limit == 0 || word.starts_with('-')
        };
        match value.filter(fits) {
            Some(value) => Ok(Bits::new(value, width)),
            None => self.fail_at(start, &format!("`{word}` is no value of this type"), &help),
        }
    }

    fn reading(&mut self) -> Parsed<Reading> {
        let start = self.at;
        let word = self.take_while(|byte| byte.is_ascii_alphanumeric());
        let word = std::str::from_utf8(word).unwrap_or_default();
        if word == "ptr" {
            return Ok(Reading::None);
        }
        let width =
            word.get(1..).and_then(|digits| digits.parse().ok()).filter(|width| (1..=MAX_WIDTH).contains(width));
        match (word.as_bytes().first(), width) {
            (Some(b'i'), Some(width)) => Ok(Reading::Signed(width)),
            (Some(b'u'), Some(width)) => Ok(Reading::Unsigned(width)),
            (Some(b'c'), Some(width)) => Ok(Reading::Char(width)),
            (Some(b'b'), Some(width)) => Ok(Reading::Bool(width)),
            (Some(b'f'), Some(width)) => Ok(Reading::Float(width)),
            (Some(b'x'), Some(width)) => Ok(Reading::Raw(width)),
            _ => self.fail_at(start, &format!("`{word}` is no type"), "types are i32, u8, c8, b1, f64, x80, ptr"),
        }
    }

    // ---- Tokens ----

    fn rest(&self) -> &'a [u8] {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn eat(&mut self, token: &[u8]) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &[u8], help: &str) -> Parsed<()> {
        if self.eat(token) {
            return Ok(());
        }
        self.fail(&format!("`{}` is missing", String::from_utf8_lossy(token)), help)
    }

    fn end(&self) -> Parsed<()> {
        if self.rest().is_empty() {
            Ok(())
        } else {
            self.fail("nothing may follow here", "remove the rest of the line")
        }
    }

    fn spaces(&mut self) {
        self.take_while(|byte| byte == b' ');
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a [u8] {
        let length = self.rest().iter().take_while(|byte| accept(**byte)).count();
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    fn word(&mut self) -> &'a [u8] {
        self.take_while(|byte| byte.is_ascii_alphabetic())
    }

    fn name(&mut self) -> Parsed<String> {
        if self.peek() == Some(b'"') {
            return self.quoted_text();
        }
        let name = self.take_while(is_plain);
        match std::str::from_utf8(name) {
            Ok(name) if !name.is_empty() => Ok(name.to_owned()),
            _ => self.fail("a name is missing", "write a name, in quotes if it has other than letters and digits"),
        }
    }

    fn unsigned(&mut self) -> Parsed<u128> {
        let start = self.at;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        number.map_or_else(|| self.fail_at(start, "a number is missing, or too large", "write a number"), Ok)
    }

    fn signed(&mut self) -> Parsed<i128> {
        let start = self.at;
        let negative = self.eat(b"-");
        if !negative {
            self.eat(b"+");
        }
        let number = i128::try_from(self.unsigned()?)
            .or_else(|_| self.fail_at(start, "the number is too large", "write a smaller number"))?;
        Ok(if negative { -number } else { number })
    }

    fn quoted_text(&mut self) -> Parsed<String> {
        let start = self.at;
        let bytes = self.quoted()?;
        String::from_utf8(bytes).or_else(|_| self.fail_at(start, "this text is no UTF-8", "write a name in UTF-8"))
    }

    fn quoted(&mut self) -> Parsed<Vec<u8>> {
        let start = self.at;
        self.expect(b"\"", "text stands in quotes")?;
        let mut bytes = Vec::new();
        loop {
            let plain = self.take_while(|byte| byte != b'"' && byte != b'\\');
            bytes.extend(plain);
            let escape = self.at;
            if self.eat(b"\"") {
                return Ok(bytes);
            }
            self.at += 1;
            match self.peek() {
                Some(b'n') => bytes.push(b'\n'),
                Some(b't') => bytes.push(b'\t'),
                Some(b'r') => bytes.push(b'\r'),
                Some(b'0') => bytes.push(0),
                Some(c @ (b'"' | b'\\')) => bytes.push(c),
                Some(b'x') => {
                    let digits = self.rest().get(1..3).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
                    let Some([high, low]) = digits else {
                        return self.fail_at(escape, "this escape is cut off", "write \\x and two digits");
                    };
                    bytes.push(hex_value(*high) << 4 | hex_value(*low));
                    self.at += 2;
                }
                Some(_) => {
                    return self.fail_at(
                        escape,
                        "there is no such escape",
                        "escapes are \\n \\t \\r \\0 \\\" \\\\ \\x1f",
                    );
                }
                None => {
                    self.at = self.line.len();
                    return self.fail_at(start, "the text does not end", "write a quote at its end");
                }
            }
            self.at += 1;
        }
    }

    fn fail<T>(&self, message: &str, help: &str) -> Parsed<T> {
        self.fail_at(self.at, message, help)
    }

    fn fail_at<T>(&self, at: usize, message: &str, help: &str) -> Parsed<T> {
        Err(Problem { at: at.min(self.line.len()), message: message.to_owned(), help: help.to_owned() })
    }
}

fn hex_value(digit: u8) -> u8 {
    char::from(digit).to_digit(16).unwrap_or(0) as u8
}

/// Two's complement of a number with a sign, if it fits.
fn negative(word: &str, width: u32) -> Option<u128> {
    let magnitude: u128 = word.strip_prefix('-')?.parse().ok()?;
    let limit = 1u128.checked_shl(width.checked_sub(1)?.min(127))?;
    (magnitude <= limit).then(|| magnitude.wrapping_neg())
}

fn from_hex(digits: &str, width: u32) -> Option<Bits> {
    let digits = digits.trim_start_matches('0');
    if digits.len() > (width as usize).div_ceil(4) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut words = Vec::new();
    let bytes = digits.as_bytes();
    for chunk in bytes.rchunks(16) {
        words.push(chunk.iter().fold(0u64, |word, digit| word << 4 | u64::from(hex_value(*digit))));
    }
    let bits = Bits::from_words(&words, width);
    // Nothing may be cut off.
    let whole = words.iter().enumerate().all(|(index, word)| bits.words.get(index).copied().unwrap_or(0) == *word);
    whole.then_some(bits)
}
