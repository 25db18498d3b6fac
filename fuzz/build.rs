//! Compiles the `main` of the fuzzer.

fn main() {
    println!("cargo:rerun-if-changed=main.c");
    cc::Build::new().file("main.c").compile("fuzzer_main");
}
