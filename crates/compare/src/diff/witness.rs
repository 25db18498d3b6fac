//! What native runs of both builds say of one difference, and whether that rests on memory which a version never initialised.
//!
//! A witness is run with several bytes in all memory that programs do not initialise. Where what is seen of a version changes with
//! them, its behaviour on that input is undefined. Copying uninitialised bytes is not: those bytes count for nothing, whatever
//! else differs does.

use super::confirm::{Doubt, Own, Records, Runs, ends_itself, is_known, is_valid, of_program, really_differ};
use super::confirm::{with_constants_by_contents, without_memory, without_padding};
use super::held::{holds_unknown, with_held};
use super::natives::Version;
use super::predicted::is_as_predicted;
use super::rust_values::{self, Reader};
use super::shown::{Seen, Stage};
use crate::replay::{self, Dependent, FILLINGS, Replayed};
use evidence::Domain;
use exec::case::{self, End, Input, Memory, Outcome};
use exec::inputs::{InputObject, RESULT};
use exec::relaid::Unfit;
use explore::pair::{Difference, Side};
use ir::debug::DebugTypeKind;
use ir::id::{DebugTypeId, FuncId};
use ir::module::Module;

/// A difference that native runs showed.
pub struct Witness {
    /// What they did.
    pub seen: Seen,
    /// Numbers of the old outcome that the new version cannot hold.
    pub unfit: Vec<Unfit>,
    /// Which versions are defined on the input, as far as runs tell.
    pub domain: Domain,
}

/// How native runs on the input of one difference are read.
pub struct Reading<'a> {
    difference: &'a Difference,
    stage: &'a Stage<'a>,
    doubt: Doubt,
    records: Records,
    of_rust: bool,
    is_program: bool,
}

