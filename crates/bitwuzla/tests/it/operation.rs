//! What the tests share: an operation is checked on samples, in two ways.

use bitwuzla::{Answer, Kind, Limits, Options, Solver, Sort, Term, TermManager};

/// Numbers that look random and are the same each time (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next() % from.len() as u64) as usize]
    }
}

/// An operation: the sorts of its arguments and of its result, and how the term is made.
pub struct Operation<'a> {
    pub name: String,
    pub args: Vec<Sort>,
    pub result: Sort,
    pub make: &'a dyn Fn(&TermManager, &[&Term]) -> Term,
}

/// How much is tested; more when the long tests are asked for.
pub fn amount(short: usize, full: usize) -> usize {
    if std::env::var_os("PATHSHIFT_FULL").is_some() { full } else { short }
}

/// Checks that an operation gives what is expected for each sample, all as bits: by evaluating the term, and for the first
/// samples also by translating it to clauses, where the solver knows the arguments only as assumptions and simplifies
/// nothing. `same` says whether two results are the same.
pub fn check(
    operation: &Operation,
    samples: &[Vec<u128>],
    translated: usize,
    expect: impl Fn(&[u128]) -> u128,
    same: impl Fn(u128, u128) -> bool,
) {
    let terms = TermManager::new().unwrap();
    let mut evaluator = Solver::new(&terms, Options::default()).unwrap();
    let mut translator = Solver::new(&terms, Options { simplify: false, ..Options::default() }).unwrap();

    let symbols: Vec<Term> = operation.args.iter().map(|sort| terms.symbol(sort, "argument").unwrap()).collect();
    let result = terms.symbol(&operation.result, "result").unwrap();
    let refs: Vec<&Term> = symbols.iter().collect();
    translator.assert(&terms.term(Kind::Equal, &[&result, &(operation.make)(&terms, &refs)]).unwrap()).unwrap();

    for (at, sample) in samples.iter().enumerate() {
        let expected = expect(sample);
        let report = |way: &str, found: u128| {
            let name = &operation.name;
            assert!(same(found, expected), "{name} {way} of {sample:x?}: {found:#x}, expected {expected:#x}");
        };
        let values: Vec<Term> =
            operation.args.iter().zip(sample).map(|(sort, bits)| constant(&terms, sort, *bits)).collect();
        let term = (operation.make)(&terms, &values.iter().collect::<Vec<_>>());
        assert_eq!(evaluator.check(&Limits::default()), Ok(Answer::Sat));
        report("evaluated", number(&evaluator.value(&term).unwrap()));

        if at >= translated {
            continue;
        }
        let equal = |(symbol, value)| terms.term(Kind::Equal, &[symbol, value]).unwrap();
        let known: Vec<Term> = symbols.iter().zip(&values).map(equal).collect();
        let answer = translator.check_assuming(&known.iter().collect::<Vec<_>>(), &Limits::default());
        assert_eq!(answer, Ok(Answer::Sat), "{} of {sample:x?}", operation.name);
        report("translated", number(&translator.value(&result).unwrap()));
    }
}

/// A constant of a sort from its bits.
pub fn constant(terms: &TermManager, sort: &Sort, bits: u128) -> Term {
    let words = [bits as u64, (bits >> 64) as u64];
    match sort {
        Sort::Bool => terms.bool_value(bits != 0).unwrap(),
        Sort::BitVec(width) => terms.wide_value(*width, &words).unwrap(),
        Sort::Float { exponent, significand } => {
            let bits = terms.wide_value(exponent + significand, &words).unwrap();
            terms.indexed(Kind::FpFromBits, &[&bits], &[*exponent, *significand]).unwrap()
        }
        _ => panic!("no constant of sort {sort:?}"),
    }
}

fn number(words: &[u64]) -> u128 {
    words.iter().rev().fold(0, |number, word| number << 64 | u128::from(*word))
}
