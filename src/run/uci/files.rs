use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::digest::{Digest, Hasher};
use crate::run::uci::EngineSpec;

/// One file that takes part when an engine runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFile {
    /// The name of the real file, links followed, without its folders: where
    /// it lies on one machine is no evidence.
    pub path: String,
    /// How long it is.
    pub bytes: u64,
    /// What is in it.
    pub sha256: Digest,
}

/// Returns the files that run: the program, each argument and option value
/// that is an existing file (`node engine.js`, a net), and beside a `.js` file
/// the `.wasm` files of its name. In that order, each file once.
///
/// BUG: shared libraries, the interpreter of a script, and files that an
/// engine opens of its own accord are not seen. Seeing them would take a trace
/// of the system calls of a run.
///
/// # Errors
///
/// When the program is not found or a file cannot be read.
pub fn engine_files(spec: &EngineSpec) -> io::Result<Vec<EngineFile>> {
    let args = spec.args.iter().map(PathBuf::from);
    let options = spec.options.iter();
    let options = options.map(|(_, value)| PathBuf::from(value));
    command_files(spec.executable()?, args.chain(options))
}

/// Returns the files that run when this program is started with these arguments,
/// as [`engine_files`] does.
///
/// # Errors
///
/// When one of them cannot be read.
pub(crate) fn command_files(
    program: PathBuf,
    arguments: impl Iterator<Item = PathBuf>,
) -> io::Result<Vec<EngineFile>> {
    let named: Vec<_> = [program].into_iter().chain(arguments).collect();
    let mut files = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, path) in named.into_iter().enumerate() {
        // Of the arguments most are no files; the program has to be one.
        if index != 0 && !path.is_file() {
            continue;
        }
        let path = fs::canonicalize(path)?;
        let parts = wasm_parts(&path)?;
        for path in [path].into_iter().chain(parts) {
            if !seen.contains(&path) {
                files.push(read(&path)?);
                seen.insert(path);
            }
        }
    }
    Ok(files)
}

/// Returns the `.wasm` files that a `.js` file loads, by the naming of the
/// builds of Stockfish for node: `x.js` has `x.wasm`, or `x-part-0.wasm` and so
/// on. Sorted by name.
fn wasm_parts(script: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let (Some(folder), Some(stem)) = (script.parent(), script.file_stem()) else {
        return Ok(BTreeSet::new());
    };
    if script.extension().is_none_or(|extension| extension != "js") {
        return Ok(BTreeSet::new());
    }
    let mut parts = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let part = name
            .strip_prefix(stem.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(b".wasm"));
        let is_part = part.is_some_and(|part| part.is_empty() || part.starts_with(b"-part-"));
        if is_part && path.is_file() {
            parts.insert(fs::canonicalize(path)?);
        }
    }
    Ok(parts)
}

fn read(path: &Path) -> io::Result<EngineFile> {
    let mut file = File::open(path)?;
    let mut hasher = Hasher::new();
    let mut bytes = 0;
    let mut chunk = vec![0; 1 << 16];
    loop {
        let count = match file.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(&chunk[..count]);
        bytes += count as u64;
    }
    let name = path.file_name().unwrap_or_default();
    Ok(EngineFile {
        path: name.to_string_lossy().into_owned(),
        bytes,
        sha256: hasher.finish(),
    })
}