impl<'a> Reading<'a> {
    /// For a difference of a function, given by its new version.
    pub fn new(
        difference: &'a Difference,
        stage: &'a Stage<'a>,
        (module, function): (&Module, FuncId),
        doubt: Doubt,
    ) -> Reading<'a> {
        let records = match stage.couple.program.has_changed_records() {
            true => Records::Changed,
            false => Records::Same,
        };
        let of_rust = exec::same::is_of_rust(module, function);
        let is_program = module.function_name(function) == "main";
        Reading { difference, stage, doubt, records, of_rust, is_program }
    }

    /// What runs of both builds show, if they differ as they should.
    pub fn witness(&self, a: &Replayed, b: &Replayed) -> Option<Witness> {
        let Reading { difference, stage, .. } = *self;
        let (mut old, mut new) = (self.outcome(a, Version::Old), self.outcome(b, Version::New));
        let results = [self.result(a, Version::Old), self.result(b, Version::New)];
        let as_predicted = self.is_as_predicted(&old, Version::Old) && self.is_as_predicted(&new, Version::New);
        // Values that read alike are the same, wherever they lie.
        if let [Some(first), Some(second)] = &results
            && first == second
            && rust_values::is_whole(first)
        {
            self.forget_result(&mut old);
            self.forget_result(&mut new);
        }
        let returned = old.end == End::Returned && new.end == End::Returned;
        let unfit = if returned { stage.unfit(&a.outcome, difference) } else { Vec::new() };
        let differ = self.differ((&old, a), (&new, b)) || !unfit.is_empty();
        let likely = !self.is_chance(&difference.old, &old) && !self.is_chance(&difference.new, &new);
        let complete = !self.misses(&difference.old, &old) && !self.misses(&difference.new, &new);
        let is_witness = differ && likely && complete && self.is_valid(&old, &new);
        is_witness.then_some(Witness { seen: Seen { old, new, results, as_predicted }, unfit, domain: Domain::Both })
    }

    /// What a run did, in the words of the new version and without what means nothing.
    fn outcome(&self, one: &Replayed, version: Version) -> Outcome {
        let Reading { difference, stage, .. } = *self;
        let old = version == Version::Old;
        // Of copies that were made for the call no byte is seen.
        let is_unseen = |at: usize, object: &InputObject| {
            let padding = difference.padding.objects.get(at).map_or(0, |bytes| bytes.len() as u64);
            padding > 0 && object.size.as_const() == Some(padding)
        };
        let objects = difference.objects.iter().enumerate();
        let plain: Vec<(&InputObject, bool)> = match self.records {
            Records::Same => objects.map(|(at, (object, _))| (object, is_unseen(at, object))).collect(),
            Records::Changed => Vec::new(),
        };
        let outcome = with_constants_by_contents(&one.outcome, stage.couple, old);
        let outcome = with_held(outcome, one, &plain, &stage.couple.program.module);
        let outcome = stage.as_new(outcome, difference, old);
        let outcome = without_padding(outcome, difference, &stage.result);
        if self.is_program { of_program(outcome) } else { outcome }
    }

    /// Whether a run of a version did what the model of the program predicts.
    fn is_as_predicted(&self, seen: &Outcome, version: Version) -> bool {
        let Reading { difference, stage, .. } = *self;
        let side = if version == Version::Old { &difference.old } else { &difference.new };
        let predicted = stage.as_new(side.outcome.clone(), difference, version == Version::Old);
        let predicted = without_padding(predicted, difference, &stage.result);
        let mut predicted = if self.is_program { of_program(predicted) } else { predicted };
        let mut seen = seen.clone();
        let is_moved = self.records == Records::Changed || self.of_rust;
        if is_moved || self.has(&exec::containers::holds) || self.has(&holds_unknown) {
            // Where values lie there says nothing of what they are.
            (predicted.objects, seen.objects) = (Vec::new(), Vec::new());
        }
        is_as_predicted(&predicted, &seen)
    }

    /// What a run returned, in words of Rust.
    fn result(&self, one: &Replayed, version: Version) -> Option<String> {
        let stage = self.stage;
        let old = version == Version::Old;
        let ty = stage.result_types[usize::from(!old)].filter(|_| self.records == Records::Same)?;
        let constant = |name: &str, offset: i64| stage.couple.constant_text(name, offset, old);
        let reader = Reader { program: &stage.couple.program, seen: one, constant: &constant };
        let memory = self.result_object().and_then(|at| one.outcome.objects.get(at));
        rust_values::result(&reader, ty, memory, &stage.result)
    }

    /// The object through which it is returned.
    fn result_object(&self) -> Option<usize> {
        self.difference.objects.iter().position(|(object, _)| object.name == RESULT)
    }

    fn forget_result(&self, outcome: &mut Outcome) {
        outcome.result = case::Datum::Any;
        if let Some(memory) = self.result_object().and_then(|at| outcome.objects.get_mut(at)) {
            *memory = Memory { name: memory.name.clone(), ..Memory::default() };
        }
    }

    /// Whether some object of the input has such a type.
    fn has(&self, is_it: &dyn Fn(&Module, DebugTypeId) -> bool) -> bool {
        let module = &self.stage.couple.program.module;
        self.difference.objects.iter().any(|(object, _)| object.ty.is_some_and(|ty| is_it(module, ty)))
    }

    /// What builds make of memory that is not there shows nothing, be it that they notice or not.
    fn is_valid(&self, old: &Outcome, new: &Outcome) -> bool {
        let is_place = |outcome: &Outcome| matches!(outcome.result, case::Datum::Pointer(case::Target::Address(_)));
        let all = [old, new, &self.difference.old.outcome, &self.difference.new.outcome];
        self.doubt == Doubt::Expected || all.into_iter().all(is_valid) && !is_place(old) && !is_place(new)
    }

    /// Whether runs differ as they should; each with what it is taken to say.
    fn differ(&self, (old, a): (&Outcome, &Replayed), (new, b): (&Outcome, &Replayed)) -> bool {
        if self.doubt != Doubt::Expected && (self.of_rust || self.has(&holds_unknown)) {
            // Vectors have room that is no part of their value, and a number of their own for it.
            return is_known(old)
                && is_known(new)
                && replay::agrees(&without_memory(old), &without_memory(new)).is_err();
        }
        let containers = self.has(&exec::containers::holds) && !self.of_rust;
        let own = if containers { Own::OfContainers } else { Own::Known };
        really_differ(self.difference, (self.records, own), (a, old), (b, new))
    }

    /// Whether a fault is chance: a made-up `FILE` is none that the C library could use.
    fn is_chance(&self, expected: &Side, seen: &Outcome) -> bool {
        let is_fault = |outcome: &Outcome| matches!(outcome.end, End::Fault(_));
        let is_stream =
            |module: &Module, ty: DebugTypeId| exec::relaid::record_behind(module, ty).as_deref() == Some("_IO_FILE");
        is_fault(seen) && !is_fault(&expected.outcome) && self.has(&is_stream)
    }

    /// Whether a fault that was expected must have been seen and was not: safe code does not use memory that it must not use, and
    /// what a program does to end itself is seen. Then the model was wrong.
    fn misses(&self, expected: &Side, seen: &Outcome) -> bool {
        let is_seen = matches!(seen.end, End::Fault(_) | End::Bound(_));
        (self.of_rust && !is_valid(&expected.outcome) || ends_itself(&expected.outcome)) && !is_seen
    }

    /// What of a run depends on uninitialised memory; `others` had other bytes in it.
    fn dependent(&self, first: &Replayed, others: &[&Replayed], version: Version) -> Dependent {
        let outcome = self.outcome(first, version);
        let mut dependent = Dependent::default();
        for other in others {
            dependent.add((&outcome, &first.own), (&self.outcome(other, version), &other.own));
        }
        dependent
    }

    /// Whether what depends on uninitialised memory is more than bytes that nobody may read, such as padding or the rest of a buffer.
    fn is_seen(&self, dependent: &Dependent, version: Version) -> bool {
        let debug = &self.stage.couple.program.module.debug;
        let ty = self.stage.result_types[usize::from(version == Version::New)];
        let is_number = ty.is_some_and(|ty| !matches!(debug.types[debug.strip(ty)].kind, DebugTypeKind::Record { .. }));
        dependent.is_course() || is_number && dependent.has_result()
    }

    /// Whether runs still differ in what does not depend on uninitialised memory.
    fn differ_without(&self, dependent: &Dependent, witness: &Witness, a: &Replayed, b: &Replayed) -> bool {
        let blanked = |seen: &Outcome, one: &Replayed| {
            let (mut outcome, mut own) = (seen.clone(), one.own.clone());
            dependent.blank(&mut outcome, &mut own);
            (outcome, Replayed { own, ..one.clone() })
        };
        let ((old, a), (new, b)) = (blanked(&witness.seen.old, a), blanked(&witness.seen.new, b));
        self.differ((&old, &a), (&new, &b))
    }

    /// Which versions are defined on the input of the witness.
    fn domain(&self, witness: &Witness, (a, b): (&Replayed, &Replayed), of: [&Dependent; 2]) -> Domain {
        let [old, new] = of;
        let rests_on = |dependent: &Dependent| {
            dependent.is_course() || !dependent.is_empty() && !self.differ_without(dependent, witness, a, b)
        };
        let mut both = old.clone();
        both.extend(new);
        match () {
            () if rests_on(old) => Domain::New,
            () if rests_on(new) => Domain::Old,
            () if rests_on(&both) => Domain::New,
            () => Domain::Both,
        }
    }
}

