//! Levels, models, arrays, functions, limits, threads, and what happens to those who ask for nonsense.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::operation::{Random, constant};
use bitwuzla::{Answer, Error, Kind, Limits, MAX_WIDTH, Options, RoundingMode, Solver, Sort, Term, TermManager};

const BYTE: Sort = Sort::BitVec(8);
const WORD: Sort = Sort::BitVec(32);
const FOREVER: Limits = Limits { time: None, steps: None, stop: None };

#[test]
fn levels_take_their_assertions_with_them() {
    let (terms, mut solver) = new();
    let x = terms.symbol(&WORD, "x").unwrap();
    let below = |limit| terms.term(Kind::BvUlt, &[&x, &terms.bv_value(32, limit).unwrap()]).unwrap();
    solver.assert(&below(10)).unwrap();
    assert_eq!(solver.check(&FOREVER), Ok(Answer::Sat));
    solver.push().unwrap();
    solver.assert(&not(&terms, &below(10))).unwrap();
    assert_eq!((solver.check(&FOREVER), solver.level()), (Ok(Answer::Unsat), 1));
    solver.push().unwrap();
    assert_eq!((solver.check(&FOREVER), solver.level()), (Ok(Answer::Unsat), 2));
    solver.pop().unwrap();
    solver.pop().unwrap();
    assert_eq!((solver.check(&FOREVER), solver.level()), (Ok(Answer::Sat), 0));
    assert!(solver.value_u64(&x).unwrap() < 10);
    assert_eq!(solver.pop(), Err(Error::NothingPushed));
}

#[test]
fn assumptions_hold_for_one_check() {
    let (terms, mut solver) = new();
    let x = terms.symbol(&Sort::Bool, "x").unwrap();
    let not_x = not(&terms, &x);
    solver.assert(&x).unwrap();
    assert_eq!(solver.check_assuming(&[&not_x], &FOREVER), Ok(Answer::Unsat));
    assert_eq!(solver.check_assuming(&[&x, &x], &FOREVER), Ok(Answer::Sat));
    assert_eq!(solver.value_u64(&not_x), Ok(0));
    assert_eq!(solver.check(&FOREVER), Ok(Answer::Sat));
}

#[test]
fn a_model_ends_with_the_next_change() {
    let (terms, mut solver) = new();
    let x = terms.symbol(&BYTE, "x").unwrap();
    assert_eq!(solver.value(&x), Err(Error::NoModel));
    solver.check(&FOREVER).unwrap();
    solver.value(&x).unwrap();
    solver.push().unwrap();
    assert_eq!(solver.value(&x), Err(Error::NoModel));
    solver.check(&FOREVER).unwrap();
    solver.assert(&terms.bool_value(false).unwrap()).unwrap();
    assert_eq!(solver.value(&x), Err(Error::NoModel));
    assert_eq!(solver.check(&FOREVER), Ok(Answer::Unsat));
    assert_eq!(solver.value(&x), Err(Error::NoModel));

    let mut without = Solver::new(&terms, Options { models: false, ..Options::default() }).unwrap();
    assert_eq!(without.check(&FOREVER), Ok(Answer::Sat));
    assert_eq!(without.value(&x), Err(Error::NoModel));
}

#[test]
fn wide_values_have_words() {
    let (terms, mut solver) = new();
    for (width, words) in [
        (1, vec![1]),
        (64, vec![u64::MAX]),
        (65, vec![3, 1]),
        (130, vec![5, 6, 3]),
        (1000, (0..16).map(|at| at * 1_000_003 % 777).collect()),
    ] {
        let x = terms.symbol(&Sort::BitVec(width), "x").unwrap();
        let value = terms.wide_value(width, &words).unwrap();
        let equal = terms.term(Kind::Equal, &[&x, &value]).unwrap();
        assert_eq!(solver.check_assuming(&[&equal], &FOREVER), Ok(Answer::Sat));
        assert_eq!(solver.value(&x), Ok(words));
        assert_eq!(solver.value_u64(&x).is_ok(), width <= 64);
    }
}

