use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::cli::screen::Screen;
use crate::ledger::Disk;

/// Writes a file whole or not at all: under another name first, durable before
/// it gets its own.
///
/// The other name is in `making`, a folder of the same disk that nothing looks
/// at: what a killed process leaves there harms nobody.
pub(crate) fn write_whole(making: &Path, path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let failed = || CliError::io(format!("write {}", path.display()));
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    std::fs::create_dir_all(&folder).map_err(failed())?;
    std::fs::create_dir_all(making).map_err(failed())?;
    let mut file = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(making)
        .map_err(failed())?;
    file.write_all(bytes).map_err(failed())?;
    file.as_file().sync_all().map_err(failed())?;
    file.persist(path).map_err(|error| failed()(error.error))?;
    // It goes when it is empty; leftovers of others keep it.
    drop(std::fs::remove_dir(making));
    std::fs::File::open(&folder)
        .and_then(|folder| folder.sync_all())
        .map_err(failed())
}

/// A policy, a note or a proof is never longer.
pub(crate) const NOTE_BYTES_MAX: u64 = 1 << 20;

/// Reads a file that people are asked to have, of at most so many bytes.
pub(crate) fn read_whole(path: &Path, what: &str, bytes_max: u64) -> Result<Vec<u8>, CliError> {
    let name = format!("{what} {}", path.display());
    let file = std::fs::File::open(path).map_err(CliError::io(format!("read {name}")))?;
    read_bounded(file, &name, bytes_max)
}

fn read_bounded(input: impl Read, name: &str, bytes_max: u64) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = input
        .take(bytes_max.saturating_add(1))
        .read_to_end(&mut bytes);
    read.map_err(CliError::io(format!("read {name}")))?;
    if bytes_max < u64::try_from(bytes.len()).unwrap_or(u64::MAX) {
        return Err(CliError::Input(format!(
            "{name} has more than the {bytes_max} bytes that it may have here"
        )));
    }
    Ok(bytes)
}

/// Opens a file, or standard input where it is called `-`.
pub(crate) fn open_input(path: &Path) -> Result<Box<dyn Read>, CliError> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = std::fs::File::open(path);
    let file = file.map_err(CliError::io(format!("read {}", path.display())))?;
    Ok(Box::new(file))
}

/// Reads a file, or standard input where it is called `-`, of at most so many bytes.
pub(crate) fn read_input(path: &Path, bytes_max: u64) -> Result<Vec<u8>, CliError> {
    let name = if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    read_bounded(open_input(path)?, &name, bytes_max)
}

/// Refuses a place for output inside the ledger, whose files are its own.
pub(crate) fn refuse_inside(ledger: &Disk, path: &Path) -> Result<(), CliError> {
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let (Ok(parent), Ok(ledger)) = (parent.canonicalize(), ledger.root().canonicalize()) else {
        // What is not there yet is not inside.
        return Ok(());
    };
    if parent.starts_with(&ledger) {
        return Err(CliError::Input(format!(
            "{} is inside the ledger, which holds only its own files; name a place outside",
            path.display()
        )));
    }
    Ok(())
}

/// Writes a file, or standard output where it is called `-`.
pub(crate) fn write_output(
    path: &Path,
    bytes: &[u8],
    ledger: &Disk,
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    if path == Path::new("-") {
        screen.data(bytes);
        return Ok(());
    }
    refuse_inside(ledger, path)?;
    let failed = || CliError::io(format!("write {}", path.display()));
    // It may be a pipe or a device, which is written to; never over a file.
    let is_there = std::fs::metadata(path);
    if is_there.is_ok_and(|there| there.is_file()) {
        return Err(CliError::Input(format!(
            "{} is there already and is never written over; name another file, or remove it first",
            path.display()
        )));
    }
    let mut options = std::fs::OpenOptions::new();
    let create = match std::fs::symlink_metadata(path) {
        Ok(_) => options.write(true),
        Err(_) => options.write(true).create_new(true),
    };
    let mut file = create.open(path).map_err(failed())?;
    file.write_all(bytes).map_err(failed())
}