/// Further runs of some inputs, to tell what their outcomes rest on.
pub struct Again<'a> {
    /// How runs on them are read, with the inputs of the old version and of the new one.
    pub cases: Vec<(&'a Reading<'a>, &'a Input, &'a Input)>,
    /// Runs inputs; nothing if that does not work.
    pub run: &'a Rerun<'a>,
}

/// Runs inputs of a version; what came of each, in the same order.
pub type Rerun<'a> = dyn Fn(Version, &[Input], Runs) -> Vec<Replayed> + Sync + 'a;

/// What runs with other bytes in uninitialised memory came to, one list for each of [`FILLINGS`].
type Filled = [Vec<Replayed>; FILLINGS.len()];

impl Again<'_> {
    /// Which witnesses are ones, each given with the runs that showed it: what is another thing each time, such as the number of a
    /// process, is no difference between versions. Those that are left say what they rest on.
    pub fn judge(&self, witnesses: Vec<(Witness, [&Replayed; 2])>) -> Vec<Option<Witness>> {
        let (old, new) = self.fill();
        let judge = |(number, (mut witness, [a, b])): (usize, (Witness, [&Replayed; 2]))| {
            let (reading, ..) = self.cases.get(number)?;
            let of_old = reading.dependent(a, &of_case(&old, number), Version::Old);
            let of_new = reading.dependent(b, &of_case(&new, number), Version::New);
            let of_old = self.without_chance(number, Version::Old, a, of_old)?;
            let of_new = self.without_chance(number, Version::New, b, of_new)?;
            witness.domain = reading.domain(&witness, (a, b), [&of_old, &of_new]);
            Some(witness)
        };
        witnesses.into_iter().enumerate().map(judge).collect()
    }

    /// Witnesses that show only with other bytes in uninitialised memory: what one version does depends on it, what the other one
    /// does does not. `seen` has the runs that showed nothing.
    pub fn one_sided(&self, seen: &[[&Replayed; 2]]) -> Vec<Option<Witness>> {
        let (old, new) = self.fill();
        let find = |(number, &[a, b]): (usize, &[&Replayed; 2])| {
            let (reading, ..) = self.cases.get(number)?;
            let (olds, news) = (of_case(&old, number), of_case(&new, number));
            let of_old = reading.dependent(a, &olds, Version::Old);
            let of_new = reading.dependent(b, &news, Version::New);
            let domain = match (of_old.is_empty(), of_new.is_empty()) {
                (false, true) if reading.is_seen(&of_old, Version::Old) => Domain::New,
                (true, false) if reading.is_seen(&of_new, Version::New) => Domain::Old,
                _ => return None,
            };
            let shows = |((&fill, &a), &b): ((&u8, &&Replayed), &&Replayed)| {
                let witness = reading.witness(a, b)?;
                let is_steady = |version: Version, first: &Replayed| {
                    let again = self.once_more(number, version, Runs::Filled(fill));
                    again.is_none_or(|again| first.is_repeated_by(&again))
                };
                (is_steady(Version::Old, a) && is_steady(Version::New, b)).then_some(Witness { domain, ..witness })
            };
            FILLINGS.iter().zip(&olds).zip(&news).find_map(shows)
        };
        seen.iter().enumerate().map(find).collect()
    }

    /// Runs all cases of both versions with other bytes in uninitialised memory.
    fn fill(&self) -> (Filled, Filled) {
        let inputs = |version: Version| -> Vec<Input> {
            let of =
                |&(_, old, new): &(_, &Input, &Input)| if version == Version::Old { old.clone() } else { new.clone() };
            self.cases.iter().map(of).collect()
        };
        let runs = |version: Version| {
            let inputs = inputs(version);
            FILLINGS.map(|fill| (self.run)(version, &inputs, Runs::Filled(fill)))
        };
        std::thread::scope(|scope| {
            let old = scope.spawn(|| runs(Version::Old));
            let new = runs(Version::New);
            (old.join().unwrap_or_default(), new)
        })
    }

    /// What depends on uninitialised memory, as another run in the same way shows; nothing if a run is another one each time.
    fn without_chance(
        &self,
        number: usize,
        version: Version,
        first: &Replayed,
        dependent: Dependent,
    ) -> Option<Dependent> {
        // Only what differs from run to run can be chance.
        if dependent.is_empty() {
            return Some(dependent);
        }
        match self.once_more(number, version, Runs::Repeated) {
            // It takes long whatever lies in that memory.
            Some(again) if again.is_stopped() => Some(Dependent::default()),
            Some(again) if !first.is_repeated_by(&again) => None,
            _ => Some(dependent),
        }
    }

    fn once_more(&self, number: usize, version: Version, runs: Runs) -> Option<Replayed> {
        let &(_, old, new) = self.cases.get(number)?;
        let input = if version == Version::Old { old } else { new };
        (self.run)(version, std::slice::from_ref(input), runs).pop()
    }
}

/// The runs of one case.
fn of_case(filled: &Filled, number: usize) -> Vec<&Replayed> {
    filled.iter().filter_map(|runs| runs.get(number)).collect()
}
