//! The Rust runtime.

use crate::support::{Language, check, check_ends, remarks};

#[track_caller]
fn rust(body: &str) {
    let source = format!("extern \"C\" {{ fn out(x: u64); }}\nfn tell(x: u64) {{ unsafe {{ out(x) }} }}\n{body}");
    for flags in [&[][..], &["-O"]] {
        check(Language::Rust, &source, flags);
    }
}

#[test]
fn main_returns_or_exits() {
    rust("fn main() { tell(7); }");
    rust("fn main() { tell(7); std::process::exit(3); }");
    rust("fn main() -> std::process::ExitCode { std::process::ExitCode::from(9) }");
    rust("fn main() { std::process::abort() }");
}

#[test]
fn panics_end_the_program() {
    for body in [
        "let v = [1, 2, 3]; let i = std::hint::black_box(3); tell(v[i]);",
        "let v: Vec<u64> = Vec::new(); tell(v[0]);",
        "let x: Option<u64> = std::hint::black_box(None); tell(x.unwrap());",
        "let x: Result<u64, u8> = std::hint::black_box(Err(3)); tell(x.expect(\"no\"));",
        "let x = std::hint::black_box(0u64); tell(1 / x);",
        "let s = std::hint::black_box(\"a\u{e4}\"); tell(s[..2].len() as u64);",
        "assert_eq!(std::hint::black_box(1), 2, \"no {}\", 3);",
        "panic!(\"a {} b\", 3);",
        "let c = std::cell::RefCell::new(1); let _a = c.borrow_mut(); c.borrow();",
        "unreachable!();",
    ] {
        rust(&format!("fn main() {{ tell(1); {body} tell(2); }}"));
    }
}

#[test]
fn messages_of_panics() {
    let source = "pub fn f(a: u32, b: &[u8; 3]) -> u32 {
        match a { 0 => panic!(\"number {} of {:>4}\", 7, \"x\"), 1 => None.unwrap(), 2 => Err::<u32, ()>(()).expect(\"hm\"),
          3 => b[a as usize] as u32, 4 => { assert_eq!(a, 5); 1 } 5 => { assert!(a == 6, \"not six\"); 1 }
          6 => a / (a - 6), 7 => 250u8.checked_add(a as u8).expect(\"sum\") as u32 + (249u8 + a as u8) as u32, 8 => b[2..][..a as usize].len() as u32, 9 => panic!(), _ => 0 } }";
    let expect = [
        ("0", 1),
        ("Panic assertion `left == right` failed", 1),
        ("Panic attempt to divide by zero", 1),
        ("Panic called `Option::unwrap()` on a `None` value", 1),
        ("Panic explicit panic", 1),
        ("Panic hm", 1),
        ("Panic index out of bounds: the len is 3 but the index is ?", 1),
        ("Panic not six", 1),
        ("Panic number 7 of    x", 1),
    ];
    let seen = crate::support::ends(Language::Rust, source, "program::f", &[]);
    let seen: Vec<String> = seen.into_iter().map(|(end, count)| format!("{count} {end}")).collect();
    for (end, count) in expect {
        assert!(seen.contains(&format!("{count} {end}")), "{end}: {seen:#?}");
    }
}

#[test]
fn vectors_grow_and_strings_are_made() {
    rust("fn main() { let mut v = Vec::new(); for i in 0..100u8 { v.push(i); } tell(v.iter().map(|&x| x as u64).sum());
          let mut w = vec![0u32; 5]; w.extend([1, 2, 3]); w.insert(2, 9); w.remove(0); tell(w.len() as u64); tell(w.iter().sum::<u32>() as u64);
          let mut s = String::from(\"ab\"); s.push('c'); s.push_str(\"d\u{e4}\"); tell(s.len() as u64); let t = s.clone(); tell((t == s) as u64);
          for b in t.bytes() { tell(b as u64); } let b = Box::new([1u64, 2]); tell(b[1]); drop(b);
          let mut names = vec![String::from(\"x\"), String::from(\"yy\")]; names.push(String::new()); names.sort_by_key(|n| n.len()); tell(names[2].len() as u64);
          let n: Result<u32, _> = \"123\".parse::<u32>(); tell(n.unwrap() as u64); tell(\"1x\".parse::<i8>().is_err() as u64);
          tell(std::str::from_utf8(&[0x61, 0xc3, 0xa4]).is_ok() as u64); tell(std::str::from_utf8(&[0x61, 0xc3]).unwrap_err().valid_up_to() as u64);
          tell(\"hello\".find('l').unwrap() as u64); tell(\"a,b,c\".split(',').count() as u64); }");
}

#[test]
fn copies_between_objects_do_not_depend_on_where_they_lie() {
    let source = "pub fn f(a: u8) -> u8 { let s = [a, 1, 2]; let mut d = [0u8; 3];
        unsafe { std::ptr::copy_nonoverlapping(s.as_ptr(), d.as_mut_ptr(), 3) }; if d[0] > 3 { d[1] } else { d[2] } }";
    check_ends(Language::Rust, source, "program::f", &[("1", 1), ("2", 1)]);
    assert_eq!(remarks(source, "program::f"), []);
}

#[test]
fn text_is_formatted() {
    rust("fn main() { println!(\"hello {} {:?}\", 1 + 2, \"q\"); println!(\"{:5}|{:<5}|{:^5}|{:>5}|{:05}|{:+}\", 42, 42, 42, 42, -42, 42);
          println!(\"{:x} {:#X} {:08b} {:o}\", 255u8, 255u16, 5u32, 8u64); println!(\"{} {} {}\", 'c', true, String::from(\"s\"));
          println!(\"{:?} {:?}\", 'c', Some(1).is_some()); println!(\"{0} {1} {0}\", i64::MIN, u128::MAX); println!(\"{:.2} {} {}\", 1.2345f64, 0.1f32, 1e21);
          println!(\"{:-^9}|{:.2}\", \"ab\", \"xyz\"); let s = format!(\"{}-{}\", 12, \"ab\"); println!(\"{s} {}\", s.len()); println!(); print!(\"end\\n\"); }");
}

#[test]
fn unknown_numbers_are_formatted_by_their_digits() {
    let source = "pub fn f(x: u8) -> usize { let s = format!(\"{x}!\"); s.len() } pub fn g(x: i8) -> bool { format!(\"{x}\").len() == 4 }";
    check_ends(Language::Rust, source, "program::f", &[("2", 1), ("3", 1), ("4", 1)]);
    check_ends(Language::Rust, source, "program::g", &[("-1", 1), ("0", 5)]);
}
