//! Why something is not decided, and what would decide it.

use crate::table::{Texts, table};
use crate::{Assumption, Limit};

impl Texts for Assumption {
    fn each(&mut self, change: &mut dyn FnMut(&mut String)) {
        self.for_each_text(change);
    }
}

/// What a gap means beside a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It is about one attempt: another attempt may succeed without it.
    Attempt,
    /// It stands whatever is proved: there may be a difference that the proof does not speak of.
    Stands,
    /// The versions have no common interface, so there is nothing to prove.
    NoInterface,
    /// The body may be the same, and others cannot call it any more.
    OutOfSight,
}

use Weight::{Attempt, NoInterface, OutOfSight, Stands};

table! {
    /// Why something is not decided.
    pub enum Gap (weight: Weight);

    "G001" Time "out of time" (Attempt)
        "The time for the function was used up before all paths were compared.", "A parser with deep loops.",
        "--timeout N gives each function more seconds";
    "G002" Interrupted "interrupted" (Attempt)
        "The run was interrupted before the function was decided.", "Ctrl-C.", "run it again";
    "G003" Memory "out of memory; --memory sets the limit" (Attempt)
        "The limit on memory was reached before all paths were compared.", "Large tables of unknown contents.",
        "--memory SIZE allows more";
    "G004" MemoryOfProcess { mebibytes: u64 } "out of memory: more than {mebibytes} MiB; --memory sets the limit" (Stands)
        "The process that compared the function went beyond its memory and was ended; others were compared by another process.",
        "Large tables of unknown contents.", "--memory SIZE allows more";
    "G005" Room "out of room" (Attempt)
        "A limit on the number of paths or states was reached.", "A function with millions of paths.",
        "--paths N allows more";
    "G006" ManyDifferences { most: u64 } "there may be more than {most} differences; the rest was not looked at" (Attempt)
        "The search ended after that many inputs on which the versions differ.", "Every path differs.",
        "--ignore KIND leaves out kinds of differences that do not matter";
    "G007" Solver "the solver timed out" (Attempt)
        "A query to the solvers timed out.", "`a * b == c * d` over 64-bit numbers.",
        "--timeout N; --solver COMMAND asks another solver, too";
    "G008" Bound { limit: Limit } "bound: {limit}" (Attempt)
        "A path was left at a limit on work.", "A loop with millions of iterations.", "--steps N, --calls N, --unwind N";
    "G009" OutOfScope { bound: Assumption } "scope: {bound}" (Attempt)
        "Inputs beyond this bound were not looked at.", "A string longer than --string.",
        "--unwind N, --string N, --elements N, --depth N";
    "G010" Unsupported { what: String } "unsupported: {what}" (Attempt)
        "The path comes to something that cannot be executed symbolically.", "Inline assembly.",
        "compare the callers, or put it into a function of its own that is only declared";
    "G011" Addresses "the outcome depends on where objects lie in memory" (Attempt)
        "The function compares, prints or hashes addresses.", "`p < q` of two objects.",
        "compare contents or indices instead of addresses";
    "G012" Uninitialised "an uninitialised value is used" (Attempt)
        "The outcome depends on a value that was never assigned.", "`int a; if (x) a = 1; return a;`.",
        "initialise the variable";
    "G013" Approximate { what: String } "only known approximately: {what}" (Attempt)
        "The model of a function says less than the function does.", "`{:>10}` of Rust's formatting.",
        "compare the callers with known arguments";
    "G014" Incomparable { part: String, why: String } "{part}: {why}" (Attempt)
        "A part of the outcomes of both versions could not be compared.", "A pointer into a record whose fields moved.",
        "compare a function that returns less";
    "G015" OneSided { what: String } "the outcome depends on {what}, which only one version has" (Attempt)
        "The value exists in one version only, so there is no common input.", "A new global variable.",
        "compare a caller that sets it";
    "G016" BesideRecord "memory beside a record that changed is used" (Attempt)
        "A pointer steps out of a record whose layout changed.", "`container_of` on a struct with a new field.",
        "compare the function that owns the record";
    "G017" NotGiven "memory is used that it was not given, as no input of Rust makes it" (Attempt)
        "An unsafe access goes beyond the value that was made up as input.", "`slice.get_unchecked(n)`.",
        "compare a caller that makes the value";
    "G018" NoCommonEnd "no input in scope ends in both versions" (Attempt)
        "On every input within the bounds at least one version did not come to its end.", "`for (;;) serve();`.",
        "--steps N, --unwind N";

    "G030" ChangeNotReached "no input within the bounds gets to what changed" (Stands)
        "The versions are the same on the inputs that were compared, but none of these executes changed code.",
        "A change behind `if (n > 1000000)` inside a loop.", "--unwind N, --string N, --elements N";
    "G031" ChangeBehindFailure "no input within the bounds gets to what changed, as long as allocations do not fail" (Stands)
        "The changed code runs only if an allocation fails, which is assumed not to happen.", "`if (!p) goto oom;`.",
        "review it by hand";
    "G032" LineNotReached "no input in scope gets to this line, which changed" (Stands)
        "The versions are the same on the inputs that were compared, but none of these executes this line.",
        "One of several changes behind a large constant.", "--unwind N, --string N, --elements N";
    "G033" FloatState "it computes with floats, and the program changes or reads the rounding mode or the exception flags" (Stands)
        "The result of floating-point arithmetic depends on state that is not modelled.", "`fesetround(FE_UPWARD)`.",
        "compare the file without the functions that change it";
    "G034" BuiltBefore { variable: String } "{variable} is initialised in another way before the program begins, and that code was not run" (Stands)
        "A constructor of a global variable changed.", "`static std::map<...> table = make();`.",
        "compare the function that makes the value";
    "G035" BeforeMain "what runs before or behind `main` changed" (Stands)
        "A constructor or destructor of the program changed, and programs are compared from `main` on.",
        "`__attribute__((constructor))`.", "compare the constructor as a function";
    "G036" NotRun "a difference was found but not run natively" (Stands)
        "The model shows a difference; without a native run it is not confirmed.", "--no-replay.",
        "run without --no-replay, --no-run";
    "G037" CouldNotRun { why: String } "a difference was found but could not be run natively: {why}" (Stands)
        "The model shows a difference; building or starting the native program failed.", "A missing library.",
        "mend what the message names";
    "G038" Refused { calls: String } "a difference was found, and a native run was stopped: refused: {calls}" (Stands)
        "The model shows a difference; the sandbox stopped a native run at a system call before it could be seen.",
        "`connect` in the function.", "--unsafe-replay runs it outside of the sandbox";
    "G039" NoTimeToRun "a difference was found, and there was no time to run it natively" (Stands)
        "The model shows a difference; the time was over before both builds ran.", "A busy machine.",
        "--timeout N gives more time";
    "G040" NotConfirmed "a difference of the model did not show natively" (Attempt)
        "The model shows a difference, and both native builds do the same on that input: the model is wrong there.",
        "A library function that the model knows only partly.", "please report it";
    "G041" PerhapsHangs { version: String, other: String, input: String }
        "perhaps a hang: the {version} version has not ended on {input}, the {other} one ends at once" (Stands)
        "One version ends on the input; the other one was stopped before its end.", "`while (n != 1) n = step(n);`.",
        "--steps N, --timeout N";

    "G050" NoProduct { why: String } "the versions cannot be made one program: {why}" (Stands)
        "The two programs could not be made one for the comparison.", "Two targets.", "compare files one by one";
    "G051" Variadic "it takes a variable number of arguments" (Attempt)
        "No inputs are made up for variadic functions.", "`int log(const char *format, ...)`.", "compare its callers";
    "G052" MemberPointers "a pointer to a member says where this lies in a class, and classes changed" (Attempt)
        "Pointers to members are offsets, and offsets changed.", "`int S::*field`.", "compare its callers";
    "G053" Variants "variants of an enum that it is given or returns have other numbers in the other version" (Attempt)
        "The same number means another variant in the other version.", "A variant was inserted in the middle.",
        "compare functions that make and consume the value";
    "G054" Pointee { of: String } "{of} has another pointee in the other version" (Attempt)
        "The type behind the pointer is not the same in both versions.", "`void *` became `struct s *`.",
        "compare its callers";
    "G055" AnalysisFailed { signal: u32 } "the analysis failed (signal {signal}); please report it with both versions of this function" (Stands)
        "The process that compared the function died; the others were compared by another process.", "A stack overflow of ours.",
        "please report it with both versions of the function";
    "G056" OwnFailure "pathshift itself failed here; please report it" (Stands)
        "An internal error; the others were compared all the same.", "A broken invariant.",
        "please report it with both versions of the function";
    "G057" DidNotStop "out of time: it did not stop when it should have" (Stands)
        "The work on the function ignored its time limit and was ended from outside.", "A single huge solver query.",
        "please report it with both versions of the function";

    "G070" OtherSignature "its parameters or its result changed" (NoInterface)
        "The versions have no common inputs.", "`f(int)` became `f(struct s *)`.", "compare its callers";
    "G071" Gone "it is gone, and others may call it" (Stands)
        "The function was removed, and it was visible outside of the program.", "An exported function was deleted.",
        "keep it, or change the version of the library";
    "G072" Renamed "it has another name, and others may call it by the old one" (OutOfSight)
        "The function was renamed, and it was visible outside of the program.", "`f` became `f2`.",
        "keep the old name as an alias";
    "G073" MadeLocal "it is local to its unit now, and others may call it" (OutOfSight)
        "The function was made `static`.", "`int f()` became `static int f()`.", "keep it public";
    "G074" MadeHidden "it is hidden now, and others may call it" (OutOfSight)
        "The visibility of the function changed.", "`__attribute__((visibility(\"hidden\")))`.", "keep it public";
    "G075" NoCode { why: String } "it changed, and this build has no code of it: {why}" (Stands)
        "The source of the function changed; the compiler made no code of it.", "A generic function without a caller.",
        "compare a build that uses it";
    "G076" NotBuilt { file: String } "{file}: it changed, and compile_commands.json, which is that of another version, does not have it" (Stands)
        "The file is no part of what was compared.", "A new file.", "make compile_commands.json for this version";
    "G077" Dependency { change: String } "{change}: what it does is not compared" (Stands)
        "The package got another version of a dependency; its code is not part of what is compared.", "`cargo update`.",
        "compare the two versions of the dependency";

    "G080" ReturnsTwice { function: String } "{function} returns twice" (Attempt)
        "The function calls something like `setjmp`, after which control may come back with other values of local variables.",
        "`if (setjmp(env)) ...`.", "compare the functions that it calls";
    "G081" InlineAssembly "inline assembly that is not modelled" (Attempt)
        "What the assembly reads and writes is not known.", "`__asm__ volatile(...)`.",
        "put it into a function of its own that is only declared";
    "G082" IndirectBranch "an indirect branch" (Attempt)
        "Control goes to a label whose address was computed.", "`goto *labels[op];`.", "compare a build without computed gotos";
    "G083" UnpairedLoops "loops of the two versions do not correspond" (Attempt)
        "No pairing of loop headers was found under which both versions stay in the same state.",
        "One loop became two.", "--unwind N unrolls further";
    "G084" ChangedThroughPointer { function: String } "{function}, which changed, may be called through a pointer" (Attempt)
        "A call through a pointer, or a callback of a library function, may reach a function that differs.",
        "`qsort(a, n, size, compare)` with a changed `compare`.", "decide the function that changed first";
    "G085" ChangedCallee { function: String } "{function}, which it calls, may differ" (Attempt)
        "The function's own code is the same as far as it was compared; what it calls is not known to be the same.",
        "A caller of an undecided function.", "decide the function that it calls first";
    "G086" OneSidedLoop "a loop that only one version has may not end" (Attempt)
        "There is no term that shrinks with each iteration, so one version may run forever where the other one ends.",
        "A loop was added.", "--unwind N compares both versions up to a bound";
    "G087" OneSidedObject { of: String } "{of}, which only one version has, can be reached from a shared call" (Attempt)
        "A call that both versions make may read or write an object that only one of them has.",
        "A local buffer was added and is given to a callee.", "compare the callee and the caller separately";
    "G088" NoRelation { why: String } "the versions cannot be compared from any state: {why}" (Attempt)
        "The relational proof needs equal layouts, globals and parameters in both versions.", "A record that changed.",
        "--unwind N compares both versions up to a bound";

    "G089" NotSearched "no proof was found, and no difference was searched for: --only-proof" (Attempt)
        "Only proofs for all inputs were asked for.", "A change of behaviour under --only-proof.", "leave out --only-proof";
    "G090" VersionsPart "the versions do not do the same from some state" (Attempt)
        "A call of the new version has no counterpart in the old one, so there is no proof for all inputs.",
        "`puts(\"a\")` became `puts(\"b\")`.", "see where the versions part, or the difference that was found";
    "G091" Passing "it is given or returns values in another way: registers, widening or calling convention" (Attempt)
        "Callers of the old version put values where the new version does not look for them, or leave out what it relies on.",
        "`__attribute__((ms_abi))` was added, or `char` became `unsigned char`.", "compare a build of all callers";
    "G092" MayThrow { function: String } "a call may throw, and {function} has code that runs then" (Attempt)
        "The call goes outside of the program or through a pointer, and is followed as one that returns. If it throws, a handler or destructor runs, which was not compared.",
        "`try { v->cb(x); } catch (...) { return -1; }`.", "`noexcept` says it in the source";

    "G093" AssemblyChanged { symbol: String } "it gets to {symbol}, which assembly may define, and the assembly changed" (Stands)
        "Assembly outside of functions is not the same in both versions; what it defines is not compared.",
        "`__asm__(\".globl zz\\nzz: .long 1\");` and a function that reads `zz`.", "review the assembly by hand";
    "G094" AliasTarget { old: String, new: String } "it stands for {new} now instead of {old}" (Stands)
        "A symbol that others may use is another name for something, and no longer for the same thing.",
        "`int c(int) __attribute__((alias(\"a\")))` became `alias(\"b\")`.", "compare what the name stood for with what it stands for";
    "G095" VariableGone "it is gone, or local now, and others may use it" (Stands)
        "A variable that was visible outside of the program was removed, renamed or made local.", "`int verbose;` was deleted.",
        "keep it, or change the version of the library";
    "G096" OtherContents "it begins with something else, and others may read it" (Stands)
        "A constant, or a variable that no function of the program uses, is visible outside and has other contents.",
        "`const int limit = 3;` became `const int limit = 4;`.", "review the code that reads it";
}

