//! Suites are read as they were written, and say what is wrong with them.

use compare::suite::{FILE, Header, Reading, Test, Tests, Writer};
use exec::case::{CallResult, Datum, End, FaultKind, Input, Memory, Outcome, OutsideCall, Target, Turn, Written};
use smt::bits::Bits;

use crate::lab::{int, memory, object};

fn header() -> Header {
    Header {
        entry: "scale".into(),
        program: "00ff".into(),
        params: vec![("x".into(), Reading::Signed(32)), ("c".into(), Reading::Char(8)), ("p".into(), Reading::None)],
        result: Reading::Float(64),
        elements: vec![("list".into(), Reading::Signed(16))],
        bounds: vec!["--string=2".into()],
    }
}

fn outcome(end: End, result: Datum) -> Outcome {
    Outcome {
        end,
        result,
        objects: Vec::new(),
        globals: Vec::new(),
        stdout: Vec::new(),
        stderr: Vec::new(),
        calls: Vec::new(),
    }
}

/// Writes tests and reads them again; the lines between.
fn round_trip(header: &Header, tests: &[Test]) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(dir.path(), header.clone()).unwrap();
    tests.iter().for_each(|test| writer.push(test).unwrap());
    writer.finish().unwrap();
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    let text = std::fs::read_to_string(dir.path().join(FILE)).unwrap();
    let lines: Vec<String> = text.lines().skip_while(|line| *line != "--").skip(1).map(str::to_owned).collect();
    let read = Tests::open(dir.path()).unwrap();
    assert_eq!(read.header, *header);
    for ((read, test), line) in read.zip(tests).zip(&lines) {
        match read {
            Ok(read) => assert_eq!(&read, test, "{line}"),
            Err(error) => panic!("{error} in {line}"),
        }
    }
    assert_eq!(lines.len(), tests.len());
    lines
}

#[test]
fn lines_read_as_people_would_write_them() {
    let check = |test: Test, expect: &str| assert_eq!(round_trip(&header(), &[test]), [expect]);
    let value = |value: f64| Datum::Bits(Bits::new(u128::from(value.to_bits()), 64));
    let null = Datum::Pointer(Target::Null);
    let simple = Input { args: vec![int(-3, 32), int(97, 8), null], ..Input::default() };
    check(
        Test { input: simple.clone(), outcome: outcome(End::Returned, value(1.5)), turns: Vec::new() },
        "x=-3 c='a' p=null -> 1.5",
    );
    let mut after = memory("buf", b"aXc\0");
    after.align = 1;
    let turn = |function: &str, branch, side| Turn { function: function.into(), branch, side };
    let mut turns = vec![turn("scale", 0, 0)];
    (0..4).for_each(|_| turns.extend([turn("g", 1, 1), turn("scale", 2, 30)]));
    turns.push(turn("scale", 1, 0));
    check(
        Test {
            input: Input {
                args: vec![int(3, 32), int(-1, 8), object(0)],
                objects: vec![memory("buf", b"abc\0"), Memory { align: 8, ..memory("list", &[1, 0, 254, 255]) }],
                globals: vec![("count".into(), memory("", &[0; 20]))],
                results: vec![CallResult {
                    function: "ask".into(),
                    name: String::new(),
                    result: int(10, 32),
                    writes: Vec::new(),
                }],
                ..Input::default()
            },
            outcome: Outcome {
                objects: vec![after, Memory { align: 8, ..memory("list", &[1, 0, 254, 255]) }],
                stdout: b"bad \"\xff\n".to_vec(),
                calls: vec![OutsideCall { function: "ask".into(), args: vec![int(2, 32), object(1)], given: vec![] }],
                ..outcome(End::Returned, value(-0.0))
            },
            turns,
        },
        "x=3 c=-1 p=&0 &0:buf=\"abc\\0\" &1:list%8=i16(1 -2) @count:\"\"=0*20 ask()=10:i32 -> -0.0 &0=\"aXc\\0\" \
         out=\"bad \\\"\\xff\\n\" ask(2:i32, &1) | scale:0a(g:1b scale:2/30;)*4 1a",
    );
    check(
        Test {
            input: simple,
            outcome: outcome(End::Fault(FaultKind::OutOfBounds), Datum::Any),
            turns: vec![turn("scale", 0, 1)],
        },
        "x=-3 c='a' p=null -> fault out-of-bounds | scale:0b",
    );
    let program = Input {
        argv: vec![b"p".to_vec(), b"".to_vec()],
        stdin: b"x\n".to_vec(),
        files: vec![("a b".into(), b"1".to_vec())],
        ..Input::default()
    };
    let done = Test { input: program, outcome: outcome(End::Exited(-3), Datum::Any), turns: Vec::new() };
    let lines = round_trip(&Header { params: Vec::new(), ..header() }, &[done]);
    assert_eq!(lines, [" argv[\"p\" \"\"] stdin=\"x\\n\" file(\"a b\")=\"1\" -> exit -3".trim_start()]);
}

