#![allow(unconditional_panic, internal_features, static_mut_refs)]
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU32, Ordering};
struct Noisy(&'static str);
impl Drop for Noisy { fn drop(&mut self) { println!("drop {}", self.0); } }
thread_local!(static TL: RefCell<Vec<i32>> = const { RefCell::new(Vec::new()) });
static COUNT: AtomicU32 = AtomicU32::new(3);
#[derive(Debug, Clone, PartialEq, PartialOrd)]
enum Shape { Circle(f64), Rect { w: u8, h: u128 }, Unit, Nested(Option<Box<Shape>>) }
fn deep(n: u32) -> u32 { let _g = Noisy(if n % 2 == 0 { "even" } else { "odd" }); if n == 0 { panic!("deep {}", n) } deep(n - 1) + 1 }
#[inline(never)] fn idx(v: &[i32], i: usize) -> i32 { v[i] }
#[inline(never)] fn add(a: u8, b: u8) -> u8 { a + b }
#[inline(never)] fn div(a: i64, b: i64) -> i64 { a / b }
fn caught(name: &str, f: impl FnOnce() -> u64) {
    match panic::catch_unwind(AssertUnwindSafe(f)) {
        Ok(x) => println!("{name}: ok {x}"),
        Err(e) => println!("{name}: {}", e.downcast_ref::<String>().map(|s| s.as_str()).or(e.downcast_ref::<&str>().copied()).unwrap_or("?")),
    }
}
#[unsafe(no_mangle)]
pub extern "C" fn run() {
    panic::set_hook(Box::new(|i| println!("hook {:?}", i.location().map(|l| l.line()))));
    caught("deep", || deep(3) as u64);
    caught("index", || idx(&[1, 2, 3], 7) as u64);
    caught("overflow", || add(200, 100) as u64);
    caught("div", || div(5, std::hint::black_box(0)) as u64);
    caught("unwrap", || None::<u64>.unwrap());
    caught("fine", || add(20, 10) as u64);
    caught("resume", || { let r = panic::catch_unwind(|| { panic::resume_unwind(Box::new("inner")) }); if let Err(e) = r { panic::resume_unwind(e) } 0 });
    let shapes = [Shape::Circle(f64::NAN), Shape::Rect { w: 3, h: u128::MAX / 7 }, Shape::Unit, Shape::Nested(Some(Box::new(Shape::Unit)))];
    for s in &shapes { println!("{s:?} {} {:?}", *s == s.clone(), s.partial_cmp(&Shape::Unit)); }
    let mut m = BTreeMap::new();
    for w in "the quick brown fox jumps over the lazy dog".split(' ') { *m.entry(w).or_insert(0u16) += 1; }
    println!("{m:?}");
    let h: Vec<_> = (0..4).map(|i| std::thread::spawn(move || { TL.with(|t| t.borrow_mut().push(i)); COUNT.fetch_add(i as u32, Ordering::SeqCst); TL.with(|t| t.borrow().len()) })).collect();
    println!("{:?} {}", h.into_iter().map(|t| t.join().unwrap()).collect::<Vec<_>>(), COUNT.load(Ordering::Relaxed));
    println!("{} {} {:?}", i128::MIN.wrapping_mul(3).rotate_left(7), u128::MAX.leading_zeros(), 7i32.checked_div_euclid(0));
    println!("{:?}", (1u8..=255).map(|x| x.reverse_bits() as u32).sum::<u32>());
    let t = std::thread::spawn(|| panic!("in thread")); println!("{}", t.join().is_err());
    let dynf: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x + 1), Box::new(move |x| x * 2)];
    println!("{}", dynf.iter().fold(5, |a, f| f(a)));
    println!("{:?} {:e} {}", f32::from_bits(1), 1.5e-310f64, (0.1f32 + 0.2f32).to_bits());
}
