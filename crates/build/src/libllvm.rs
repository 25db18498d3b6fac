//! LLVM's own reader of IR, loaded at run time. The only unsafe code of the project.
//!
//! Call it in a process of its own: LLVM may end the process when it dislikes a file.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use libloading::{Library, Symbol};

/// Why LLVM did not print the module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DisassembleError {
    /// The library cannot be loaded, or lacks a function.
    #[error("cannot load the library: {0}")]
    Library(String),
    /// The path of the file has a zero byte.
    #[error("the file's path has a zero byte")]
    Path,
    /// LLVM does not accept the file.
    #[error("{0}")]
    Rejected(String),
}

/// Reads a module, bitcode or text, with the libLLVM at `libllvm` and returns it as that LLVM prints it.
pub fn disassemble(libllvm: &Path, file: &Path) -> Result<String, DisassembleError> {
    let file = CString::new(file.as_os_str().as_bytes()).map_err(|_| DisassembleError::Path)?;
    let library = |error: libloading::Error| DisassembleError::Library(error.to_string());
    // SAFETY: the caller names a libLLVM, whose initialisers are safe to run.
    let lib = unsafe { Library::new(libllvm) }.map_err(library)?;
    // It stays loaded: unloading would run LLVM's destructors for nothing at the end of the process.
    let lib = ManuallyDrop::new(lib);
    // SAFETY: the types are those of LLVM's C API, unchanged since LLVM 3 (`llvm-c/Core.h`, `llvm-c/IRReader.h`).
    let api = unsafe { Api::load(&lib) }.map_err(library)?;

    // SAFETY: each function gets what its header asks for: `file` ends with zero; a pointer is used only after the call
    // that made it said success (zero); a message is freed by `take_message` alone. `LLVMParseIRInContext` owns the
    // buffer from then on, whatever it returns. The module goes before its context, and nothing of either is used later.
    unsafe {
        let (mut buffer, mut module, mut message) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        if (api.create_buffer)(file.as_ptr(), &raw mut buffer, &raw mut message) != 0 {
            return Err(DisassembleError::Rejected(api.take_message(message)));
        }
        let context = (api.create_context)();
        let failed = (api.parse)(context, buffer, &raw mut module, &raw mut message) != 0;
        let result = if failed {
            Err(DisassembleError::Rejected(api.take_message(message)))
        } else {
            let text = api.take_message((api.print)(module));
            (api.dispose_module)(module);
            Ok(text)
        };
        (api.dispose_context)(context);
        result
    }
}

/// The functions that are needed, by their C types: handles are opaque pointers, `LLVMBool` is an `int`.
struct Api<'l> {
    create_context: Symbol<'l, unsafe extern "C" fn() -> *mut c_void>,
    dispose_context: Symbol<'l, unsafe extern "C" fn(*mut c_void)>,
    create_buffer: Symbol<'l, unsafe extern "C" fn(*const c_char, *mut *mut c_void, *mut *mut c_char) -> c_int>,
    parse: Symbol<'l, unsafe extern "C" fn(*mut c_void, *mut c_void, *mut *mut c_void, *mut *mut c_char) -> c_int>,
    print: Symbol<'l, unsafe extern "C" fn(*mut c_void) -> *mut c_char>,
    dispose_module: Symbol<'l, unsafe extern "C" fn(*mut c_void)>,
    dispose_message: Symbol<'l, unsafe extern "C" fn(*mut c_char)>,
}

impl<'l> Api<'l> {
    /// Looks the functions up.
    ///
    /// # Safety
    /// `lib` must be a libLLVM, so that the functions have these types.
    unsafe fn load(lib: &'l Library) -> Result<Api<'l>, libloading::Error> {
        // SAFETY: the caller vouches for the types.
        unsafe {
            Ok(Api {
                create_context: lib.get(c"LLVMContextCreate")?,
                dispose_context: lib.get(c"LLVMContextDispose")?,
                create_buffer: lib.get(c"LLVMCreateMemoryBufferWithContentsOfFile")?,
                parse: lib.get(c"LLVMParseIRInContext")?,
                print: lib.get(c"LLVMPrintModuleToString")?,
                dispose_module: lib.get(c"LLVMDisposeModule")?,
                dispose_message: lib.get(c"LLVMDisposeMessage")?,
            })
        }
    }

    /// Copies a string that LLVM allocated, and frees it.
    ///
    /// # Safety
    /// `message` must be null or a string from LLVM that was not freed yet.
    unsafe fn take_message(&self, message: *mut c_char) -> String {
        if message.is_null() {
            return String::new();
        }
        // SAFETY: not null, so a string that ends with zero and is ours to free once, after the copy.
        unsafe {
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (self.dispose_message)(message);
            text
        }
    }
}