/// Random numbers without any state but their own.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let x = self.0 ^ self.0 >> 29;
        x.wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn bytes(&mut self) -> Vec<u8> {
        let kind = self.below(4);
        let length = self.below(30) as usize;
        (0..length)
            .map(|_| match kind {
                0 => self.below(256) as u8,
                1 => b' ' + self.below(95) as u8,
                2 => [0, 0, 0, 1, b'"', b'\\', b'\n', 0xc3, 0xa4][self.below(9) as usize],
                _ => 0,
            })
            .collect()
    }

    fn name(&mut self) -> String {
        ["x", "args", "_ZN4core3fmtE", "a b", "->", "", "*p->q", "null", "\"", "9", "new", "ä", "out", "argv", "file"]
            [self.below(15) as usize]
            .to_owned()
    }

    fn bits(&mut self, width: u32) -> Bits {
        let words: Vec<u64> = (0..width.div_ceil(64))
            .map(|_| match self.below(3) {
                0 => self.below(200),
                1 => u64::MAX - self.below(3),
                _ => self.next() << 20 ^ self.next(),
            })
            .collect();
        Bits::from_words(&words, width)
    }

    fn target(&mut self) -> Target {
        let offset = [0, 4, -8, i64::MIN, i64::MAX][self.below(5) as usize];
        match self.below(5) {
            0 => Target::Null,
            1 => Target::Object { index: self.below(3) as usize, offset },
            2 => Target::Symbol { name: self.name(), offset },
            3 => Target::Own,
            _ => Target::Address(self.next()),
        }
    }

    fn datum(&mut self, known: Reading, depth: u32) -> Datum {
        match self.below(if depth > 3 { 3 } else { 5 }) {
            0 => Datum::Pointer(self.target()),
            1 if known.width() > 0 => Datum::Bits(self.bits(known.width())),
            1 | 2 => {
                let width = [1, 7, 8, 32, 64, 80, 128, 129, 300][self.below(9) as usize];
                Datum::Bits(self.bits(width))
            }
            3 => Datum::Many((0..self.below(4)).map(|_| self.datum(Reading::None, depth + 1)).collect()),
            _ => Datum::Any,
        }
    }

    fn memory(&mut self) -> Memory {
        let mut bytes = self.bytes();
        let mut pointers = Vec::new();
        let mut at = self.below(9) as usize;
        while at + 8 <= bytes.len() && self.below(2) == 0 {
            bytes[at..at + 8].fill(0);
            pointers.push((at as u64, self.target()));
            at += 8 + self.below(5) as usize;
        }
        let (start, left) = (pointers.last().map_or(0, |(at, _)| at + 8), bytes.len() as u64);
        let any = match left.saturating_sub(start) {
            room @ 2.. if self.below(3) == 0 => {
                let (start, count) = (start + room / 2, room - room / 2);
                bytes[start as usize..].fill(0);
                vec![(start, count)]
            }
            _ => Vec::new(),
        };
        Memory { name: self.name(), bytes, pointers, any, align: 1 << self.below(5) }
    }

    fn list<T>(&mut self, most: u64, mut make: impl FnMut(&mut Random) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    fn reading(&mut self) -> Reading {
        let width = [1, 8, 16, 32, 64, 80, 128, 200][self.below(8) as usize];
        [
            Reading::None,
            Reading::Signed(width),
            Reading::Unsigned(width),
            Reading::Char(width),
            Reading::Bool(width),
            Reading::Float(width),
            Reading::Raw(width),
        ][self.below(7) as usize]
    }

    fn header(&mut self) -> Header {
        Header {
            entry: self.name(),
            program: self.name(),
            params: self.list(3, |r| (r.name(), r.reading())),
            result: self.reading(),
            elements: self.list(3, |r| (r.name(), r.reading())),
            bounds: self.list(2, |r| r.name()),
        }
    }

    fn test(&mut self, header: &Header) -> Test {
        let args = if self.below(9) == 0 {
            self.list(3, |r| r.datum(Reading::None, 0))
        } else {
            header.params.iter().map(|(_, reading)| self.datum(*reading, 0)).collect()
        };
        let input = Input {
            elsewhere: Vec::new(),
            args,
            objects: self.list(3, Random::memory),
            globals: self.list(2, |r| (r.name(), r.memory())),
            argv: self.list(2, Random::bytes),
            stdin: self.bytes(),
            files: self.list(2, |r| (r.name(), r.bytes())),
            results: self.list(2, |r| CallResult {
                function: r.name(),
                name: if r.below(2) == 0 { String::new() } else { r.name() },
                result: r.datum(Reading::None, 0),
                writes: r.list(2, |r| Written {
                    argument: r.below(9) as u32,
                    distance: r.below(50) as i64 - 25,
                    memory: r.memory(),
                }),
            }),
        };
        let end = match self.below(6) {
            0..=2 => End::Returned,
            3 => End::Exited(self.next() as i32),
            4 => End::Fault(FaultKind::Panic),
            _ => End::Bound(self.name().as_str().into()),
        };
        let mut objects = if end == End::Returned { input.objects.clone() } else { Vec::new() };
        if self.below(3) == 0 {
            objects = self.list(4, Random::memory);
        } else if let Some(object) = objects.first_mut() {
            object.bytes = self.bytes();
            object.pointers.clear();
            object.any.clear();
        }
        let outcome = Outcome {
            end,
            result: self.datum(header.result, 0),
            objects,
            globals: self.list(2, |r| (r.name(), r.memory())),
            stdout: self.bytes(),
            stderr: self.bytes(),
            calls: self.list(2, |r| OutsideCall {
                function: r.name(),
                args: r.list(3, |r| r.datum(Reading::None, 0)),
                given: vec![],
            }),
        };
        let kinds = 1 + self.below(3);
        let turns = self.list(40, |r| Turn {
            function: ["f", "g h", "f"][r.below(kinds) as usize].into(),
            branch: r.below(2) as u32,
            side: [0, 1, 25, 26][r.below(kinds + 1) as usize],
        });
        Test { input, outcome, turns }
    }
}

