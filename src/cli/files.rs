use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::cli::screen::Screen;

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

/// Reads a file that people are asked to have.
pub(crate) fn read_whole(path: &Path, what: &str) -> Result<Vec<u8>, CliError> {
    std::fs::read(path).map_err(CliError::io(format!("read {what} {}", path.display())))
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

/// Reads a file, or standard input where it is called `-`.
pub(crate) fn read_input(path: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = open_input(path)?.read_to_end(&mut bytes);
    let name = match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => path.display().to_string(),
    };
    read.map_err(CliError::io(format!("read {name}")))?;
    Ok(bytes)
}

/// Writes a file, or standard output where it is called `-`.
pub(crate) fn write_output(
    path: &Path,
    bytes: &[u8],
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    if path == Path::new("-") {
        screen.data(bytes);
        return Ok(());
    }
    // The file may be a pipe or a device, which must not be replaced.
    std::fs::write(path, bytes).map_err(CliError::io(format!("write {}", path.display())))
}