#[test]
fn arrays() {
    let (terms, mut solver) = new();
    let sort = Sort::Array(Box::new(WORD), Box::new(BYTE));
    let memory = terms.symbol(&sort, "memory").unwrap();
    let [i, j] = ["i", "j"].map(|name| terms.symbol(&WORD, name).unwrap());
    let select = |array: &Term, at: &Term| terms.term(Kind::Select, &[array, at]).unwrap();
    let equal = |a: &Term, b: &Term| terms.term(Kind::Equal, &[a, b]).unwrap();
    let seven = terms.bv_value(8, 7).unwrap();

    let written = terms.term(Kind::Store, &[&memory, &i, &seven]).unwrap();
    solver.assert(&equal(&select(&written, &j), &terms.bv_value(8, 9).unwrap())).unwrap();
    assert_eq!(solver.check_assuming(&[&equal(&i, &j)], &FOREVER), Ok(Answer::Unsat));
    assert_eq!(solver.check(&FOREVER), Ok(Answer::Sat));
    assert_ne!(solver.value(&i), solver.value(&j));
    assert_eq!(solver.value_u64(&select(&memory, &j)), Ok(9));
    assert_eq!(solver.value_u64(&select(&written, &i)), Ok(7));

    let zeros = terms.const_array(&sort, &terms.bv_value(8, 0).unwrap()).unwrap();
    assert_eq!(solver.check_assuming(&[&equal(&select(&zeros, &i), &seven)], &FOREVER), Ok(Answer::Unsat));
    let one_seven = terms.term(Kind::Store, &[&zeros, &i, &seven]).unwrap();
    let k = terms.symbol(&WORD, "k").unwrap();
    assert_eq!(solver.check_assuming(&[&equal(&select(&one_seven, &k), &seven)], &FOREVER), Ok(Answer::Sat));
    assert_eq!(solver.value(&i), solver.value(&k));
    // Beyond Bitwuzla, which says so.
    assert_eq!(solver.check_assuming(&[&equal(&written, &zeros)], &FOREVER), Ok(Answer::Unknown));
}

#[test]
fn arrays_of_every_sort() {
    let array = |element| Sort::Array(Box::new(BYTE), Box::new(element));
    for element in [Sort::Bool, Sort::BitVec(100), Sort::F32, Sort::RoundingMode, array(WORD), array(array(Sort::F64))]
    {
        let (terms, mut solver) = new();
        let [a, b] = ["a", "b"].map(|name| terms.symbol(&array(element.clone()), name).unwrap());
        let i = terms.symbol(&BYTE, "i").unwrap();
        let [x, y] = [&a, &b].map(|array| terms.term(Kind::Select, &[array, &i]).unwrap());
        let differ = terms.term(Kind::Distinct, &[&x, &y]).unwrap();
        solver.assert(&differ).unwrap();
        assert_eq!(solver.check(&FOREVER), Ok(Answer::Sat), "{element:?}");
        solver.assert(&terms.term(Kind::Equal, &[&a, &b]).unwrap()).unwrap();
        assert_eq!(solver.check(&FOREVER), Ok(Answer::Unsat), "{element:?}");
    }
}

#[test]
fn functions() {
    let (terms, mut solver) = new();
    let sort = Sort::Function(vec![WORD, Sort::F64, Sort::Bool], Box::new(BYTE));
    let f = terms.symbol(&sort, "f").unwrap();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(&WORD, name).unwrap());
    let float = terms.symbol(&Sort::F64, "float").unwrap();
    let truth = terms.bool_value(true).unwrap();
    let [of_x, of_y] = [&x, &y].map(|arg| terms.term(Kind::Apply, &[&f, arg, &float, &truth]).unwrap());
    solver.assert(&terms.term(Kind::Distinct, &[&of_x, &of_y]).unwrap()).unwrap();
    assert_eq!(solver.check(&FOREVER), Ok(Answer::Sat));
    assert_ne!(solver.value(&x), solver.value(&y));
    assert_ne!(solver.value(&of_x), solver.value(&of_y));
    solver.assert(&terms.term(Kind::Equal, &[&x, &y]).unwrap()).unwrap();
    assert_eq!(solver.check(&FOREVER), Ok(Answer::Unsat));
}

