//! What is known of functions without a body: the C library, the runtimes of C++ and Rust, intrinsics.
//!
//! One table, one line a kind of function. A function that is not in it may do anything to memory that the outside can
//! reach. Whether a function is called with what it is declared for is not checked: a program that defines its own
//! `malloc` has a body for it, and then the body counts.

use ir::attrs::{AttrFlag, MemoryEffects};
use ir::constant::ConstKind;
use ir::id::{Arena, FuncId};
use ir::inst::{Call, Value};
use ir::module::{Module, SymbolKind};

/// What a function does with the memory behind an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArgUse {
    /// It reads it.
    pub reads: bool,
    /// It writes it.
    pub writes: bool,
    /// It may keep the pointer, or follow pointers that it finds there.
    pub keeps: bool,
}

/// What a function's result points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOf {
    /// Nothing: a number.
    Number,
    /// A part of what the argument points to.
    Argument(usize),
    /// An object of its own.
    Fresh,
    /// What the first argument points to, or an object of its own with the same contents.
    Moved,
    /// Memory that the library owns, such as `errno`.
    Hidden,
    /// Anything that the outside knows.
    Outside,
}

/// How a function takes part in what happens outside of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorldUse {
    /// Its result depends on the outside.
    pub reads: bool,
    /// It changes the outside.
    pub writes: bool,
}

/// What is known of a function without a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// What happens to the memory behind each argument.
    pub args: Vec<ArgUse>,
    /// The same for all further ones.
    pub rest: ArgUse,
    /// What the result points to.
    pub result: ResultOf,
    /// Whether it copies what the second argument points to, pointers too, to where the first one points to.
    pub copies: bool,
    /// Whether it writes the first argument, or a pointer into the same object, to where the second one points to.
    pub stores: bool,
    /// How it takes part in what happens outside.
    pub world: WorldUse,
    /// Whether it ends the program.
    pub exits: bool,
    /// Whether it may throw an exception.
    pub throws: bool,
    /// Position of a `printf` format, in which `%n` writes through an argument.
    pub format: Option<usize>,
}

impl External {
    /// What happens to the memory behind the argument at `index` of a call.
    pub fn arg(&self, module: &Module, call: &Call, index: usize) -> ArgUse {
        let listed = self.args.get(index).copied();
        let mut arg = listed.unwrap_or(self.rest);
        if listed.is_none() && self.format.is_some_and(|at| !is_plain_format(module, call.args.get(at))) {
            arg.writes = true;
        }
        arg
    }
}

/// What is known of each function without a body; `None` if nothing is, or if it has one.
pub fn externals(module: &Module) -> Arena<FuncId, Option<External>> {
    module.functions.ids().map(|id| external(module, id)).collect()
}

fn external(module: &Module, id: FuncId) -> Option<External> {
    let function = &module.functions[id];
    if function.is_defined() {
        return None;
    }
    let name = module.function_name(id);
    let spec = match name.strip_prefix("llvm.") {
        Some(intrinsic) => Some(intrinsic_spec(intrinsic)),
        None => TABLE.iter().find(|(names, _)| names.split_whitespace().any(|known| known == name)).map(|row| row.1),
    };
    if let Some(spec) = spec {
        return Some(parse(spec));
    }
    let effects = module.attrs[function.attrs].0.iter().find_map(|attr| match attr {
        ir::attrs::Attr::Memory(effects) => Some(*effects),
        _ => None,
    });
    // What it keeps it cannot write anywhere.
    let spec = match effects? {
        MemoryEffects::None => "*- o",
        MemoryEffects::Read => "*r o",
        _ => return None,
    };
    let mut known = parse(spec);
    known.throws = !module.attrs[function.attrs].has(AttrFlag::NoUnwind);
    Some(known)
}

