//! A suite on its way: written, replayed, reported.

use compare::replay::{Limits, Options, Placement, replay_suite};
use compare::suite::{Reading, Test, Writer, show, signature};
use exec::case::{CallResult, Datum, End, FaultKind, Input};

use crate::lab::{Lab, int, limits, memory, object};

const SOURCE: &str = r#"
    #include <stdio.h>
    int ask(int);
    struct point { short x; short y; };
    static int count;
    unsigned scale(char *text, unsigned char n, const short *list, _Bool loud, enum { RED, GREEN } colour) {
        unsigned sum = 0;
        for (int i = 0; i < n; i++) sum += list[i];
        if (loud) { printf("sum %u\n", sum); count++; }
        if (colour == GREEN) sum += ask(sum);
        text[0] = 'X';
        return sum;
    }
    int other(int x) { return x; }"#;

fn case(n: i128, length: usize, loud: i128) -> Input {
    Input {
        args: vec![object(0), int(n, 8), object(1), int(loud, 1), int(1, 32)],
        objects: vec![
            memory("text", b"ab\0"),
            exec::case::Memory { align: 2, ..memory("list", &[5, 0, 255, 255, 7, 0][..length]) },
        ],
        results: vec![CallResult {
            function: "ask".into(),
            name: String::new(),
            result: int(100, 32),
            writes: Vec::new(),
        }],
        ..Input::default()
    }
}

#[test]
fn what_was_seen_once_is_expected_and_seen_again() {
    let lab = Lab::new();
    let module = lab.module("t.c", SOURCE);
    let entry = compare::find::functions(&module, "scale").unwrap()[0];
    let header = signature::header(&module, entry);
    let names: Vec<(&str, Reading)> = header.params.iter().map(|(name, reading)| (name.as_str(), *reading)).collect();
    let expect = [
        ("text", Reading::None),
        ("n", Reading::Unsigned(8)),
        ("list", Reading::None),
        ("loud", Reading::Bool(1)),
        ("colour", Reading::Unsigned(32)),
    ];
    assert_eq!((&*names, header.result), (&expect[..], Reading::Unsigned(32)));
    let driver = lab.driver(&module, "scale", &Options::default());
    let inputs = [case(3, 6, 1), case(0, 2, 0), case(2, 4, 1)];
    let seen = driver.run(&inputs, Placement::Aligned, &limits()).unwrap();
    let mut tests: Vec<Test> = inputs
        .into_iter()
        .zip(seen)
        .map(|(input, seen)| Test { input, outcome: seen.outcome, turns: seen.turns })
        .collect();
    assert_eq!(
        show::test(&header, &tests[0]),
        "text=&0 n=3 list=&1 loud=true colour=1 &0:text=\"ab\\0\" &1:list%2=i16(5 -1 7) ask()=100:i32 -> 111 \
         &0=\"Xb\\0\" @count=#01000000 out=\"sum 11\\n\" ask(11:i32) | (scale:0a)*3 0b1a2a"
    );
    // One that reads too far, which only a guarded run shows.
    let mut fault = tests[1].clone();
    fault.input = case(4, 6, 0);
    fault.outcome = exec::case::Outcome {
        end: End::Fault(FaultKind::OutOfBounds),
        result: Datum::Any,
        objects: Vec::new(),
        calls: Vec::new(),
        ..fault.outcome
    };
    fault.turns = vec![exec::case::Turn { function: "scale".into(), branch: 0, side: 0 }; 4];
    tests.push(fault);
    let write = |tests: &[Test]| {
        let dir = lab.dir.path().join("suite");
        let mut writer = Writer::create(&dir, header.clone()).unwrap();
        tests.iter().for_each(|test| writer.push(test).unwrap());
        writer.finish().unwrap();
        dir
    };
    let suite = write(&tests);
    let replay = |module| replay_suite(&suite, module, &Options::default(), &limits(), &lab.env).unwrap();
    let report = replay(&module);
    assert_eq!((report.tests, report.agreed, report.same_program), (4, 4, true), "{report:#?}");
    // What differs is told.
    tests[1].outcome.result = int(7, 32);
    tests[2].turns[0].side = 1;
    write(&tests);
    let report = replay(&module);
    let found: Vec<_> = report.disagreements.iter().map(|d| (d.test, &*d.part, &*d.expected, &*d.seen)).collect();
    assert_eq!(
        found,
        [(2, "result", "7:i32", "100:i32"), (3, "turn 1", "scale branch 0 side 1", "scale branch 0 side 0"),]
    );
    assert!(report::json(&report).unwrap().contains("\"agreed\": 2"));
    assert!(report::replay::write(&report).contains("2 of 4 tests of `scale` did what was expected"));
    // Another program.
    let changed = lab.module("t.c", &SOURCE.replace("'X'", "'Y'"));
    let report = replay(&changed);
    assert_eq!((report.agreed, report.same_program), (1, false), "{report:#?}");
    let gone = lab.module("t.c", "int scald(int x) { return x; }");
    let error = replay_suite(&suite, &gone, &Options::default(), &limits(), &lab.env).unwrap_err();
    assert_eq!(error.to_string(), "no function `scale`");
}

#[test]
fn many_tests_replay_quickly() {
    let lab = Lab::new();
    let module = lab.module("t.c", "int f(int x) { if (x % 3 == 0) return x / 3; return x * 2; }");
    let entry = compare::find::functions(&module, "f").unwrap()[0];
    let header = signature::header(&module, entry);
    let count = if std::env::var_os("PATHSHIFT_FULL").is_some() { 100_000 } else { 4_000 };
    let inputs: Vec<Input> = (0..count).map(|x| Input { args: vec![int(x, 32)], ..Input::default() }).collect();
    let driver = lab.driver(&module, "f", &Options::default());
    let limits = Limits { jobs: 2, ..limits() };
    let start = std::time::Instant::now();
    let seen = driver.run(&inputs, Placement::Aligned, &limits).unwrap();
    let took = start.elapsed();
    for (x, seen) in (0..).zip(&seen) {
        assert_eq!(seen.outcome.result, int(if x % 3 == 0 { x / 3 } else { x * 2 }, 32));
    }
    assert!(took < std::time::Duration::from_secs(120), "{count} cases in {took:?}");
    let dir = lab.dir.path().join("suite");
    let mut writer = Writer::create(&dir, header).unwrap();
    for (input, seen) in inputs.into_iter().zip(seen) {
        writer.push(&Test { input, outcome: seen.outcome, turns: seen.turns }).unwrap();
    }
    writer.finish().unwrap();
    let report = replay_suite(&dir, &module, &Options::default(), &limits, &lab.env).unwrap();
    assert_eq!((report.tests, report.agreed), (count as u64, count as u64));
}
