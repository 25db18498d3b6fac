//! Where results go.

use crate::console::{Failure, folders, stdout};
use report::escape::{Escaping, Syntax};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a result to standard output or to a file. A file is replaced in one step when all of it is written: whoever
/// looks sees the whole result or what was there before.
pub fn write(
    path: Option<&Path>,
    syntax: Syntax,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let Some(path) = path else {
        let mut out = stdout(syntax);
        return match body(&mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
            _ => Ok(()),
        };
    };
    let failed = |error: io::Error| Failure::usage(format!("cannot write {}: {error}", path.display()), None);
    // Pipes and devices cannot be replaced.
    let special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    if special {
        let mut out = Escaping::new(File::create(path).map_err(failed)?, syntax, folders());
        return body(&mut out).and_then(|()| out.flush()).map_err(failed);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // A result is for whom the user's other files are: the mask takes away what it takes from any new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.prefix(".pathshift-").tempfile_in(folder).map_err(failed)?;
    let out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
    let mut out = Escaping::new(out, syntax, folders());
    body(&mut out).and_then(|()| out.flush()).map_err(failed)?;
    drop(out);
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
