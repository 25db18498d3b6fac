//! Inputs in which pointers alias: one pointer may be given twice, a field may lead to what a parameter leads to, a list may
//! lead back to itself, and the address of a variable may be given.
//!
//! Inputs are made up with every pointer leading to an object of its own. Runs on them say which aliases can matter
//! ([candidates](exec::aliasing::candidates)). Both versions are then followed on inputs with one of these, with two, and so on, as
//! long as there are any and the effort allows. A difference makes the function different. If all of them are proved to make
//! none, the verdict does not rest on the assumption any more; otherwise that stands first in the scope.

use super::confirm::Doubt;
use super::findings::{Evidence, Findings, adopt, is_settled};
use super::goal::{Followed, Goal, Tactic};
use super::smaller::is_proof;
use super::versus::Versus;
use evidence::{Assumption, Domain, Grade};
use exec::aliasing::Alias;
use exec::inputs::Bounds;
use explore::pair::Compared;
use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// How long inputs with aliases are looked at in all, and each set of aliases.
const TIME: Duration = Duration::from_millis(1500);
const TIME_OF_ONE: Duration = Duration::from_millis(250);

/// How long inputs with one set of aliases are tried, where following them does not end.
const TRYING: Duration = Duration::from_millis(100);

/// Most sets of aliases.
const MOST: usize = 32;

/// The kind of differences that take a pointer to something `const` which leads to what the function writes. By convention
/// that is an input; those who keep to it may ignore them.
const KIND: evidence::Difference = evidence::Difference::Aliasing;

/// Follows both versions on inputs with aliases.
pub struct Aliases;

impl Tactic for Aliases {
    fn name(&self) -> &'static str {
        "aliases"
    }

    fn applies(&self, goal: &Goal, findings: &Findings) -> bool {
        goal.is_open(findings) && !goal.versus.is_program && goal.versus.plain
    }

    fn run(&self, goal: &mut Goal, findings: &mut Findings) {
        let Goal { versus, followed, .. } = goal;
        let first = &followed.compared;
        let mut open: VecDeque<Vec<Alias>> = first.aliases.aliases.iter().map(|alias| vec![alias.clone()]).collect();
        let mut known: BTreeSet<Vec<Alias>> = open.iter().cloned().collect();
        let mut settled = !first.aliases.others && is_proof(first);
        let mut types_apart = first.aliases.types_apart;
        let until = Instant::now() + TIME;
        let mut count = 0;
        while let Some(aliases) = open.pop_front() {
            count += 1;
            if count > MOST || Instant::now() >= until {
                settled = false;
                break;
            }
            let mut compared = follow(&aliases, followed, versus);
            forget_regions(&mut compared);
            types_apart |= compared.aliases.types_apart;
            settled = settled && is_proof(&compared) && !compared.unaliased && !compared.aliases.others;
            if !compared.differences.is_empty() {
                let mut seen = versus.confirm(&compared, Doubt::Expected);
                if aliases.iter().any(|alias| alias.constant) {
                    name_kind(&mut seen, versus);
                }
                adopt(findings, seen);
                if is_settled(&findings.evidence) {
                    return;
                }
            }
            for alias in &compared.aliases.aliases {
                let mut more = aliases.clone();
                more.push(alias.clone());
                more.sort();
                if !aliases.iter().any(|one| one.pointer == alias.pointer) && known.insert(more.clone()) {
                    open.push_back(more);
                }
            }
        }
        if settled {
            // What is proved for all aliases needs no assumption.
            findings.discharge(|assumption| *assumption == Assumption::NoAliases);
            findings.assume(types_apart.then_some(Assumption::TypesApart));
        }
    }
}

/// Follows both versions on inputs with these aliases; where that does not end, some of them are tried.
fn follow(aliases: &[Alias], followed: &Followed, versus: &Versus) -> Compared {
    let bounds = Bounds { aliased: aliases.to_vec(), ..followed.bounds.clone() };
    let unwind = versus.task.options.explore.unwind;
    let compared = versus.compare(&bounds, unwind, TIME_OF_ONE, false);
    if !compared.differences.is_empty() || is_proof(&compared) {
        return compared;
    }
    let tried = versus.try_aliased(&bounds, TRYING);
    Compared { differences: tried.differences, causes: tried.causes, ..compared }
}

/// Differences by a pointer to something `const` are of a kind of their own.
fn name_kind(seen: &mut [Evidence], versus: &Versus) {
    let is_ignored = versus.task.options.ignored.contains(&KIND);
    for one in seen {
        if let Evidence::Witness { grade: grade @ Grade::Confirmed, shown } = one
            && shown.kind.domain() == Domain::Both
        {
            shown.kind = KIND;
            *grade = if is_ignored { Grade::Ignored } else { Grade::Confirmed };
        }
    }
}

/// Conditions are about inputs that are made up in the same way: that they are does not stand in them.
pub fn forget_regions(compared: &mut Compared) {
    compared.differences.iter_mut().for_each(|difference| difference.region = None);
}
