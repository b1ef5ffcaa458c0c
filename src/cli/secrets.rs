use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::sarif::sarif;
use crate::cli::screen::{Screen, counted, progress_bar_of};
use crate::cli::secrets_report::SecretsReport;
use crate::finding::{Code, Finding, Place};
use crate::secret::{Inspection, Scanner, inspect};
use crate::tree::{Read, Tree, TreeFault};

/// The largest file that is looked at, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// Look for secrets in files and folders, and in everything inside them.
///
/// Looks at every byte of every file, hidden ones too, as it stands there and
/// inside escapes, base64, hex, percent and entity encoding and UTF-16; opens zip,
/// tar, gzip and Zstandard files, also in one another. No name, comment or list
/// silences a rule. What could not be looked at (encrypted, broken, too much, no
/// text) is a finding as well. No link is followed, not even one that is named. A
/// finding names the rule and the place, never the secret. Nothing is sent anywhere.
/// `scoresheet schema secrets-report-1` describes the JSON.
///
/// Exit codes: 0 nothing was found; 1 something was, or could not be looked at;
/// 2 a path cannot be read, or holds no file.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files and folders; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// How to report. SARIF is what code-scanning services read.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
}

/// One file that was looked at, or could not be.
pub(crate) struct Looked {
    pub(crate) file: String,
    pub(crate) what: Result<Inspection, TreeFault>,
    /// The rule that speaks of its name, if one does.
    pub(crate) named: Option<&'static str>,
}

pub(crate) fn run(args: &Args, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let proved = Scanner::proved();
    proved.map_err(|missed| CliError::Input(missed.to_string()))?;
    let mut looked = Vec::new();
    for path in &args.paths {
        let before = looked.len();
        look(path, &mut looked)?;
        if looked.len() == before {
            let shown = path.display();
            return Err(CliError::Input(format!("{shown} holds no file to look at")));
        }
    }
    match args.format {
        Format::Text => {
            let findings: Vec<_> = looked.iter().flat_map(findings).collect();
            screen.findings(&findings);
            screen.line(&format!(
                "{} in {}",
                counted(findings.len(), "finding"),
                counted(looked.len(), "file")
            ));
        }
        Format::Json => {
            screen.document(&SecretsReport::of(&looked))?;
        }
        Format::Sarif => screen.document(&sarif(&SecretsReport::of(&looked)))?,
    }
    let is_clean =
        |one: &Looked| one.named.is_none() && one.what.as_ref().is_ok_and(Inspection::is_clean);
    Ok(if looked.iter().all(is_clean) {
        Exit::Clean
    } else {
        Exit::Blocked
    })
}

fn look(path: &Path, looked: &mut Vec<Looked>) -> Result<(), CliError> {
    let shown = path.display();
    let cannot = |fault| CliError::Input(format!("{shown}: {fault}"));
    if path == Path::new("-") {
        let bytes = read_input(path, FILE_BYTES_MAX)?;
        looked.push(looked_at("-", Ok(&bytes)));
        return Ok(());
    }
    let is_folder = std::fs::symlink_metadata(path).is_ok_and(|there| there.is_dir());
    if !is_folder {
        let name = shown.to_string();
        looked.push(match Tree::read_named(path, FILE_BYTES_MAX) {
            Ok(read) => looked_at(&name, Ok(read.bytes())),
            Err(fault @ (TreeFault::NotFound | TreeFault::Io(_))) => return Err(cannot(fault)),
            Err(fault) => looked_at(&name, Err(fault)),
        });
        return Ok(());
    }
    let tree = Tree::open(path).map_err(cannot)?;
    let walk = tree.walk(None).map_err(cannot)?;
    let within = |name: &str| path.join(name).display().to_string();
    let bar = progress_bar_of("looking", "files");
    bar.set_length(u64::try_from(walk.files.len()).unwrap_or(u64::MAX));
    for file in walk.files {
        bar.inc(1);
        let read = tree.read(&file, FILE_BYTES_MAX);
        let bytes = read.as_ref().map(Read::bytes);
        let name = within(file.as_str());
        match bytes {
            Ok(bytes) => looked.push(looked_at(&name, Ok(bytes))),
            Err(_) => looked.extend(read.err().map(|fault| looked_at(&name, Err(fault)))),
        }
    }
    bar.finish_and_clear();
    let faults = walk.faults.into_iter();
    looked.extend(faults.map(|fault| looked_at(&within(&fault.path), Err(fault.fault))));
    Ok(())
}

fn looked_at(file: &str, bytes: Result<&[u8], TreeFault>) -> Looked {
    let scanner = Scanner::shared();
    let named = scanner.scan(file.as_bytes()).first().map(|hit| hit.rule);
    Looked {
        file: scanner.redacted(file),
        what: bytes.map(|bytes| inspect(bytes, &|bytes| scanner.scan(bytes))),
        named,
    }
}

/// What is wrong with a file, for people.
fn findings(looked: &Looked) -> Vec<Finding> {
    let place = Place::file(looked.file.as_str());
    let mut findings = match &looked.what {
        Ok(inspection) => inspection.findings(&place),
        Err(fault) => vec![fault.finding(place.clone())],
    };
    findings.extend(looked.named.map(|rule| {
        let code = Code::SecretLike;
        Finding::new(code, place, "no credential", format!("{rule} in the name"))
    }));
    let scanner = Scanner::shared();
    let redacted = findings.into_iter();
    redacted
        .map(|finding| scanner.redacted_finding(finding))
        .collect()
}