impl Gap {
    /// What it means beside a proof.
    pub fn weight(&self) -> Weight {
        self.properties().0
    }

    /// What stopped it, without the word that says in which way.
    pub fn what(&self) -> String {
        match self {
            Gap::OutOfScope { bound } => bound.to_string(),
            Gap::Bound { limit } => limit.to_string(),
            Gap::Unsupported { what } => what.clone(),
            other => other.to_string(),
        }
    }

    /// Whether a difference was found that could not be run: then the function must not be called the same.
    pub fn is_unconfirmed(&self) -> bool {
        matches!(self, Gap::NotRun | Gap::CouldNotRun { .. } | Gap::Refused { .. } | Gap::NoTimeToRun)
    }

    const fn note(weight: Weight) -> &'static str {
        match weight {
            Attempt => "",
            Stands => "it stands beside any proof",
            NoInterface => "the verdict is *interface*",
            OutOfSight => "the verdict is *interface* if the bodies are the same",
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_were_written() {
        let check = |gap: Gap, text: &str| {
            assert_eq!(gap.to_string(), text);
            let json = serde_json::to_string(&gap).unwrap();
            assert_eq!(serde_json::from_str::<Gap>(&json).unwrap(), gap, "{json}");
        };
        let bound = Assumption::Characters { of: "s".to_owned(), most: 8 };
        check(Gap::OutOfScope { bound }, "scope: s: strings up to 8 characters");
        check(Gap::Bound { limit: Limit::Instructions }, "bound: instructions on a path");
        check(Gap::Bound { limit: Limit::Model("digits".to_owned()) }, "bound: digits");
        check(Gap::Time, "out of time");
        check(Gap::Dependency { change: "log 1 -> 2".to_owned() }, "log 1 -> 2: what it does is not compared");
    }

    #[test]
    fn names_in_its_parts_can_be_changed() {
        let mut gap = Gap::OutOfScope { bound: Assumption::NothingBefore { of: "s".to_owned() } };
        gap.for_each_text(&mut |text| *text = "t".to_owned());
        assert_eq!(gap.to_string(), "scope: t: nothing before its beginning");
    }
}