#[test]
fn a_float_with_an_unknown_rounding_mode() {
    let (terms, mut solver) = new();
    let mode = terms.symbol(&Sort::RoundingMode, "mode").unwrap();
    let [one, third] = [0x3f80_0000, 0x3eaa_aaab].map(|bits| constant(&terms, &Sort::F32, bits));
    let three = constant(&terms, &Sort::F32, 0x4040_0000);
    let quotient = terms.term(Kind::FpDiv, &[&mode, &one, &three]).unwrap();
    solver.assert(&terms.term(Kind::Equal, &[&quotient, &third]).unwrap()).unwrap();
    let is = |other| terms.term(Kind::Equal, &[&mode, &terms.rounding_mode(other).unwrap()]).unwrap();
    use RoundingMode::*;
    for (other, answer) in [
        (NearestEven, Answer::Sat),
        (NearestAway, Answer::Sat),
        (TowardPositive, Answer::Sat),
        (TowardNegative, Answer::Unsat),
        (TowardZero, Answer::Unsat),
    ] {
        assert_eq!(solver.check_assuming(&[&is(other)], &FOREVER), Ok(answer), "{other:?}");
    }
}

#[test]
fn a_limit_ends_the_search_and_the_solver_goes_on() {
    let (terms, mut solver) = new();
    let factors = assert_hard(&terms, &mut solver);
    let start = Instant::now();
    let limits = Limits { time: Some(Duration::from_millis(100)), ..FOREVER };
    assert_eq!(solver.check(&limits), Ok(Answer::Unknown));
    assert_eq!(solver.value(&factors[0]), Err(Error::NoModel));
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());

    solver.pop().unwrap();
    let is_three = |term: &Term| terms.term(Kind::Equal, &[term, &terms.bv_value(128, 3).unwrap()]).unwrap();
    let limits = Limits { time: Some(Duration::from_secs(60)), ..FOREVER };
    assert_eq!(solver.check_assuming(&[&is_three(&factors[0])], &limits), Ok(Answer::Sat));
    assert_eq!(solver.value(&factors[0]), Ok(vec![3, 0]));
    assert_eq!(solver.check(&Limits { time: Some(Duration::MAX), ..FOREVER }), Ok(Answer::Sat));
}

#[test]
fn a_number_of_steps_ends_the_search_at_the_same_place_each_time() {
    let steps_to_end = || {
        let (terms, mut solver) = new();
        let x = terms.symbol(&Sort::BitVec(20), "x").unwrap();
        let square = terms.term(Kind::BvMul, &[&x, &x]).unwrap();
        solver.assert(&terms.term(Kind::Equal, &[&square, &terms.bv_value(20, 2).unwrap()]).unwrap()).unwrap();
        let mut steps = 0;
        while solver.check(&Limits { steps: Some(steps), ..FOREVER }) == Ok(Answer::Unknown) {
            steps += 1;
        }
        steps
    };
    let steps = steps_to_end();
    assert!(steps > 0);
    assert_eq!(steps_to_end(), steps);

    let (terms, mut solver) = new();
    assert_hard(&terms, &mut solver);
    let start = Instant::now();
    assert_eq!(solver.check(&Limits { steps: Some(1000), ..FOREVER }), Ok(Answer::Unknown));
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
}

#[test]
fn a_flag_ends_the_search() {
    let (terms, mut solver) = new();
    assert_hard(&terms, &mut solver);
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        let limits = Limits { time: Some(Duration::from_secs(60)), stop: Some(&stop), ..FOREVER };
        assert_eq!(solver.check(&limits), Ok(Answer::Unknown));
    });
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
}

#[test]
fn threads_with_their_own_managers() {
    let work = |seed: u64| {
        let (terms, mut solver) = new();
        let mut random = Random(seed);
        let x = terms.symbol(&WORD, "x").unwrap();
        let float = terms.symbol(&Sort::F32, "float").unwrap();
        let odd = terms.bv_value(32, 0x0101_0101).unwrap();
        let product = terms.term(Kind::BvMul, &[&x, &odd]).unwrap();
        let bits = |value: u64| constant(&terms, &Sort::F32, u128::from(value));
        for _ in 0..100 {
            let value = random.next() >> 32;
            let equal = terms.term(Kind::Equal, &[&product, &terms.bv_value(32, value).unwrap()]).unwrap();
            let sum = [terms.rounding_mode(RoundingMode::NearestEven).unwrap(), bits(0x3f80_0000), float.clone()];
            let sum = terms.term(Kind::FpAdd, &[&sum[0], &sum[1], &sum[2]]).unwrap();
            let is_three = terms.term(Kind::FpEqual, &[&sum, &bits(0x4040_0000)]).unwrap();
            assert_eq!(solver.check_assuming(&[&equal, &is_three], &FOREVER), Ok(Answer::Sat));
            let found = solver.value_u64(&x).unwrap() as u32;
            assert_eq!(u64::from(found.wrapping_mul(0x0101_0101)), value);
            assert_eq!(solver.value_u64(&float), Ok(0x4000_0000));
        }
    };
    thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || work(seed));
        }
    });
}