/// Reads a line of the table: a letter for each argument, then, behind a space, the result and properties.
fn parse(spec: &str) -> External {
    let (args, rest) = spec.split_once(' ').unwrap_or((spec, ""));
    let mut known = External {
        args: Vec::new(),
        rest: ArgUse::default(),
        result: ResultOf::Number,
        copies: false,
        stores: false,
        world: WorldUse::default(),
        exits: false,
        throws: false,
        format: None,
    };
    let mut repeats = false;
    for letter in args.chars() {
        let arg = match letter {
            'r' => ArgUse { reads: true, ..ArgUse::default() },
            'w' => ArgUse { writes: true, ..ArgUse::default() },
            'b' => ArgUse { reads: true, writes: true, keeps: false },
            'k' => ArgUse { reads: true, writes: true, keeps: true },
            'f' => {
                known.format = Some(known.args.len());
                ArgUse { reads: true, ..ArgUse::default() }
            }
            '*' => {
                repeats = true;
                continue;
            }
            _ => ArgUse::default(),
        };
        match repeats {
            true => known.rest = arg,
            false => known.args.push(arg),
        }
    }
    for letter in rest.chars() {
        match letter {
            '0'..='9' => known.result = ResultOf::Argument(letter as usize - '0' as usize),
            'h' => known.result = ResultOf::Fresh,
            'm' => known.result = ResultOf::Moved,
            'H' => known.result = ResultOf::Hidden,
            'o' => known.result = ResultOf::Outside,
            'c' => known.copies = true,
            's' => known.stores = true,
            'i' => known.world = WorldUse { reads: true, writes: true },
            'p' => known.world.writes = true,
            'x' => known.exits = true,
            't' => known.throws = true,
            _ => {}
        }
    }
    known
}

