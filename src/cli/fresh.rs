use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::project::Project;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, hint};
use crate::finding::counted;
use crate::release::{ARTIFACTS_FOLDER, MANIFESTS_FOLDER};
use crate::run::run_alone;
use crate::tree::{RelativePath, Tracked, Tree, clone_of};

/// The folder of the ledger in a project that others look at.
const LEDGER_FOLDER: &str = "ledger";

/// Reproduces the release in a fresh copy of what git tracks.
pub(crate) fn reproduce(
    from: &str,
    format: ReportFormat,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let temporary = tempfile::tempdir().map_err(CliError::io("make a temporary folder"))?;
    let copy = temporary.path().join("copy");
    let (folder, what) = if Path::new(from).is_dir() {
        let files = copy_tracked(Path::new(from), &copy)?;
        let what = format!("a copy of {} tracked in {from}", counted(files, "file"));
        (copy, what)
    } else {
        let prefix = clone_of(project.folder(), from, &copy);
        let prefix = prefix.map_err(|error| CliError::Input(format!("{from}: {error}")))?;
        (copy.join(prefix), format!("a fresh clone of {from}"))
    };
    in_copy(&folder, &what, format, screen)
}

/// Copies the evidence that git tracks in a folder, as it is there, and returns
/// how many files it has.
fn copy_tracked(from: &Path, copy: &Path) -> Result<usize, CliError> {
    let cannot = |why: String| CliError::Input(format!("{}: {why}", from.display()));
    let tracked = Tracked::of(from).map_err(|error| cannot(error.to_string()))?;
    let tracked = tracked.ok_or_else(|| {
        cannot(
            "no work tree of git; look at it where it is: scoresheet --project DIR reproduce"
                .to_owned(),
        )
    })?;
    let tree = Tree::open(from).map_err(|fault| cannot(fault.to_string()))?;
    let is_evidence = |path: &&str| {
        let first = path.split('/').next().unwrap_or_default();
        [LEDGER_FOLDER, MANIFESTS_FOLDER, ARTIFACTS_FOLDER].contains(&first)
    };
    let mut files = 0;
    for path in tracked.paths().filter(is_evidence) {
        let named = |why: String| cannot(format!("{}: {why}", path.escape_debug()));
        let plain: Result<RelativePath, _> = path.parse();
        let plain = plain.map_err(|error| named(error.to_string()))?;
        let read = tree.read(&plain, u64::MAX);
        let read = read.map_err(|fault| named(fault.to_string()))?;
        let to: PathBuf = copy.join(path);
        to.parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&to, read.bytes()))
            .map_err(CliError::io("write the copy"))?;
        files += 1;
    }
    Ok(files)
}

/// Runs this program on the copy.
fn in_copy(
    folder: &Path,
    what: &str,
    format: ReportFormat,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let program = std::env::current_exe().map_err(CliError::io("find this program"))?;
    let format_word = match format {
        ReportFormat::Text => "text",
        ReportFormat::Json => "json",
    };
    let args = [
        OsString::from("--project"),
        folder.into(),
        "reproduce".into(),
        "--format".into(),
        format_word.into(),
    ];
    let alone = run_alone(&program, &args).map_err(CliError::io("start this program anew"))?;
    screen.data(&alone.out);
    let network = if alone.is_cut_off {
        "cut off from every network"
    } else {
        "without need of a network, from which this system does not let it be cut off"
    };
    if format == ReportFormat::Text {
        screen.line(&format!("in {what}, without environment, {network}"));
    }
    match alone.code {
        Some(0) => Ok(Exit::Clean),
        Some(1) => Ok(Exit::Blocked),
        _ => {
            let said = String::from_utf8_lossy(&alone.errors);
            hint(said.trim());
            Err(CliError::Input(format!("{what} cannot be reproduced")))
        }
    }
}
