//! What a proof rests on.

use crate::table::table;

/// What an assumption is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A limit that we chose: nothing is claimed beyond it.
    Bound,
    /// Only some inputs are compared, or inputs of two signatures as far as both have them.
    Input,
    /// The machine, the libraries and the code around the function.
    Environment,
    /// Two executions side by side: what matched calls, objects and accesses of both versions have in common.
    Pairing,
    /// A part of the outcome that is not compared.
    Comparison,
}

/// Whether callers of a proved function rest on the assumption, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callers {
    /// They do, and say so.
    Inherit,
    /// Whether it holds depends on how they call: the proof is none for them.
    Prevent,
}

use Callers::{Inherit, Prevent};
use Class::{Bound, Comparison, Environment, Input, Pairing};

table! {
    /// What a proof rests on. Results list them in the order of their codes.
    pub enum Assumption (class: Class, callers: Callers);

    "A001" NoAliases "pointers of the input do not alias" (Input, Prevent)
        "Every pointer of the input has an object of its own. Inputs with aliases were looked at as far as time allowed, and for some of them there is no proof.",
        "`void add(int *a, const int *b) { *a += *b; *a += *b; }` called with `a == b`.",
        "--timeout N gives more time; `restrict` says it in the source";

    "A002" OutsideIsolated { function: String } "{function} answers equal calls alike, in order, and uses no memory of the program but what its arguments point to, nor errno" (Environment, Prevent)
        "The function is only declared. Its result depends on its arguments, on the calls before and on the memory that its arguments point to. It neither reads nor changes other memory of the program: variables, what pointers in that memory lead to, what an earlier call was given; nor does it set `errno`. Pointers that it returns or stores lead to memory of its own. What if it does otherwise was tried, and for some of that there is no proof.",
        "`int log_it(const char *);` without a definition.",
        "compare with the file that defines it";

    "A003" OutsideAnswers { function: String } "{function} returns the same whenever it is called with the same arguments, in order, and calls nothing of the program" (Environment, Prevent)
        "The function is only declared. It may change all memory that it can know of; it does not call back into the program.",
        "`int log_it(const char *);` without a definition.",
        "compare with the file that defines it";

    "A010" Elements { of: String, most: u64 } "{of}: up to {most} elements" (Bound, Prevent)
        "Objects behind this pointer have at most that many elements in the inputs that were compared.",
        "`for (i = 0; i < n; i++) s += p[i];` with 8 elements behind `p`.",
        "--elements N allows more";

    "A011" Characters { of: String, most: u64 } "{of}: strings up to {most} characters" (Bound, Prevent)
        "Strings behind this pointer have at most that many characters before their NUL.",
        "`strlen(s)` with strings of up to 8 characters.",
        "--string N allows longer ones";

    "A012" Ascii { of: String } "{of}: text of ASCII characters" (Bound, Prevent)
        "Text of Rust has one byte a character in the inputs that were compared.",
        "`s.chars().count()` of a `&str`.",
        "";

    "A013" Depth { pointers: u32 } "at most {pointers} pointers in a row, the next is null" (Bound, Prevent)
        "Lists and trees of the input end after that many pointers.",
        "`while (p) p = p->next;`.",
        "--depth N allows longer chains";

    "A014" FewElementsOfRoom "vectors and strings with room for few elements" (Bound, Prevent)
        "Vectors and strings of Rust among the inputs have little spare capacity.",
        "`v.push(1)` on a `&mut Vec<u8>`.",
        "";

    "A015" StringWithRoom { of: String } "{of}: a string with room for more" (Bound, Prevent)
        "This `std::string` of the input has spare capacity.",
        "`s += 'x'` on a `std::string &`.",
        "";

    "A016" VectorWithoutRoom { of: String } "{of}: a vector without room for more" (Bound, Prevent)
        "This `std::vector` of the input has no spare capacity.",
        "`v.push_back(1)` on a `std::vector<int> &`.",
        "";

    "A017" Aliased { pointer: String, to: String } "{pointer} is {to}" (Bound, Prevent)
        "These pointers alias in the inputs that were compared: nothing gets to the change otherwise.",
        "A ring: `p->next == p`.",
        "";

    "A018" Iterations { most: u32 } "up to {most} iterations of a loop" (Bound, Prevent)
        "Loops were unrolled that many times at most.",
        "`while (n) n &= n - 1;`.",
        "--unwind N unrolls further";

    "A019" Recursion { most: u32 } "up to {most} nested calls of a function" (Bound, Prevent)
        "Recursion was followed to that depth at most.",
        "`int f(int n) { return n ? f(n - 1) + 1 : 0; }`.",
        "--unwind N follows deeper";

    "A020" NothingBefore { of: String } "{of}: nothing before its beginning" (Bound, Prevent)
        "The function reads in front of the object that it was given; such inputs were not compared.",
        "`s[-1]`, `container_of`.",
        "";

    "A021" Arguments { most: u64 } "up to {most} arguments" (Bound, Prevent)
        "The program was given at most that many command line arguments.",
        "`int main(int argc, char **argv)`.",
        "";

    "A022" StandardInput { bytes: u64 } "standard input up to {bytes} bytes" (Bound, Prevent)
        "The program was given at most that many bytes on stdin.",
        "`while ((c = getchar()) != EOF)`.",
        "--string N allows more";

    "A023" HarnessInputs "inputs that the program can be given" (Bound, Prevent)
        "The harness of the program assumes something of its inputs; others were not compared.",
        "`klee_assume(n < 10)`.",
        "";

    "A030" AtLeast { of: String, bytes: u64 } "{of}: at least {bytes} bytes" (Input, Prevent)
        "One version accesses more bytes of the object than the other one, so objects have to be that large.",
        "The new version reads `p[4]`, the old one up to `p[3]`.",
        "";

    "A031" CommonFields { of: String } "{of}: what both versions have, field by field" (Input, Prevent)
        "The record changed; both versions get the same values in the fields that both have.",
        "A field was added to a struct.",
        "";

    "A032" CommonNumbers { of: String } "{of}: numbers that both versions can hold" (Input, Prevent)
        "The type of the field changed; values that fit in both types were compared.",
        "`int len` became `size_t len`.",
        "";

    "A033" Fits { of: String, ty: String } "{of}: what fits in {ty}" (Input, Prevent)
        "The type of the parameter changed; values that fit in both types were compared.",
        "`int f(int n)` became `int f(long n)`.",
        "";

    "A034" MovedParameter { of: String } "{of}: the same wherever it stands" (Input, Prevent)
        "The parameter changed its position; both versions get the same value for it.",
        "`f(a, b)` became `f(b, a)`.",
        "";

    "A035" OneSidedParameter { of: String } "whatever {of} is" (Input, Prevent)
        "Only one version has the parameter; the proof holds for each of its values.",
        "A parameter was added that is not used.",
        "";

    "A036" ResultAsNumber "its result as a number" (Input, Prevent)
        "The type of the result changed; results are compared as numbers.",
        "`int f()` became `long f()`.",
        "";

    "A037" WithoutResult "apart from its result" (Input, Prevent)
        "Only one version returns something; the rest of the outcome is compared.",
        "`void f()` became `int f()`.",
        "";

    "A038" DeclaredPointees "pointers have the pointees that both versions declare" (Input, Prevent)
        "The pointee type of a parameter changed; what fits behind a pointer of the old version may be too small for the new one.",
        "`short *` became `int *`.",
        "";

    "A039" CommonVariants { of: String } "variants of {of} that have the same number in both versions" (Input, Prevent)
        "The enum changed; inputs have only those variants that both versions know by the same number.",
        "A variant was added to a Rust enum.",
        "";

    "A040" AsBegun { variable: String } "{variable} as the program begins" (Input, Prevent)
        "The variable begins with another value in the new version; other values of it were not compared.",
        "`int level = 1;` became `int level = 2;`.",
        "";

    "A041" EmptyEnvironment "the environment is empty" (Input, Prevent)
        "The program reads environment variables; none is set.",
        "`getenv(\"HOME\")`.",
        "";

    "A042" NoOtherFiles "there are no other files" (Input, Prevent)
        "The program opens or looks for files; there are none but those that it was given.",
        "`fopen(argv[1], \"r\")`.",
        "";

    "A043" NoTerminal "nothing is a terminal" (Input, Prevent)
        "The program asks whether a stream is a terminal; none is.",
        "`isatty(1)`.",
        "";

    "A044" InputAtBeginning "standard input is at its beginning" (Input, Prevent)
        "The program asks for the position of stdin.",
        "`ftell(stdin)`.",
        "";

    "A045" ReadingWorks "reading does not fail" (Input, Prevent)
        "The program asks whether reading failed; it does not.",
        "`ferror(stdin)`.",
        "";

    "A046" ProgramName "the name of the program is what it was" (Input, Prevent)
        "The program asks for its own name.",
        "`program_invocation_name`.",
        "";

    "A047" CalledAs { program: String } "called as `{program}`" (Input, Prevent)
        "The program's first argument is this name.",
        "`argv[0]`.",
        "";

    "A050" Panics "a panic ends the program at once" (Environment, Inherit)
        "Destructors that run while a panic unwinds, and `catch_unwind` of callers, are not compared.",
        "`v[i]` with `i` out of range.",
        "";

    "A051" Uncaught "no caller catches what it throws" (Environment, Prevent)
        "Both versions throw; what a handler sees of the exception is not compared.",
        "`throw std::runtime_error(text)`.",
        "";

    "A052" Allocations "allocations do not fail" (Environment, Prevent)
        "Paths on which `malloc` returns null were not compared.",
        "`p = malloc(n); if (!p) return -1;`.",
        "";

    "A053" Aligned "objects lie at multiples of 16 bytes" (Environment, Prevent)
        "The function computes with the low bits of an address; objects are aligned as allocators align them.",
        "`((uintptr_t)p & 7) == 0`.",
        "";

    "A054" Stack "the stack is large enough" (Environment, Inherit)
        "Changed code recurses or has large locals; how much stack it needs is not compared.",
        "`char buffer[1 << 20];`.",
        "";

    "A055" Threads "no other thread changes what is shared meanwhile" (Environment, Inherit)
        "The function uses what other threads may change; what they do between two accesses is not compared.",
        "`atomic_fetch_add(&n, 1)`.",
        "";

    "A056" OneThread { variable: String } "{variable} of one thread" (Environment, Prevent)
        "Each thread has the variable for itself in one version only; a single thread was compared.",
        "`static int n;` became `static _Thread_local int n;`.",
        "";

    "A057" Output "output does not fail" (Environment, Prevent)
        "The function looks at whether writing worked; it does.",
        "`if (printf(...) < 0)`.",
        "";

    "A058" WritableMemory "memory of the input can be written" (Environment, Prevent)
        "Only one version writes to the memory, and writes the value that is there already.",
        "`if (*p != 0) *p = 0;` became `*p = 0;`.",
        "";

    "A059" NotReplaced { symbol: String } "nothing takes the place of {symbol}" (Environment, Prevent)
        "The definition is weak or tentative: another one may replace it when programs are linked.",
        "`__attribute__((weak)) int hook(void)`.",
        "";

    "A060" BeforeConstructors "variables as they are before constructors run" (Environment, Prevent)
        "The program has constructors that run before `main`; their effect on variables is not part of the comparison.",
        "A global object of a C++ class.",
        "";

    "A070" Termination { function: String } "{function} ends in both versions or in neither" (Pairing, Inherit)
        "Matched calls of this function, or matched iterations of its loops, give the same results if they end; that one version ends and the other one does not is not excluded (partial equivalence).",
        "A recursive function whose recursive calls are matched.",
        "";

    "A071" ValidAccess { file: String, line: u32 } "accesses that only the new version makes at {file}:{line} are valid" (Pairing, Inherit)
        "The new version reads or writes memory there that the old one does not access on the same path. If that memory is not there, the new version faults.",
        "`x = p->n;` moved in front of `if (!p) return;`.",
        "check the line by hand, or let the path exploration run longer: --timeout N";

    "A072" PairedAddresses "matched objects of both versions have equal addresses" (Pairing, Inherit)
        "Local variables and allocations that both versions make at matched places have the same address, as far as the program can see. Addresses that are compared across objects, cast to integers or printed are excluded.",
        "`struct s *p = malloc(sizeof *p); table[n] = p;`.",
        "";

    "A073" PairedUninitialised "uninitialised bytes of matched objects are equal" (Pairing, Inherit)
        "Bytes of a local variable or an allocation that were never assigned have the same value in both versions. Objects are matched by where they are made, or by which number they were to be read as where `scanf` read none.",
        "A struct with padding that is copied by `memcpy`.",
        "";

    "A074" OutsideDeterministic { function: String } "{function} does the same if it is called with the same arguments, memory and surroundings" (Environment, Inherit)
        "The function is only declared. Matched calls of it with equal arguments in equal memory, with the same files, clock and other surroundings, have equal effects and results.",
        "`int log_it(const char *);` without a definition.",
        "compare with the file that defines it";

    "A075" ValidOldAccess { file: String, line: u32 } "accesses that only the old version makes at {file}:{line} are valid" (Pairing, Inherit)
        "The old version reads, writes or divides there, and the new version does not. If that faults, the new version does not fault.",
        "A read whose value is not used was removed.",
        "";

    "A076" FunctionTypes "functions are called through pointers of their own types" (Environment, Inherit)
        "A function that differs has its address taken, but has other parameters or another result than what is called through the pointer. Such a call is undefined, though most machines make it.",
        "`void (*cb)(void *) = (void (*)(void *))compare;` where `compare` returns `int`.",
        "";

    "A078" FieldsByName { records: String } "{records}: fields of the same name and type hold the same, wherever they lie" (Pairing, Inherit)
        "The layout of these structs changed. Both versions are compared as if they were compiled with one layout; bytes that are copied or read without a field are not compared.",
        "`struct s { int a; int b; }` that becomes `struct s { int a; char c; int b; }`.",
        "";

    "A080" Errno "what mathematical functions leave in errno is not compared" (Comparison, Inherit)
        "`sqrt` and the like set `errno` on errors; this is not modelled.",
        "`sqrt(x)` with a negative `x`.",
        "";

    "A081" Capacity "how much room vectors and strings have (their capacity) is not compared" (Comparison, Prevent)
        "Containers with the same elements are the same.",
        "`v.reserve(8)`.",
        "";

    "A082" Padding "bytes between fields, which hold nothing, are not compared" (Comparison, Prevent)
        "Padding of records is not part of the outcome.",
        "`struct { char a; int b; }`.",
        "";

    "A083" PanicMessage "what a panic says is not compared" (Comparison, Prevent)
        "Both versions panic; the text of the message is not compared.",
        "`panic!(\"bad {n}\")`.",
        "";

    "A084" AssertionMessage "what a failed assertion says is not compared" (Comparison, Prevent)
        "Both versions fail an assertion; its text and line are not compared.",
        "`assert(n > 0)`.",
        "";

    "A085" Flushing "when output leaves the buffer of its stream is not compared" (Comparison, Prevent)
        "The same bytes are written in the end.",
        "`fflush(stdout)` was added.",
        "";

    "A086" ContainerPlace "where vectors and strings keep what they hold, and how much room they have, is not compared" (Comparison, Prevent)
        "Containers of C++ with the same elements are the same.",
        "`std::vector<int>` that is returned.",
        "";

    "A087" ReferencePlace "where a reference that is returned leads is not compared, but what it leads to" (Comparison, Prevent)
        "References of Rust to equal values are the same.",
        "`fn first(&self) -> &str`.",
        "";

    "A088" OneSidedFields "fields that only one version has are not compared" (Comparison, Prevent)
        "The record changed; the fields that both versions have are compared.",
        "A field was added to a struct.",
        "";

    "A089" OutsideReturns "calls of functions outside of the program, and through pointers, return and do not throw" (Environment, Inherit)
        "Such a call may throw an exception or end the program. What the versions did before it, and what a caller then sees, is not compared.",
        "`++depth; int r = v->cb(x); --depth;` in place of a guard object whose destructor counts down.",
        "`noexcept` says it in the source";

    "A090" TypesApart "pointers to different types do not lead to the same memory" (Environment, Prevent)
        "Memory that is written through a pointer to one type and used through a pointer to another one was not looked at. In allocated memory some such programs are valid, and with -fno-strict-aliasing all of them.",
        "`void f(int *p, long *q) { *p = 1; *q = 2; }` called with both in one block of `malloc`.",
        "`restrict` says it in the source";

    "A091" DebugBuild "both are builds for debugging, in which arithmetic that overflows panics" (Environment, Inherit)
        "Both versions panic, at least one of them by a check that builds for release leave out: there it goes on.",
        "`a.checked_add(b).expect(\"too large\")` became `a + b`.",
        "";
}