/// Bitwuzla works without recursion, and so do we.
#[test]
fn deep_terms() {
    let (terms, mut solver) = new();
    let bit = Sort::BitVec(1);
    let [mut sum, x, y] = ["sum", "x", "y"].map(|name| terms.symbol(&bit, name).unwrap());
    for _ in 0..20_000 {
        sum = terms.term(Kind::BvAdd, &[&terms.term(Kind::BvAnd, &[&sum, &x]).unwrap(), &y]).unwrap();
    }
    let mut array = terms.symbol(&Sort::Array(Box::new(bit.clone()), Box::new(bit)), "array").unwrap();
    for _ in 0..2_000 {
        array = terms.term(Kind::Store, &[&array, &x, &y]).unwrap();
    }
    let element = terms.term(Kind::Select, &[&array, &x]).unwrap();
    solver.assert(&terms.term(Kind::Distinct, &[&sum, &element]).unwrap()).unwrap();
    assert_eq!(solver.check(&FOREVER), Ok(Answer::Sat));
    assert!(sum.to_string().len() > 100_000);
}

#[test]
fn terms_are_shared() {
    let (terms, _) = new();
    let x = terms.symbol(&WORD, "x").unwrap();
    let sum = || terms.term(Kind::BvAdd, &[&x, &x]).unwrap();
    assert_eq!((sum(), sum().id(), sum().to_string()), (sum(), sum().id(), "(bvadd x x)".to_string()));
    assert_ne!(x, terms.symbol(&WORD, "x").unwrap());
    let (others, _) = new();
    assert_ne!(x, others.symbol(&WORD, "x").unwrap());
}

