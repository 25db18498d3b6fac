//! The guarantee of directed exploration, on random pairs of programs: every class of affected paths that a full
//! exploration of the new version finds is found, and every input whose outcome differs between the versions, as native
//! runs have it, belongs to a directed path.

use crate::generate::{self, Random};
use crate::{Change, clang, is_complete, options};
use exec::state::End;
use explore::aim::Aim;
use explore::options::Options;
use explore::trace::{Step, is_affected, trace};
use smt::eval::{Evaluator, Model};
use smt::expr::SymbolId;
use smt::pool::{Pool, Reading};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;
use std::sync::Arc;

/// Pairs that are compiled together.
const BATCH: u64 = 20;

#[test]
fn nothing_affected_is_lost() {
    let full = std::env::var_os("PATHSHIFT_FULL").is_some();
    let first = std::env::var("PATHSHIFT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let batches = if full { 100 } else { 2 };
    let mut total = Figures::default();
    for batch in 0..batches {
        let seed = first + batch * BATCH;
        let figures = check(seed, BATCH);
        total.pairs += figures.pairs;
        total.judged += figures.judged;
        total.affected += figures.affected;
        total.inputs += figures.inputs;
        total.full += figures.full;
        total.directed += figures.directed;
        if full {
            let progress = format!("to seed {}: {total:?}\n", seed + BATCH);
            let _ = std::fs::write(std::env::temp_dir().join("pathshift-guarantee"), progress);
        }
    }
    assert!(total.affected * 2 > total.pairs && total.judged * 10 > total.pairs * 18, "{total:?}");
}

/// Classes of affected paths, each with whether the path dies.
type Classes = BTreeSet<(Vec<Step>, bool)>;

/// What a directed exploration found.
struct Directed {
    classes: BTreeSet<Vec<Step>>,
    /// Which of the inputs that were asked for are on one of its paths.
    satisfied: Vec<bool>,
    conditions: Vec<String>,
}

/// What was looked at.
#[derive(Debug, Default)]
struct Figures {
    pairs: u64,
    /// Explorations, two for each pair, that ended in time.
    judged: u64,
    affected: u64,
    inputs: usize,
    full: usize,
    directed: usize,
}

/// Names of the parts of an input.
const PARTS: [&str; 10] = ["a", "b", "p[0]", "p[1]", "g0", "g1", "t[0]", "t[1]", "t[2]", "t[3]"];

/// A call dies in the middle of a block that goes on behind another call of the same function.
#[test]
fn a_class_that_dies_inside_a_call() {
    check(606, 1);
}

fn check(seed: u64, pairs: u64) -> Figures {
    let (mut old, mut new) = (String::new(), String::new());
    let mut native = String::from("#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n");
    let mut calls = String::new();
    let mut texts = Vec::new();
    for pair in 0..pairs {
        let mut random = Random::new(seed + pair);
        let program = generate::program(&mut random);
        let edited = generate::edit(&program, &mut random);
        let tag = format!("_{pair}");
        old.push_str(&generate::text(&program, &tag));
        new.push_str(&generate::text(&edited, &tag));
        native.push_str(&generate::text(&program, &format!("_o{pair}")));
        native.push_str(&generate::text(&edited, &format!("_n{pair}")));
        let _ = writeln!(calls, "  TRY({pair}, _o{pair}, _n{pair})");
        texts.push(format!(
            "seed {}\n{}\n----\n{}",
            seed + pair,
            generate::text(&program, ""),
            generate::text(&edited, "")
        ));
    }
    let change = Change::new(&old, &new);
    let differing = differing(&native, &calls);
    let mut figures = Figures { pairs, ..Figures::default() };
    for pair in 0..pairs {
        let tag = format!("_{pair}");
        let inputs: Vec<&[i64; 10]> = differing.iter().filter(|(of, _)| *of == pair).map(|(_, input)| input).collect();
        figures.inputs += inputs.len();
        for (name, aim) in [("dise", &change.dise), ("idise", &change.idise)] {
            let context = || format!("{name}, {}", texts[pair as usize]);
            let Some((full, count)) = classes(&change, &tag, aim) else { continue };
            for skips in [true, false] {
                let context = || format!("skips: {skips}, {}", context());
                let Some(found) = directed(&change, &tag, aim, skips, &inputs) else { continue };
                let Directed { classes: directed, satisfied, conditions } = found;
                figures.judged += u64::from(skips);
                let lost: Vec<_> = full.iter().filter(|(class, dies)| !finds(&directed, class, *dies)).collect();
                assert!(lost.is_empty(), "lost {:?} of {}: {}", lost.first(), lost.len(), context());
                let is_real =
                    |class: &Vec<Step>| full.contains(&(class.clone(), false)) || full.contains(&(class.clone(), true));
                let extra: Vec<_> = directed.iter().filter(|class| !is_real(class)).collect();
                assert!(extra.is_empty(), "made up {:?} of {}: {}", extra.first(), extra.len(), context());
                for (input, satisfied) in inputs.iter().zip(&satisfied) {
                    assert!(satisfied, "{input:?} is in no directed path: {conditions:#?} {}", context());
                }
                figures.affected += u64::from(skips && name == "idise" && !full.is_empty());
                figures.full += count;
                figures.directed += directed.len();
            }
        }
    }
    figures
}

/// Whether a run came to its own end within the scope.
fn came_to_an_end(end: &End) -> bool {
    matches!(end, End::Returned(_) | End::Exited(_) | End::Fault { .. })
}

/// Whether a class was found. A run that dies where both versions do is of the class of those that go on.
fn finds(directed: &BTreeSet<Vec<Step>>, class: &Vec<Step>, dies: bool) -> bool {
    directed.contains(class) || dies && directed.iter().any(|found| found.starts_with(class))
}

/// The classes of affected paths that a full exploration finds, with whether the path dies, and how many paths it
/// followed; `None` if there are too many.
fn classes(change: &Change, tag: &str, aim: &Arc<Aim>) -> Option<(Classes, usize)> {
    let explored = change.explore(&format!("f{tag}"), &options(None), |ended| {
        let dies = matches!(ended.end, End::Fault { .. });
        came_to_an_end(ended.end).then(|| (trace(aim, &change.program, ended.state), dies))
    });
    if !is_complete(&explored) {
        return None;
    }
    let count = explored.paths.len();
    Some((
        explored.paths.into_iter().flatten().filter(|(trace, _)| is_affected(aim, &change.program, trace)).collect(),
        count,
    ))
}

/// The same for a directed exploration, and which of the inputs are on one of its paths.
fn directed(change: &Change, tag: &str, aim: &Arc<Aim>, skips: bool, inputs: &[&[i64; 10]]) -> Option<Directed> {
    let options = Options { skips: Some(skips), ..options(Some(aim.clone())) };
    let explored = change.explore(&format!("f{tag}"), &options, |ended| {
        let pool = &ended.worker.pool;
        let satisfied: Vec<bool> = inputs
            .iter()
            .map(|input| {
                let model = model(pool, tag, input);
                let mut evaluator = Evaluator::new(pool, &model);
                ended.path.constraints.iter().all(|&constraint| evaluator.holds(constraint) == Some(true))
            })
            .collect();
        let parts: Vec<String> = ended.path.constraints.iter().map(|&expr| smt::show::show(pool, expr)).collect();
        let trace = came_to_an_end(ended.end).then(|| trace(aim, &change.program, ended.state));
        (trace, satisfied, parts.join(" and "))
    });
    if !is_complete(&explored) {
        return None;
    }
    let mut found = BTreeSet::new();
    let mut satisfied = vec![false; inputs.len()];
    let mut conditions = Vec::new();
    for (trace, on, condition) in explored.paths {
        conditions.push(condition);
        found.extend(trace);
        satisfied.iter_mut().zip(on).for_each(|(all, on)| *all |= on);
    }
    Some(Directed { classes: found, satisfied, conditions })
}

/// An input as values of symbols.
fn model(pool: &Pool, tag: &str, input: &[i64; 10]) -> Model {
    let mut model = Model::default();
    for index in 0..pool.symbol_count() {
        let id = SymbolId(index as u32);
        let symbol = pool.symbol_info(id);
        let name = symbol.name.replace(tag, "");
        if symbol.reading == Reading::Address {
            model.set(id, &smt::bits::Bits::new(0x1000, symbol.width));
        } else if let Some(part) = PARTS.iter().position(|part| *part == name) {
            model.set(id, &smt::bits::Bits::new(input[part] as u32 as u128, symbol.width));
        }
    }
    model
}

/// Inputs on which native runs of the versions of a pair differ.
fn differing(programs: &str, calls: &str) -> Vec<(u64, [i64; 10])> {
    let driver = r#"
static sigjmp_buf back;
static void on_signal(int number) { siglongjmp(back, number); }
static unsigned long long state = 88172645463325252ull;
static int next(int low, int high) {
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return low + (int)((state >> 20) % (unsigned)(high - low + 1));
}
#define RUN(T, OUT) { int p[8] = {in[2], in[3]}; g0##T = in[4]; g1##T = in[5]; \
  for (int i = 0; i < 4; i++) t##T[i] = in[6 + i]; \
  int number = sigsetjmp(back, 1); int result = 0; \
  if (number == 0) result = f##T(in[0], in[1], p); \
  int out[10] = {number, result, p[0], p[1], g0##T, g1##T, t##T[0], t##T[1], t##T[2], t##T[3]}; \
  for (int i = 0; i < 10; i++) OUT[i] = number && i ? 0 : out[i]; }
#define TRY(N, O, W) for (int round = 0, shown = 0; round < 400 && shown < 30; round++) { \
  int in[10], before[10], after[10], same = 1; \
  for (int i = 0; i < 10; i++) in[i] = i < 2 ? next(-2, 8) : next(-1, 6); \
  RUN(O, before) RUN(W, after) \
  for (int i = 0; i < 10; i++) same &= before[i] == after[i]; \
  if (!same) { shown++; printf("%d", N); for (int i = 0; i < 10; i++) printf(" %d", in[i]); printf("\n"); } }
int main(void) {
  signal(SIGFPE, on_signal); signal(SIGILL, on_signal); signal(SIGTRAP, on_signal);
"#;
    let source = format!("{programs}{driver}{calls}  return 0;\n}}\n");
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("run");
    // Without a check the compiler may divide by zero or leave the division out, in each version as it likes.
    let flags = ["-fsanitize=integer-divide-by-zero", "-fsanitize-trap=all"];
    clang(&source, &folder.path().join("run.c"), &flags, &binary);
    let output = Command::new(&binary).output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| {
            let numbers: Vec<i64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
            (numbers[0] as u64, std::array::from_fn(|part| numbers[part + 1]))
        })
        .collect()
}
