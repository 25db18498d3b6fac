//! C programs in crates of the registry.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A C program that a crate brings.
pub struct Package {
    /// What the table calls it.
    pub name: &'static str,
    krate: &'static str,
    version: &'static str,
    folder: &'static str,
    define: Option<&'static str>,
    /// Files that are no part of the program, or include all others.
    left_out: &'static [&'static str],
}

/// All of them.
pub fn all() -> [Package; 5] {
    [
        Package {
            name: "lua",
            krate: "lua-src",
            version: "547.0.0",
            folder: "lua-5.4.7",
            define: Some("-DLUA_USE_POSIX"),
            left_out: &["onelua", "ltests"],
        },
        Package {
            name: "zlib",
            krate: "libz-sys",
            version: "1.1.15",
            folder: "src/zlib",
            define: Some("-DHAVE_UNISTD_H"),
            left_out: &[],
        },
        Package {
            name: "bzip2",
            krate: "bzip2-sys",
            version: "0.1.11+1.0.8",
            folder: "bzip2-1.0.8",
            define: Some("-D_FILE_OFFSET_BITS=64"),
            left_out: &["dlltest", "mk251", "spewG", "unzcrash"],
        },
        Package {
            name: "lz4",
            krate: "lz4-sys",
            version: "1.11.1+lz4-1.10.0",
            folder: "liblz4/lib",
            define: None,
            left_out: &[],
        },
        Package {
            name: "sqlite",
            krate: "libsqlite3-sys",
            version: "0.30.1",
            folder: "sqlite3",
            define: None,
            left_out: &[],
        },
    ]
}

impl Package {
    fn folder(&self) -> PathBuf {
        source(self.krate, self.version).join(self.folder)
    }

    /// Its C files, in order.
    pub fn units(&self) -> Vec<PathBuf> {
        let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut files: Vec<PathBuf> = std::fs::read_dir(self.folder())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .filter(|path| !self.left_out.contains(&stem(path).as_str()))
            .collect();
        files.sort();
        files
    }

    /// How they are compiled.
    pub fn flags(&self) -> Vec<String> {
        let folder = self.folder();
        let mut flags = vec![format!("-I{}", folder.display()), format!("-ffile-prefix-map={}/=", folder.display())];
        flags.extend(self.define.map(str::to_owned));
        flags
    }
}

/// Where the sources of a crate are; cargo fetches them for a package that depends on it and keeps them.
fn source(name: &str, version: &str) -> PathBuf {
    let folder = format!("{name}-{version}");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("registry").join(format!("{folder}-user"));
    std::fs::create_dir_all(dir.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
         [dependencies]\n{name} = \"={version}\"\n[workspace]\n"
    );
    std::fs::write(dir.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(dir.join("src/lib.rs"), "").unwrap();
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["metadata", "--format-version", "1", "--quiet"])
        .current_dir(&dir)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata = String::from_utf8(output.stdout).unwrap();
    let manifests = metadata.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut folders = manifests.filter_map(|manifest| Path::new(manifest).parent());
    let found = folders.find(|path| path.file_name().is_some_and(|last| last.to_str() == Some(&folder)));
    found.unwrap_or_else(|| panic!("cargo does not say where {folder} is")).to_path_buf()
}