#[test]
fn every_kind_is_the_one_it_says() {
    let (terms, mut solver) = new();
    let array = Sort::Array(Box::new(BYTE), Box::new(BYTE));
    let function = Sort::Function(vec![BYTE], Box::new(BYTE));
    let symbol = |sort: &Sort, name: &str| terms.symbol(sort, name).unwrap();
    let (p, q) = (&symbol(&Sort::Bool, "p"), &symbol(&Sort::Bool, "q"));
    let (x, y, s) = (&symbol(&BYTE, "x"), &symbol(&BYTE, "y"), &symbol(&Sort::BitVec(1), "s"));
    let (a, g) = (&symbol(&array, "a"), &symbol(&function, "g"));
    let (f, h) = (&symbol(&Sort::F32, "f"), &symbol(&Sort::F32, "h"));
    let (e, m, w) = (&x.clone(), &symbol(&Sort::BitVec(23), "m"), &symbol(&WORD, "w"));
    let r = &symbol(&Sort::RoundingMode, "r");
    use Kind::*;
    let cases: Vec<(Kind, Vec<&Term>, Vec<u32>, &str)> = vec![
        (Not, vec![p], vec![], "(not p)"),
        (And, vec![p, q], vec![], "(and p q)"),
        (Or, vec![p, q], vec![], "(or p q)"),
        (Xor, vec![p, q], vec![], "(xor p q)"),
        (Implies, vec![p, q], vec![], "(=> p q)"),
        (Equal, vec![x, y], vec![], "(= x y)"),
        (Distinct, vec![x, y], vec![], "(distinct x y)"),
        (Ite, vec![p, x, y], vec![], "(ite p x y)"),
        (Apply, vec![g, x], vec![], "(g x)"),
        (Select, vec![a, x], vec![], "(select a x)"),
        (Store, vec![a, x, y], vec![], "(store a x y)"),
        (BvNot, vec![x], vec![], "(bvnot x)"),
        (BvAnd, vec![x, y], vec![], "(bvand x y)"),
        (BvOr, vec![x, y], vec![], "(bvor x y)"),
        (BvXor, vec![x, y], vec![], "(bvxor x y)"),
        (BvNeg, vec![x], vec![], "(bvneg x)"),
        (BvAdd, vec![x, y], vec![], "(bvadd x y)"),
        (BvSub, vec![x, y], vec![], "(bvsub x y)"),
        (BvMul, vec![x, y], vec![], "(bvmul x y)"),
        (BvUdiv, vec![x, y], vec![], "(bvudiv x y)"),
        (BvUrem, vec![x, y], vec![], "(bvurem x y)"),
        (BvSdiv, vec![x, y], vec![], "(bvsdiv x y)"),
        (BvSrem, vec![x, y], vec![], "(bvsrem x y)"),
        (BvSmod, vec![x, y], vec![], "(bvsmod x y)"),
        (BvShl, vec![x, y], vec![], "(bvshl x y)"),
        (BvLshr, vec![x, y], vec![], "(bvlshr x y)"),
        (BvAshr, vec![x, y], vec![], "(bvashr x y)"),
        (BvUlt, vec![x, y], vec![], "(bvult x y)"),
        (BvUle, vec![x, y], vec![], "(bvule x y)"),
        (BvUgt, vec![x, y], vec![], "(bvugt x y)"),
        (BvUge, vec![x, y], vec![], "(bvuge x y)"),
        (BvSlt, vec![x, y], vec![], "(bvslt x y)"),
        (BvSle, vec![x, y], vec![], "(bvsle x y)"),
        (BvSgt, vec![x, y], vec![], "(bvsgt x y)"),
        (BvSge, vec![x, y], vec![], "(bvsge x y)"),
        (BvComp, vec![x, y], vec![], "(bvcomp x y)"),
        (BvRedAnd, vec![x], vec![], "(bvredand x)"),
        (BvRedOr, vec![x], vec![], "(bvredor x)"),
        (BvRedXor, vec![x], vec![], "(bvredxor x)"),
        (BvNegOverflow, vec![x], vec![], "(bvnego x)"),
        (BvUaddOverflow, vec![x, y], vec![], "(bvuaddo x y)"),
        (BvSaddOverflow, vec![x, y], vec![], "(bvsaddo x y)"),
        (BvUsubOverflow, vec![x, y], vec![], "(bvusubo x y)"),
        (BvSsubOverflow, vec![x, y], vec![], "(bvssubo x y)"),
        (BvUmulOverflow, vec![x, y], vec![], "(bvumulo x y)"),
        (BvSmulOverflow, vec![x, y], vec![], "(bvsmulo x y)"),
        (BvSdivOverflow, vec![x, y], vec![], "(bvsdivo x y)"),
        (BvConcat, vec![x, w], vec![], "(concat x w)"),
        (BvExtract, vec![x], vec![5, 2], "((_ extract 5 2) x)"),
        (BvZeroExtend, vec![x], vec![3], "((_ zero_extend 3) x)"),
        (BvSignExtend, vec![x], vec![3], "((_ sign_extend 3) x)"),
        (Fp, vec![s, e, m], vec![], "(fp s x m)"),
        (FpAbs, vec![f], vec![], "(fp.abs f)"),
        (FpNeg, vec![f], vec![], "(fp.neg f)"),
        (FpAdd, vec![r, f, h], vec![], "(fp.add r f h)"),
        (FpSub, vec![r, f, h], vec![], "(fp.sub r f h)"),
        (FpMul, vec![r, f, h], vec![], "(fp.mul r f h)"),
        (FpDiv, vec![r, f, h], vec![], "(fp.div r f h)"),
        (FpFma, vec![r, f, h, f], vec![], "(fp.fma r f h f)"),
        (FpSqrt, vec![r, f], vec![], "(fp.sqrt r f)"),
        (FpRem, vec![f, h], vec![], "(fp.rem f h)"),
        (FpRti, vec![r, f], vec![], "(fp.roundToIntegral r f)"),
        (FpMin, vec![f, h], vec![], "(fp.min f h)"),
        (FpMax, vec![f, h], vec![], "(fp.max f h)"),
        (FpEqual, vec![f, h], vec![], "(fp.eq f h)"),
        (FpLt, vec![f, h], vec![], "(fp.lt f h)"),
        (FpLe, vec![f, h], vec![], "(fp.leq f h)"),
        (FpGt, vec![f, h], vec![], "(fp.gt f h)"),
        (FpGe, vec![f, h], vec![], "(fp.geq f h)"),
        (FpIsNan, vec![f], vec![], "(fp.isNaN f)"),
        (FpIsInf, vec![f], vec![], "(fp.isInfinite f)"),
        (FpIsZero, vec![f], vec![], "(fp.isZero f)"),
        (FpIsNormal, vec![f], vec![], "(fp.isNormal f)"),
        (FpIsSubnormal, vec![f], vec![], "(fp.isSubnormal f)"),
        (FpIsNeg, vec![f], vec![], "(fp.isNegative f)"),
        (FpIsPos, vec![f], vec![], "(fp.isPositive f)"),
        (FpFromBits, vec![w], vec![8, 24], "((_ to_fp 8 24) w)"),
        (FpFromFp, vec![r, f], vec![11, 53], "((_ to_fp 11 53) r f)"),
        (FpFromSigned, vec![r, x], vec![8, 24], "((_ to_fp 8 24) r x)"),
        (FpFromUnsigned, vec![r, x], vec![8, 24], "((_ to_fp_unsigned 8 24) r x)"),
        (FpToSigned, vec![r, f], vec![16], "((_ fp.to_sbv 16) r f)"),
        (FpToUnsigned, vec![r, f], vec![16], "((_ fp.to_ubv 16) r f)"),
    ];
    assert_eq!(cases.len(), FpToUnsigned as usize + 1, "each kind once");
    for (kind, args, indices, text) in &cases {
        assert_eq!(terms.indexed(*kind, args, indices).unwrap().to_string(), *text);

        // What is not as it should be does not end the process.
        let everything = [p, x, s, w, a, g, f, r];
        let mut wrong = vec![vec![], args[1..].to_vec(), [&args[..], &args[..]].concat(), vec![x; 5]];
        for at in 0..args.len() {
            for other in everything {
                let mut changed = args.clone();
                changed[at] = other;
                wrong.push(changed);
            }
        }
        for wrong in wrong {
            if let Ok(term) = terms.indexed(*kind, &wrong, indices) {
                solver.push().unwrap();
                if solver.assert(&term).is_err() {
                    solver.assert(&terms.term(Equal, &[&term, &term]).unwrap()).unwrap();
                }
                solver.check(&Limits { time: Some(Duration::from_millis(1)), ..FOREVER }).unwrap();
                solver.pop().unwrap();
            }
        }
        for indices in [&[][..], &[0], &[0, 0], &[1, 2, 3], &[7, 8], &[9, 0], &[u32::MAX], &[u32::MAX, u32::MAX]] {
            if let Ok(term) = terms.indexed(*kind, args, indices) {
                assert!(!term.to_string().is_empty());
            }
        }
    }
}