/// Functions and what they do. Arguments: `-` is not followed, `r` is read, `w` written, `b` both, `k` both and kept,
/// `f` a `printf` format; `*` begins what holds of all further ones. Result: a digit for a part of that argument, `h` an
/// object of its own, `m` the first argument's object moved, `H` memory of the library, `o` anything, else a number.
/// Properties: `c` copies the second argument's memory to the first's, `s` writes the first one to the second's, `i` takes input, `p` gives output, `x` does not
/// return, `t` may throw.
const TABLE: &[(&str, &str)] = &[
    ("malloc calloc valloc pvalloc aligned_alloc memalign xmalloc xcalloc", " h"),
    ("realloc reallocarray xrealloc", "b m"),
    ("free cfree malloc_usable_size", "w "),
    ("posix_memalign", "k o"),
    (
        "_Znwm _Znam _Znwj _Znaj _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _ZnwmSt11align_val_t _ZnamSt11align_val_t",
        " ht",
    ),
    ("_ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdlPvmSt11align_val_t", "w "),
    ("__rust_alloc __rust_alloc_zeroed __rg_alloc __rdl_alloc __rdl_alloc_zeroed", " h"),
    ("__rust_dealloc __rg_dealloc __rdl_dealloc", "w "),
    ("__rust_realloc __rg_realloc __rdl_realloc", "b m"),
    ("__rust_no_alloc_shim_is_unstable_v2", ""),
    ("strdup strndup __strdup __strndup xstrdup", "r h"),
    ("memcpy memmove __memcpy_chk __memmove_chk", "wr 0c"),
    ("mempcpy", "wr 0c"),
    ("memset __memset_chk bzero explicit_bzero", "w 0"),
    ("strcpy strncpy stpcpy stpncpy __strcpy_chk __strncpy_chk __stpcpy_chk", "wr 0c"),
    ("strcat strncat __strcat_chk __strncat_chk", "br 0c"),
    ("strlcpy strlcat", "br c"),
    ("strlen strnlen atoi atol atoll atof", "r "),
    ("strcmp strncmp strcasecmp strncasecmp strcoll memcmp bcmp strspn strcspn fnmatch", "rr "),
    ("strchr strrchr strchrnul memchr memrchr rawmemchr index rindex", "r 0"),
    ("strstr strcasestr strpbrk memmem", "r-r 0"),
    ("strtol strtoul strtoll strtoull strtod strtof strtold strtoimax strtoumax", "rw s"),
    ("__isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull", "rw s"),
    ("strtok strsep", "kr o"),
    ("strtok_r __strtok_r", "krk o"),
    ("strerror getenv secure_getenv setlocale localeconv nl_langinfo ttyname ctime asctime localtime gmtime", "r Hi"),
    ("strerror_r", "-k o"),
    ("localtime_r gmtime_r", "rw 1i"),
    ("__errno_location __h_errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc", " H"),
    ("isalpha isdigit isalnum isspace isupper islower ispunct isprint iscntrl isxdigit isgraph isblank", ""),
    ("toupper tolower toascii abs labs llabs div ldiv ffs ffsl ffsll htons htonl ntohs ntohl", ""),
    ("sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p pow", ""),
    ("sqrt cbrt hypot fabs floor ceil round trunc rint nearbyint lround llround lrint llrint fmod remainder", ""),
    ("fmin fmax fdim fma copysign ldexp scalbn scalbln ilogb logb nextafter tgamma lgamma erf erfc nan", ""),
    ("sinf cosf tanf asinf acosf atanf atan2f expf exp2f logf log2f log10f powf sqrtf cbrtf hypotf fabsf", ""),
    (
        "floorf ceilf roundf truncf rintf fmodf fminf fmaxf fmaf copysignf ldexpf roundl floorl ceill fabsl sqrtl powl",
        "",
    ),
    ("frexp frexpf frexpl modf modff modfl", "-w "),
    ("printf vprintf __printf_chk", "f*r p"),
    ("fprintf vfprintf", "-f*r p"),
    ("dprintf vdprintf", "-f*r p"),
    ("__fprintf_chk", "--f*r p"),
    ("sprintf vsprintf", "wf*r "),
    ("snprintf vsnprintf", "w-f*r "),
    ("__sprintf_chk __vsprintf_chk", "w--f*r "),
    ("__snprintf_chk __vsnprintf_chk", "w---f*r "),
    ("asprintf vasprintf", "kf*r o"),
    ("puts perror putchar putc fputc putchar_unlocked", "r p"),
    ("fputs", "r- p"),
    ("fwrite fwrite_unlocked", "r p"),
    ("write pwrite pwrite64 send", "-r ip"),
    (
        "fflush fclose fseek fseeko fseeko64 rewind setvbuf setbuf clearerr sync fsync fdatasync close lseek lseek64",
        "- i",
    ),
    ("ftell ftello ftello64 feof ferror fileno isatty getpid getppid getuid geteuid getgid getegid sysconf", "- i"),
    ("fopen fopen64 fdopen freopen tmpfile popen", "rr Hi"),
    ("pclose unlink rmdir remove mkdir chdir system access ftruncate ftruncate64 fchmod fchown chmod chown", "r i"),
    ("open open64 openat creat rename symlink link", "rr i"),
    ("getc fgetc getchar getc_unlocked ungetc", "- i"),
    ("fgets gets", "w 0i"),
    ("fread fread_unlocked", "w i"),
    ("read pread pread64 recv readlink", "-w i"),
    ("scanf __isoc99_scanf __isoc23_scanf", "r*w i"),
    ("fscanf __isoc99_fscanf __isoc23_fscanf", "-r*w i"),
    ("sscanf __isoc99_sscanf __isoc23_sscanf", "rr*w "),
    ("stat stat64 lstat lstat64 __xstat", "rw i"),
    ("fstat fstat64 __fxstat", "-w i"),
    ("getcwd realpath", "kk oi"),
    ("rand random srand srandom lrand48 drand48 srand48 clock", "- i"),
    ("rand_r", "b "),
    ("time", "w i"),
    ("gettimeofday clock_gettime clock_getres nanosleep utimes", "bw i"),
    ("sleep usleep sched_yield getpagesize", "- i"),
    ("mktime timegm", "b i"),
    ("difftime", ""),
    ("strftime", "wrrr i"),
    ("pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock pthread_mutex_destroy", "b i"),
    ("pthread_mutex_init pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy", "br i"),
    ("pthread_self pthread_equal", ""),
    ("exit _exit _Exit quick_exit abort __assert_fail __assert __assert_rtn longjmp _longjmp siglongjmp", "-rrr ipx"),
    (
        "__stack_chk_fail __fortify_fail err errx verr verrx pthread_exit thrd_exit __chk_fail __builtin_trap",
        "-rrr ipx",
    ),
    ("_ZSt9terminatev __cxa_pure_virtual __cxa_call_unexpected __clang_call_terminate _Unwind_Resume", "r ipx"),
    ("__cxa_throw __cxa_rethrow _ZSt17__throw_bad_allocv _ZSt20__throw_length_errorPKc", "kkk ipxt"),
    ("_ZSt24__throw_out_of_range_fmtPKcz _ZSt19__throw_logic_errorPKc _ZSt28__throw_bad_array_new_lengthv", "r*r ipxt"),
    ("_ZSt25__throw_bad_function_callv _ZSt20__throw_out_of_rangePKc _ZSt24__throw_invalid_argumentPKc", "r ipxt"),
    ("__cxa_allocate_exception", " h"),
    ("__cxa_free_exception __cxa_end_catch", "w "),
    ("__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort", "b "),
    ("__gxx_personality_v0 rust_eh_personality", ""),
];

