//! Two versions of one function, ready to be compared, and the means to do it: following all paths within bounds, trying
//! inputs, and running both builds.

use super::confirm::{Doubt, confirm};
use super::couple::Couple;
use super::explored::{MAX_DIFFERENCES, evidence_of};
use super::findings::Evidence;
use super::shown::{self, Stage};
use super::task::Task;
use super::whole::{TRIED_ARGUMENT, TRIED_INPUT, TRIED_LONG_INPUT, reads_input, shell};
use evidence::Assumption;
use exec::entry::Entry;
use exec::inputs::Bounds;
use explore::pair::{ChangedCode, Compared, Difference, Questions};
use explore::probe::{Effort, Tried, probe};
use ir::id::FuncId;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Records behind a pointer of an input that is tried.
const TRIED_RECORDS: u64 = 3;

/// Elements and characters behind a pointer of an input that is tried, in the second half of all.
const TRIED_ELEMENTS: u64 = 270;

/// Inputs that are tried of those with the same aliases.
const ALIASED: u32 = 200;

/// Two versions of a function.
pub struct Versus<'v, 'a> {
    /// Both programs.
    pub task: &'v Task<'a>,
    /// Both as one program.
    pub couple: &'v Couple,
    /// The function in the old version, and in the new one.
    pub ids: (FuncId, FuncId),
    /// Both of them in the one program, old and new.
    pub entries: [FuncId; 2],
    /// How differences are shown.
    pub stage: Stage<'v>,
    /// Whether more than one place changed of what it runs.
    pub several: bool,
    /// Whether it is a whole program, and so has arguments and standard input.
    pub is_program: bool,
    /// How many arguments that is given.
    pub arguments: u64,
    /// What is taken for granted of the world around that.
    pub world: Vec<Assumption>,
    /// Whether it has nothing to do with records that changed.
    pub plain: bool,
    /// When this began.
    pub started: Instant,
}

impl Versus<'_, '_> {
    /// Time that is left.
    pub fn left(&self) -> Duration {
        self.task.time.saturating_sub(self.started.elapsed())
    }

    /// Follows both versions on all inputs within bounds. If they share functions, these are not entered.
    pub fn compare(&self, bounds: &Bounds, unwind: Option<u32>, time: Duration, shares: bool) -> Compared {
        self.compare_as(self.couple, self.task.changed, bounds, unwind, time, shares)
    }

    /// The same for another form of the one program, with its own changed code.
    pub fn compare_as(
        &self,
        couple: &Couple,
        changed: &ChangedCode,
        bounds: &Bounds,
        unwind: Option<u32>,
        time: Duration,
        shares: bool,
    ) -> Compared {
        let options = self.task.options;
        let deadline = Some(Instant::now() + time);
        let exploring = explore::options::Options { unwind, deadline, shares, ..options.explore.clone() };
        let [old, new] = self.entries(bounds.characters, bounds.characters);
        let cause = |difference: &Difference| self.cause(difference);
        let questions = Questions { changed, ..self.questions(&cause) };
        explore::pair::compare(&couple.program, &old, &new, &exploring, bounds, (options.chain)(), &questions)
    }

    /// What a comparison says; what looks different is run natively.
    pub fn judge(&self, compared: &Compared) -> Vec<Evidence> {
        let mut found = evidence_of(self.task.sources, self.couple, compared);
        if !compared.differences.is_empty() {
            found.extend(self.confirm(compared, Doubt::Expected));
        }
        found
    }

    /// Runs inputs on both builds.
    pub fn confirm(&self, inputs: &Compared, doubt: Doubt) -> Vec<Evidence> {
        let Task { old, new, options, natives, .. } = *self.task;
        confirm((old, self.ids.0), (new, self.ids.1), &self.stage, inputs, options, natives, doubt)
    }

    /// Runs both versions on many inputs: first on small ones, then, if these show nothing, on large ones.
    pub fn try_inputs(&self, bounds: &Bounds, effort: Effort) -> Tried {
        let usual = Bounds { records: TRIED_RECORDS, ..bounds.clone() };
        if self.is_program && !reads_input(&self.couple.program.module) {
            return self.try_within(&usual, &effort, TRIED_INPUT);
        }
        let (effort, more) = effort.halves();
        let tried = self.try_within(&usual, &effort, TRIED_INPUT);
        if !tried.compared.differences.is_empty() {
            return tried;
        }
        // Short inputs may make long outputs, for which there has to be room.
        let room = if self.is_program { 0 } else { TRIED_ELEMENTS };
        let large = Bounds { elements: usual.elements.max(room), characters: usual.characters.max(room), ..usual };
        let larger = self.try_within(&large, &more, TRIED_LONG_INPUT);
        let inputs = tried.inputs + larger.inputs;
        let any = |one: Compared, other: Compared| if one.differences.is_empty() { other } else { one };
        let compared = any(larger.compared, tried.compared);
        let (doubtful, long) = (any(tried.doubtful, larger.doubtful), any(tried.long, larger.long));
        Tried { compared, doubtful, long, inputs, ..tried }
    }

    /// Runs both versions on inputs in which pointers alias.
    pub fn try_aliased(&self, bounds: &Bounds, time: Duration) -> Compared {
        let effort = Effort { first: 0, inputs: ALIASED, time, samples: 0 };
        self.try_within(bounds, &effort, TRIED_INPUT).compared
    }

    fn try_within(&self, bounds: &Bounds, effort: &Effort, input: u64) -> Tried {
        let exploring = explore::options::Options { deadline: None, ..self.task.options.explore.clone() };
        let [old, new] = self.entries(TRIED_ARGUMENT, input);
        let cause = |difference: &Difference| self.cause(difference);
        probe(&self.couple.program, &old, &new, &exploring, bounds, &self.questions(&cause), effort)
    }

    /// Where both versions begin; programs are given arguments and standard input of at most so many characters.
    fn entries(&self, argument: u64, input: u64) -> [Entry; 2] {
        let shell = self.is_program.then(|| Arc::new(shell(self.arguments, argument, input)));
        self.entries.map(|function| Entry { function, shell: shell.clone() })
    }

    fn questions<'q>(&'q self, cause: &'q dyn Fn(&Difference) -> String) -> Questions<'q> {
        Questions { most: MAX_DIFFERENCES, cause, cases: self.task.options.tests, changed: self.task.changed }
    }

    fn cause(&self, difference: &Difference) -> String {
        shown::cause(difference, &self.stage, self.several)
    }
}