#[test]
fn nonsense_is_rejected() {
    let (terms, mut solver) = new();
    let (others, mut other_solver) = new();
    let x = terms.symbol(&WORD, "x").unwrap();
    let float = terms.symbol(&Sort::F32, "float").unwrap();
    let truth = others.bool_value(true).unwrap();
    let array = |index, element| Sort::Array(Box::new(index), Box::new(element));
    let function = |domain, codomain| Sort::Function(domain, Box::new(codomain));

    let sorts = [
        Sort::BitVec(0),
        Sort::BitVec(MAX_WIDTH + 1),
        Sort::Float { exponent: 15, significand: 64 },
        Sort::Float { exponent: 0, significand: 0 },
        array(Sort::Bool, BYTE),
        array(array(BYTE, BYTE), BYTE),
        array(BYTE, function(vec![BYTE], BYTE)),
        function(vec![], BYTE),
        function(vec![array(BYTE, BYTE)], BYTE),
        function(vec![BYTE], function(vec![BYTE], BYTE)),
        (0..100).fold(BYTE, |sort, _| array(BYTE, sort)),
    ];
    for sort in &sorts {
        assert!(matches!(terms.symbol(sort, "x"), Err(Error::Rejected(_))), "{sort:?}");
    }
    let f = terms.symbol(&function(vec![WORD], WORD), "f").unwrap();
    let rejected: [Result<Term, Error>; 16] = [
        terms.bv_value(0, 0),
        terms.bv_value(8, 256),
        terms.bv_value(MAX_WIDTH + 1, 0),
        terms.wide_value(0, &[]),
        terms.wide_value(65, &[0, 2]),
        terms.wide_value(u32::MAX, &[]),
        terms.const_array(&WORD, &x),
        terms.const_array(&array(WORD, BYTE), &x),
        terms.term(Kind::BvAdd, &[&x]),
        terms.term(Kind::BvAdd, &[&x, &float]),
        terms.term(Kind::Equal, &[&f, &f]),
        terms.term(Kind::Apply, &[&f]),
        terms.term(Kind::Apply, &[&f, &float]),
        terms.indexed(Kind::BvExtract, &[&x], &[32, 0]),
        terms.indexed(Kind::BvZeroExtend, &[&x], &[u32::MAX]),
        terms.indexed(Kind::FpFromBits, &[&x], &[16, 16]),
    ];
    for (at, result) in rejected.iter().enumerate() {
        assert!(matches!(result, Err(Error::Rejected(_))), "{at}: {result:?}");
    }
    assert_eq!(rejected[1].as_ref().unwrap_err().to_string(), "value '256' does not fit into a bit-vector of size '8'");

    assert_eq!(terms.term(Kind::Not, &[&truth]), Err(Error::Foreign));
    assert_eq!(terms.term(Kind::Ite, &[&truth, &x, &x]), Err(Error::Foreign));
    assert_eq!(others.const_array(&array(WORD, WORD), &x), Err(Error::Foreign));
    assert_eq!(solver.assert(&truth), Err(Error::Foreign));
    assert_eq!(solver.check_assuming(&[&truth], &FOREVER), Err(Error::Foreign));
    assert!(matches!(solver.assert(&x), Err(Error::Rejected(_))));
    assert!(matches!(solver.check_assuming(&[&x], &FOREVER), Err(Error::Rejected(_))));

    assert_eq!(solver.check(&FOREVER), Ok(Answer::Sat));
    assert!(matches!(solver.value(&f), Err(Error::Rejected(_))));
    assert_eq!(solver.value(&truth), Err(Error::Foreign));
    assert_eq!(solver.value_u64(&x), Ok(0));
    assert_eq!(other_solver.check_assuming(&[&truth], &FOREVER), Ok(Answer::Sat));
}

