//! Functions of real libraries, without a harness: how many paths, how long, and what native runs say.
//!
//! Prints the table of `docs/functions.md`: `cargo bench -p pathshift --bench functions`.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/it/support/registry.rs"]
#[allow(dead_code)]
mod registry;

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// Where functions come from: crate, version, file in it; functions.
const C: &[(&str, &str, &str, &[&str])] = &[
    (
        "lua-src",
        "548.1.1",
        "lua-5.4.8/lstrlib.c",
        &["posrelatI", "getendpos", "singlematch", "matchbracketclass", "arith_add", "getdetails", "digit", "getnum"],
    ),
    ("lua-src", "548.1.1", "lua-5.4.8/lutf8lib.c", &["u_posrelat", "utf8_decode"]),
    ("lua-src", "548.1.1", "lua-5.4.8/lobject.c", &["luaO_ceillog2", "luaO_utf8esc", "isneg", "luaO_hexavalue"]),
    (
        "lua-src",
        "548.1.1",
        "lua-5.4.8/lcode.c",
        &["luaK_getlabel", "finaltarget", "luaK_exp2const", "removelastinstruction"],
    ),
    ("libz-sys", "1.1.15", "src/zlib/adler32.c", &["adler32"]),
    ("libz-sys", "1.1.15", "src/zlib/crc32.c", &["byte_swap", "multmodp"]),
    ("libz-sys", "1.1.15", "src/zlib/trees.c", &["bi_reverse", "bi_flush", "detect_data_type"]),
    (
        "libz-sys",
        "1.1.15",
        "src/zlib/deflate.c",
        &["deflateTune", "deflateSetDictionary", "deflatePending", "deflateBound", "slide_hash"],
    ),
    ("libz-sys", "1.1.15", "src/zlib/inflate.c", &["inflateReset", "inflateGetHeader", "inflateSyncPoint"]),
    ("bzip2-sys", "0.1.11+1.0.8", "bzip2-1.0.8/huffman.c", &["BZ2_hbAssignCodes"]),
    ("bzip2-sys", "0.1.11+1.0.8", "bzip2-1.0.8/bzlib.c", &["isempty_RL", "init_RL"]),
    (
        "lz4-sys",
        "1.9.4",
        "liblz4/lib/lz4.c",
        &["LZ4_compressBound", "LZ4_read16", "LZ4_saveDict", "LZ4_setStreamDecode"],
    ),
    ("lz4-sys", "1.9.4", "liblz4/lib/lz4frame.c", &["LZ4F_optimalBSID", "LZ4F_writeLE32", "LZ4F_initStream"]),
    ("lz4-sys", "1.9.4", "liblz4/lib/xxhash.c", &["XXH32_copyState", "XXH64_round"]),
];

/// Crate, version, functions.
const RUST: &[(&str, &str, &[&str])] = &[
    (
        "semver",
        "1.0.26",
        &[
            "semver::parse::identifier",
            "semver::eval::matches_exact",
            "semver::Comparator::matches",
            "semver::identifier::bytes_for_varint",
        ],
    ),
    ("httparse", "1.9.5", &["httparse::parse_chunk_size", "httparse::parse_code", "httparse::is_uri_token"]),
    ("percent-encoding", "2.3.1", &["after_percent_sign", "percent_encode_byte", "AsciiSet::should_percent_encode"]),
    ("humantime", "2.1.0", &["two_digits", "is_leap_year", "parse_duration", "parse_rfc3339_weak"]),
    ("hex", "0.4.3", &["hex::val", "hex::byte2hex"]),
];

const OPTIONS: &[&str] =
    &["--string", "4", "--elements", "4", "--unwind", "6", "--timeout", "10", "--paths", "5000", "--format", "json"];

fn main() {
    println!(
        "| library | function | paths | faults | native runs agree | not comparable | disagree | ms | undecided |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---|");
    for (name, version, file, functions) in C {
        let input = registry::source(name, version).join(file);
        functions.iter().for_each(|function| row(&format!("{name} {version}"), &input, function));
    }
    let copies = tempfile::tempdir().unwrap();
    for (name, version, functions) in RUST {
        let input = registry::writable_copy(name, version, copies.path());
        functions.iter().for_each(|function| row(&format!("{name} {version}"), &input, function));
    }
}

fn row(library: &str, input: &PathBuf, function: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pathshift"));
    let output = command.arg("explore").arg(input).args(["-f", function]).args(OPTIONS).output().unwrap();
    let Ok(result) = serde_json::from_slice::<Value>(&output.stdout) else {
        let message = String::from_utf8_lossy(&output.stderr);
        println!("| {library} | `{function}` | {} | | | | | | |", message.lines().next().unwrap_or_default());
        return;
    };
    let paths = result["paths"].as_array().unwrap();
    let count = |test: &dyn Fn(&Value) -> bool| paths.iter().filter(|path| test(path)).count();
    let says = |path: &Value, word: &str| path["replayed"].as_str().is_some_and(|text| text.starts_with(word));
    let reasons: Vec<String> = result["undecided"]
        .as_array()
        .unwrap()
        .iter()
        .take(2)
        .map(|item| format!("{} x {}", item["count"], item["reason"].as_str().unwrap_or_default()))
        .collect();
    println!(
        "| {library} | `{function}` | {}{} | {} | {} | {} | {} | {} | {} |",
        paths.len(),
        if result["run_state"] == "complete" { "" } else { " (stopped)" },
        count(&|path| !path["fault"].is_null()),
        count(&|path| says(path, "yes")),
        count(&|path| says(path, "unclear")),
        count(&|path| says(path, "no:")),
        result["stats"]["wall_ms"],
        reasons.join("; "),
    );
}