impl Assumption {
    /// What it is about.
    pub fn class(&self) -> Class {
        self.properties().0
    }

    /// Whether callers rest on it, too.
    pub fn callers(&self) -> Callers {
        self.properties().1
    }

    /// Whether it is a limit that we chose: nothing is claimed beyond it.
    pub fn is_bound(&self) -> bool {
        self.class() == Bound
    }

    /// Whether only some inputs are compared, by a bound or otherwise.
    pub fn restricts_inputs(&self) -> bool {
        matches!(self.class(), Bound | Input)
    }

    /// Whether a proof that rests on it is still one for all inputs, as callers understand that.
    pub fn leaves_all_inputs(&self) -> bool {
        self.callers() == Inherit || self.class() == Comparison
    }

    const fn note(class: Class, callers: Callers) -> &'static str {
        match (class, callers) {
            (Bound, _) => "a bound; nothing is claimed beyond it, and callers do not inherit the proof",
            (Input, _) => "about inputs; callers do not inherit the proof",
            (Environment, Inherit) => "about the environment; callers inherit it",
            (Environment, Prevent) => "about the environment; callers do not inherit the proof",
            (Pairing, Inherit) => "about matched parts of both versions; callers inherit it",
            (Pairing, Prevent) => "about matched parts of both versions; callers do not inherit the proof",
            (Comparison, Inherit) => "not compared; callers inherit it",
            (Comparison, Prevent) => "not compared; callers do not inherit the proof",
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_their_parts() {
        let check = |assumption: Assumption, code: &str, text: &str| {
            assert_eq!((assumption.code(), assumption.to_string().as_str()), (code, text));
        };
        check(Assumption::Elements { of: "p".to_owned(), most: 8 }, "A010", "p: up to 8 elements");
        check(Assumption::Panics, "A050", "a panic ends the program at once");
        check(Assumption::CalledAs { program: "x".to_owned() }, "A047", "called as `x`");
    }

    #[test]
    fn json_is_read_as_what_was_written() {
        let check = |one: Assumption, expect: &str| {
            let text = serde_json::to_string(&one).unwrap();
            assert_eq!(text, expect);
            assert_eq!(serde_json::from_str::<Assumption>(&text).unwrap(), one, "{text}");
        };
        let depth =
            r#"{"code":"A013","name":"depth","text":"at most 3 pointers in a row, the next is null","pointers":3}"#;
        check(Assumption::Depth { pointers: 3 }, depth);
        check(Assumption::Stack, r#"{"code":"A054","name":"stack","text":"the stack is large enough"}"#);
    }

    #[test]
    fn names_of_the_program_can_be_changed() {
        let mut one = Assumption::Aliased { pointer: "a".into(), to: "b".into() };
        one.for_each_text(&mut |text| text.push('!'));
        assert_eq!(one.to_string(), "a! is b!");
    }
    #[test]
    fn only_what_holds_in_every_caller_is_inherited() {
        let inherited = |one: &Assumption| one.callers() == Inherit;
        let machine = [Assumption::Panics, Assumption::Errno, Assumption::Stack, Assumption::Threads];
        assert!(machine.iter().all(inherited));
        let access = Assumption::ValidAccess { file: "a.c".to_owned(), line: 3 };
        assert!(inherited(&access) && !access.restricts_inputs());
        let bound = Assumption::Iterations { most: 16 };
        assert!(bound.is_bound() && bound.restricts_inputs() && !inherited(&bound));
        assert!(!inherited(&Assumption::NoAliases) && !Assumption::NoAliases.is_bound());
    }
}