#[test]
fn random_tests_are_read_as_they_were_written() {
    let mut random = Random(7);
    let rounds = if std::env::var_os("PATHSHIFT_FULL").is_some() { 2000 } else { 60 };
    for _ in 0..rounds {
        let header = random.header();
        let tests: Vec<Test> = (0..20).map(|_| random.test(&header)).collect();
        round_trip(&header, &tests);
    }
}

#[test]
fn broken_lines_say_where_and_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(FILE);
    let error = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let error = match Tests::open(dir.path()) {
            Ok(tests) => tests.filter_map(Result::err).next(),
            Err(error) => Some(error),
        };
        let error = error.unwrap_or_else(|| panic!("nothing is wrong with {text}"));
        assert!(error.help().is_some_and(|help| !help.is_empty()), "{text}");
        error.to_string().replace(&format!("{}/", dir.path().display()), "")
    };
    let check = |line: &str, expect: &str| {
        let head = "pathshift suite 1\nentry f\nprogram 0\nparam x i8\nparam p ptr\nresult i32\n--\n";
        assert_eq!(error(&format!("{head}x=1 p=null -> 2\n{line}\n")), format!("tests.txt:9:{expect}"), "{line}");
    };
    assert_eq!(error(""), "tests.txt:1:1: this is no suite");
    assert_eq!(error("pathshift suite 1\nentry f\n"), "tests.txt:3:1: the header does not end");
    assert_eq!(error("pathshift suite 1\ncolour x\n--\n"), "tests.txt:2:1: this is no line of a header");
    assert_eq!(error("pathshift suite 1\nparam x int\n--\n"), "tests.txt:2:9: `int` is no type");
    check("y=1 p=null -> 2", "1: the next parameter is `x`, not `y`");
    check("x=300 p=null -> 2", "3: `300` is no value of this type");
    check("x=-129 p=null -> 2", "3: `-129` is no value of this type");
    check("x=1 p=3 -> 2", "7: the value has no type");
    check("x=1", "4: a name is missing");
    check("x=1 p=null", "11: the line ends in its input");
    check("x=1 p=null &1=\"\" -> 2", "12: the next object is &0");
    check("x=1 p=&0 &0=\"ab -> 2", "13: the text does not end");
    check("x=1 p=&0 &0=\"\\q\" -> 2", "14: there is no such escape");
    check("x=1 p=&0 &0=#123 -> 2", "13: a byte has two hexadecimal digits");
    check("x=1 p=&0 &0=0*99999999999999 -> 2", "13: the object is too large");
    check("x=1 p=null -> fault boom", "21: there is no such fault");
    check("x=1 p=null -> 2 &0=\"\"", "17: there is no such object");
    check("x=1 p=null -> 2 | 0a", "19: a function comes first");
    check("x=1 p=null -> 2 | f:0a(1b", "26: the group does not end");
    check("x=1 p=null -> 2 | f:(1b)*0", "24: there are no such rounds");
    check("x=1 p=null -> 2 f(1)", "19: the value has no type");
    check(
        "x=1 p={{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{ -> 2",
        "72: values are nested too deeply",
    );
}

#[test]
fn cut_and_changed_lines_never_break_the_reader() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(3);
    let header = random.header();
    let mut writer = Writer::create(dir.path(), header.clone()).unwrap();
    for _ in 0..20 {
        writer.push(&random.test(&header)).unwrap();
    }
    writer.finish().unwrap();
    let text = std::fs::read(dir.path().join(FILE)).unwrap();
    for _ in 0..300 {
        let mut changed = text.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(changed.len() as u64) as usize;
            match random.below(3) {
                0 => changed.truncate(at.max(1)),
                1 => changed[at] = random.below(256) as u8,
                _ => changed.insert(at, b"\"&@:*0(->|{}%="[random.below(13) as usize]),
            }
        }
        let path = dir.path().join("changed");
        std::fs::write(&path, &changed).unwrap();
        if let Ok(tests) = Tests::open(&path) {
            tests.for_each(drop);
        }
    }
}
