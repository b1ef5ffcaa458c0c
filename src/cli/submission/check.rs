use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::policy::read_policy;
use crate::cli::project::Project;
use crate::cli::screen::{Screen, counted, progress_bar_of};
use crate::cli::submission::evidence::{check_evidence, ledger_of};
use crate::cli::submission::github::annotation;
use crate::cli::submission::picture::picture;
use crate::cli::submission::report::{Report, sarif};
use crate::finding::{Place, visible};
use crate::ledger::Policy;
use crate::schema::SchemaError;
use crate::secret::Scanner;
use crate::submission::{
    DOCUMENT_BYTES_MAX, Marked, Reading, SUBMISSION_FILE, Submission, check_artifacts,
    contradictions,
};
use crate::tree::{Tree, TreeFault};

/// Check a submission: its form, its files, and what its raw events bear out.
///
/// Reports every fault in one pass, each at its line and column with the offending
/// text underlined, what was expected and how to mend it. The form is that of the
/// schema `benchmark_submission.schema`. Then the files are read and hashed, from the
/// folder that the document stands in and never from outside it, and the raw events of
/// its cohort are folded: from the folder `ledger` beside the document, or from
/// --ledger. Nothing is sent or fetched.
///
/// Exit codes: 0 nothing is wrong; 1 something is; 2 it could not be looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The document, or a folder with one called submission.json; `-` is standard
    /// input, whose files are looked for here.
    #[arg(value_name = "FILE|-|DIR")]
    path: PathBuf,

    /// A policy file: whose signatures count. Without one nothing shows that a
    /// preregistration was co-signed, and no evidence is confirmatory.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// How to report. SARIF is what code-scanning services read, and github what a
    /// workflow prints to annotate a change.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
    Github,
}

/// A document, and the folder that its files are in.
struct Found {
    /// As it was named, or found in the folder that was.
    name: String,
    folder: PathBuf,
    /// The bytes, or what stands there instead.
    bytes: Result<Vec<u8>, TreeFault>,
}

pub(crate) fn run(
    args: &Args,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let proved = Scanner::proved();
    proved.map_err(|missed| CliError::Input(missed.to_string()))?;
    let policy = args.policy.as_deref().map(read_policy).transpose()?;
    let found = open(&args.path)?;
    let cannot = |error: SchemaError| CliError::Input(error.to_string());
    let (reading, fault) = match &found.bytes {
        Ok(bytes) => (Reading::of(&found.name, bytes).map_err(cannot)?, None),
        Err(fault) => {
            let reading = Reading::of(&found.name, b"").map_err(cannot)?;
            (reading, Some(fault.finding(Place::file(&found.name))))
        }
    };
    let mut marked = match fault {
        Some(finding) => vec![Marked {
            finding,
            span: None,
        }],
        None => look(&reading, &found, project, policy.as_ref())?,
    };
    // In the order of the document; what is about no part of it comes last.
    marked.sort_by_key(|one| one.span.as_ref().map_or(usize::MAX, |span| span.start));
    let scanner = Scanner::shared();
    for one in &mut marked {
        one.finding = scanner.redacted_finding(one.finding.clone());
    }
    report(args.format, &reading, &marked, screen)?;
    let is_blocked = marked.iter().any(|one| one.finding.is_blocker());
    Ok(if is_blocked {
        Exit::Blocked
    } else {
        Exit::Clean
    })
}

/// Everything that is wrong with a document that could be read.
fn look(
    reading: &Reading,
    found: &Found,
    project: &Project,
    policy: Option<&Policy>,
) -> Result<Vec<Marked>, CliError> {
    let mut marked = reading.marked.clone();
    if let Some(submission) = &reading.submission {
        marked.extend(contradictions(reading, submission));
        let said: Vec<_> = marked.iter().filter_map(|one| one.span.clone()).collect();
        marked.extend(files(reading, submission, &found.folder)?);
        let disk = ledger_of(project, &found.folder);
        let differing = check_evidence(reading, submission, &disk, policy)?;
        // What contradicts the document contradicts the events too: it is said once.
        let is_new = |one: &Marked| one.span.as_ref().is_none_or(|span| !said.contains(span));
        marked.extend(differing.into_iter().filter(is_new));
    }
    Ok(marked)
}

fn files(
    reading: &Reading,
    submission: &Submission,
    folder: &Path,
) -> Result<Vec<Marked>, CliError> {
    let shown = folder.display();
    let tree = Tree::open(folder);
    let tree = tree.map_err(|fault| CliError::Input(format!("{shown}: {fault}")))?;
    let bar = progress_bar_of("hashing", "files");
    let progress = |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    };
    let marked = check_artifacts(reading, &submission.artifacts, &tree, &progress);
    bar.finish_and_clear();
    Ok(marked)
}

/// Finds the document that a path names.
fn open(path: &Path) -> Result<Found, CliError> {
    let here = PathBuf::from(".");
    if path == Path::new("-") {
        // One byte more than may be read says that there are too many.
        let bytes = read_input(path, 16 * DOCUMENT_BYTES_MAX)?;
        return Ok(Found {
            name: "-".to_owned(),
            folder: here,
            bytes: Ok(bytes),
        });
    }
    let is_folder = std::fs::metadata(path).is_ok_and(|there| there.is_dir());
    let (folder, path) = if is_folder {
        (path.to_owned(), path.join(SUBMISSION_FILE))
    } else {
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        (parent.map_or(here, Path::to_owned), path.to_owned())
    };
    let name = visible(&path.display().to_string());
    match Tree::read_named(&path, DOCUMENT_BYTES_MAX) {
        Ok(read) => Ok(Found {
            name,
            folder,
            bytes: Ok(read.into_bytes()),
        }),
        Err(fault @ (TreeFault::NotFound | TreeFault::Io(_))) => {
            Err(CliError::Input(format!("{name}: {fault}")))
        }
        Err(fault) => Ok(Found {
            name,
            folder,
            bytes: Err(fault),
        }),
    }
}

fn report(
    format: Format,
    reading: &Reading,
    marked: &[Marked],
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    match format {
        Format::Text => {
            for one in marked {
                screen.findings(std::slice::from_ref(&one.finding));
                if let Some(picture) = picture(&reading.page, one) {
                    screen.line(picture.trim_end_matches('\n'));
                }
            }
            let submission = reading.submission.as_ref();
            let name = submission.map_or("the submission", |it| it.submission_id.as_str());
            screen.line(&match marked.len() {
                0 => format!("{name}: nothing is wrong"),
                count => format!("{name}: {}", counted(count, "finding")),
            });
        }
        Format::Json => {
            let submission = reading.submission.as_ref();
            let name = submission.map(|it| it.submission_id.to_string());
            screen.document(&Report::of(marked, name))?;
        }
        Format::Sarif => screen.document(&sarif(&reading.page, marked))?,
        Format::Github => {
            for one in marked {
                screen.line(&annotation(&reading.page, one));
            }
        }
    }
    Ok(())
}