#[test]
fn terms_and_solvers_outlive_their_manager() {
    let (terms, mut solver) = new();
    let x = terms.symbol(&Sort::Bool, "x").unwrap();
    drop(terms);
    solver.assert(&x).unwrap();
    assert_eq!(solver.check(&FOREVER), Ok(Answer::Sat));
    assert_eq!(solver.value_u64(&x), Ok(1));
    drop(solver);
    assert_eq!(x.to_string(), "x");
}

fn new() -> (TermManager, Solver) {
    let terms = TermManager::new().unwrap();
    let solver = Solver::new(&terms, Options::default()).unwrap();
    (terms, solver)
}

fn not(terms: &TermManager, term: &Term) -> Term {
    terms.term(Kind::Not, &[term]).unwrap()
}

/// Asserts, in a level, that the product of two large primes has two factors; returns them. Primes next to a power of two
/// would be found at once.
fn assert_hard(terms: &TermManager, solver: &mut Solver) -> [Term; 2] {
    let product = (10_808_818_712_792_617_177u128 * 10_430_779_633_273_967_791) as u64;
    let high = ((10_808_818_712_792_617_177u128 * 10_430_779_633_273_967_791) >> 64) as u64;
    let [x, y] = ["x", "y"].map(|name| {
        let half = terms.symbol(&Sort::BitVec(64), name).unwrap();
        terms.indexed(Kind::BvZeroExtend, &[&half], &[64]).unwrap()
    });
    let product = terms.wide_value(128, &[product, high]).unwrap();
    solver.push().unwrap();
    solver
        .assert(&terms.term(Kind::Equal, &[&terms.term(Kind::BvMul, &[&x, &y]).unwrap(), &product]).unwrap())
        .unwrap();
    [x, y]
}