/// The line of an intrinsic, whose name is given without `llvm.`. One that is not known here touches memory through its
/// arguments at most.
fn intrinsic_spec(name: &str) -> &'static str {
    let has = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    match () {
        () if has(&["memcpy", "memmove"]) => "wr c",
        () if has(&["memset"]) => "w ",
        () if has(&["va_copy"]) => "wr c",
        // What it writes depends on the function that it stands in, see points-to.
        () if has(&["va_start"]) => "w ",
        () if has(&[
            "va_end",
            "lifetime",
            "invariant",
            "assume",
            "donothing",
            "prefetch",
            "dbg",
            "experimental.noalias",
        ]) =>
        {
            ""
        }
        () if has(&[
            "launder.invariant",
            "strip.invariant",
            "ptrmask",
            "ptr.annotation",
            "threadlocal.address",
            "preserve",
        ]) =>
        {
            "- 0"
        }
        () if has(&["trap", "ubsantrap"]) => " ipx",
        () if has(&["eh.typeid", "objectsize", "is.constant", "expect"]) => "",
        () if has(NUMERIC) => "",
        () if has(&["stacksave", "stackrestore"]) => "",
        () if has(&["frameaddress", "returnaddress", "addressofreturnaddress", "sponentry"]) => " o",
        _ => "*b o",
    }
}

/// How the names of intrinsics begin that compute a number and do nothing else.
const NUMERIC: &[&str] = &[
    "fabs.",
    "fmuladd.",
    "fma.",
    "sqrt.",
    "floor.",
    "ceil.",
    "trunc.",
    "round.",
    "roundeven.",
    "rint.",
    "nearbyint.",
    "lround.",
    "llround.",
    "lrint.",
    "llrint.",
    "copysign.",
    "minnum.",
    "maxnum.",
    "minimum.",
    "maximum.",
    "pow.",
    "powi.",
    "exp.",
    "exp2.",
    "exp10.",
    "log.",
    "log2.",
    "log10.",
    "sin.",
    "cos.",
    "tan.",
    "ldexp.",
    "canonicalize.",
    "is.fpclass.",
    "abs.",
    "smax.",
    "smin.",
    "umax.",
    "umin.",
    "ctpop.",
    "ctlz.",
    "cttz.",
    "bswap.",
    "bitreverse.",
    "fshl.",
    "fshr.",
    "sadd.",
    "uadd.",
    "ssub.",
    "usub.",
    "smul.",
    "umul.",
    "sshl.",
    "ushl.",
    "fptosi.sat.",
    "fptoui.sat.",
];

/// Whether a format is a text that is known and has no `%n`.
fn is_plain_format(module: &Module, format: Option<&Value>) -> bool {
    let Some(Value::Const(format)) = format else { return false };
    let Some(symbol) = module.base_symbol(*format) else { return false };
    let SymbolKind::Variable(global) = module.symbols[symbol].kind else { return false };
    let global = &module.globals[global];
    let Some(contents) = global.initializer.filter(|_| global.constant) else { return false };
    match &module.consts[contents].kind {
        ConstKind::Zero => true,
        ConstKind::Bytes(bytes) => !writes_through_argument(bytes),
        _ => false,
    }
}

/// Whether a `%n` stands in a format, with any flags and sizes between.
fn writes_through_argument(format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        rest = &rest[at + 1..];
        let end =
            rest.iter().position(|byte| byte.is_ascii_alphabetic() && !b"hlqjztL".contains(byte) || *byte == b'%');
        match end.map(|end| (rest[end], &rest[end + 1..])) {
            Some((b'n', _)) => return true,
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_write_are_found() {
        let check = |text: &str, expect| assert_eq!(writes_through_argument(text.as_bytes()), expect, "{text}");
        check("%d %s %% n", false);
        check("%s%n", true);
        check("%5.3hhn", true);
        check("100%%n %ld", false);
        check("%", false);
    }

    #[test]
    fn lines_of_the_table_are_read() {
        let copy = parse("wr 0c");
        assert_eq!((copy.result, copy.copies, copy.exits), (ResultOf::Argument(0), true, false));
        assert!(copy.args[0].writes && !copy.args[0].reads && copy.args[1].reads && !copy.args[1].keeps);
        let scan = parse("rr*w ");
        assert_eq!(scan.args.len(), 2);
        assert!(scan.rest.writes && !scan.rest.reads);
    }

    #[test]
    fn no_function_is_listed_twice() {
        let mut names: Vec<&str> = TABLE.iter().flat_map(|(names, _)| names.split_whitespace()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
