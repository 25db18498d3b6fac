//! Tests from text; the form is described at the module above. Whatever is wrong has a column and a help.

use evidence::Limit;
use exec::case::{CallResult, Datum, End, Input, Memory, Outcome, OutsideCall, Turn, Written};

use super::text::{FAULTS, objects_before};
use super::values::{Parsed, Parser, Problem, hex_value};
use super::{Header, Reading, Test};

/// Most bytes that one run of zeros, or one object, can have.
const MAX_BYTES: u64 = 1 << 28;
/// Most turns of one test.
const MAX_TURNS: usize = 1 << 24;

/// Reads one line of a header.
pub fn header_line(line: &[u8], header: &mut Header) -> Parsed<()> {
    let mut p = Parser { line, at: 0 };
    let start = p.at;
    let key = p.word();
    match key {
        b"entry" | b"program" | b"with" => {
            p.expect(b" ", "a name comes next")?;
            let name = p.name()?;
            match key {
                b"entry" => header.entry = name,
                b"program" => header.program = name,
                _ => header.bounds.push(name),
            }
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
            let help = "a header has the lines entry, program, param, result, elements, with, and `--` at its end";
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

impl Parser<'_> {
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
        } else if self.eat(b"^") {
            let argument = u32::try_from(self.unsigned()?).unwrap_or(u32::MAX);
            let distance = match self.peek() {
                Some(b'+') => {
                    self.at += 1;
                    self.signed()?
                }
                Some(b'-') => self.signed()?,
                _ => 0,
            };
            let Ok(distance) = i64::try_from(distance) else {
                return self.fail_at(start, "that is too far", "a distance has 64 bits");
            };
            let memory = self.named_memory(None, "")?;
            let Some(call) = input.results.last_mut() else {
                return self.fail_at(start, "nobody wrote this", "what a function writes comes behind function()=…");
            };
            call.writes.push(Written { argument, distance, memory });
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
            let help =
                "inputs are &0=…, @global=…, argv[…], stdin=…, file(…)=…, function()=…, ^0=… behind it, then `->`";
            if self.rest().is_empty() {
                return self.fail("the line ends in its input", help);
            }
            let function = self.name().map_err(|problem| Problem { help: help.to_owned(), ..problem })?;
            if !self.eat(b"(") {
                return self.fail_at(start, "this is no part of an input", help);
            }
            let name = if self.eat(b":") { self.name()? } else { String::new() };
            self.expect(b")=", help)?;
            let result = self.value(Reading::None, 0)?;
            input.results.push(CallResult { function, name, result, writes: Vec::new() });
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
            b"bound" | b"unsupported" | b"refused" => {
                self.expect(b" ", "a reason in quotes comes next")?;
                let what = self.quoted_text()?;
                match word {
                    b"bound" => End::Bound(Limit::parse(&what)),
                    b"refused" => End::Refused(what),
                    _ => End::Unsupported(what),
                }
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
                outcome.calls.push(OutsideCall { function, args, given: Vec::new() });
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
                return self.fail("the object is too large", "an object has at most 256 MiB");
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
            Some(first @ (b'0' | b'?')) => {
                match first {
                    b'0' => self.expect(b"0*", "zeros are written 0*97")?,
                    _ => self.expect(b"?*", "bytes that may be anything are written ?*4")?,
                }
                let count = self.unsigned()?;
                let room = u128::from(MAX_BYTES).saturating_sub(memory.bytes.len() as u128);
                if count > room {
                    return self.fail_at(start, "the object is too large", "an object has at most 256 MiB");
                }
                if first == b'?' {
                    memory.any.push((memory.bytes.len() as u64, count as u64));
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
                let help = "contents are \"text\", #00ff, 0*97, ?*4, i32(1 -2), &1, joined by `,`";
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
        let mut function: Option<std::sync::Arc<str>> = None;
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
                    function = Some(self.name()?.into());
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
}
