use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Writes a file that does not exist yet and that only its owner may read,
/// durably.
///
/// # Errors
///
/// What the system says; nothing stands there then but what stood there, or the
/// whole file of which it is not known whether its name is durable.
pub fn write_secret(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        drop(std::fs::remove_file(path));
        return written;
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}
