use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::write_output;
use crate::cli::project::Project;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::{Screen, counted, hint};
use crate::cli::submission::evidence::ledger_of;
use crate::digest::Digest;
use crate::event::{EventId, Name};
use crate::projection::Projection;
use crate::secret::Scanner;
use crate::submission::{Derived, Draft, Observed, SUBMISSION_FILE, Track};
use crate::tree::{Commit, RelativePath, Tree};

/// Begin a submission: everything that a machine can know, and questions.
///
/// System, protocol, counts, results and resources come from the ledger, the code from
/// git, and digests from the files. What only a person can know is left as a question,
/// a text that begins with `? `, in the place where the answer belongs; `scoresheet
/// submission check` lists those that are open. Writes over nothing.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The name of the submission, which is never used again.
    #[arg(long, value_name = "NAME")]
    id: Name,

    /// The cohort in which the system was measured.
    #[arg(long, value_name = "NAME")]
    cohort: Name,

    /// The system, by the name it is registered under; the only one of the cohort
    /// when left out.
    #[arg(long, value_name = "NAME")]
    system: Option<Name>,

    /// The track: complete games, or another division of labor.
    #[arg(long, value_enum, default_value = "full-game")]
    track: TrackArg,

    /// A file to release, by its path below the folder of the document. May be given
    /// more than once.
    #[arg(long = "artifact", value_name = "PATH")]
    artifacts: Vec<RelativePath>,

    /// The folder of the code that ran the system, in its git repository.
    #[arg(long, value_name = "DIR", default_value = ".")]
    code: PathBuf,

    /// The file in that folder that locks the dependencies of the code.
    #[arg(long, value_name = "FILE", default_value = "Cargo.lock")]
    lock: RelativePath,

    #[command(flatten)]
    reading: ReadingArgs,

    /// The document; `-` is standard output.
    #[arg(long, value_name = "FILE", default_value = SUBMISSION_FILE)]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum TrackArg {
    FullGame,
    Architecture,
}

impl From<TrackArg> for Track {
    fn from(track: TrackArg) -> Self {
        match track {
            TrackArg::FullGame => Self::FullGame,
            TrackArg::Architecture => Self::Architecture,
        }
    }
}

/// The largest file that is hashed, in bytes.
const FILE_BYTES_MAX: u64 = 64 << 20;

pub(crate) fn run(
    args: &Args,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let parent = args.out.parent().filter(|parent| *parent != Path::new(""));
    let folder = parent.unwrap_or(Path::new("."));
    let disk = ledger_of(project, folder);
    let mut events = Vec::new();
    // The system is known by name only when all events are read.
    let (projection, source) = args.reading.project_with(&disk, |_, event| {
        if Observed::is_of_interest(event) {
            events.push(event.clone());
        }
    })?;
    let system = system(args, &projection)?;
    let mut observed = Observed::new(args.cohort.clone(), system);
    for event in &events {
        observed.take(event);
    }
    let of = (&args.cohort, &system);
    let derived = Derived::of(&projection, &source, &observed, of, &[]);
    let derived = derived.map_err(|why| CliError::Input(why.to_string()))?;
    let draft = Draft {
        artifacts: artifacts(args, folder)?,
        code: code(args)?,
        id: args.id.clone(),
        track: args.track.into(),
    };
    let document = draft.document(derived);
    let text = serde_json::to_string_pretty(&document);
    let text = text.map_err(|error| CliError::Input(error.to_string()))? + "\n";
    if !Scanner::shared().scan(text.as_bytes()).is_empty() {
        let why = "the document would hold what looks like a credential; it comes from the ledger or the names of files";
        return Err(CliError::Input(why.to_owned()));
    }
    write_output(&args.out, text.as_bytes(), &disk, screen)?;
    let open = counted(Draft::n_questions(&document), "open question");
    hint(&format!("{open}; scoresheet submission check lists them"));
    Ok(Exit::Clean)
}

/// The system that is meant.
fn system(args: &Args, projection: &Projection) -> Result<EventId, CliError> {
    let cohort = crate::board::cohort(projection, args.cohort.as_str())?;
    let systems = &cohort.schedule.committed.systems;
    let named = |id: &&EventId| match &args.system {
        Some(name) => projection.name_of(id) == name.as_str(),
        None => systems.len() == 1,
    };
    systems.iter().find(named).copied().ok_or_else(|| {
        let names: Vec<_> = systems.iter().map(|id| projection.name_of(id)).collect();
        let names = names.join(", ");
        CliError::Input(format!(
            "name a system of the cohort with --system: {names}"
        ))
    })
}

/// The files to release, with their digests.
fn artifacts(args: &Args, folder: &Path) -> Result<Vec<Value>, CliError> {
    let cannot =
        |path: &dyn std::fmt::Display, why: String| CliError::Input(format!("{path}: {why}"));
    let tree = Tree::open(folder);
    let tree = tree.map_err(|fault| cannot(&folder.display(), fault.to_string()))?;
    let listed = args.artifacts.iter().map(|path| {
        let read = tree.read(path, FILE_BYTES_MAX);
        let read = read.map_err(|fault| cannot(path, fault.to_string()))?;
        Ok(json!({"path": path, "role": Draft::role_question(), "sha256": read.digest()}))
    });
    listed.collect()
}

/// What git and the lock say of the code; a question where they say nothing.
fn code(args: &Args) -> Result<Value, CliError> {
    let ask = Draft::question;
    let (commit, difference) = match Commit::of(&args.code) {
        Ok(Some(commit)) => {
            let difference = match commit.difference.as_slice() {
                b"" => Value::Null,
                difference => json!(Digest::of(difference)),
            };
            (json!(commit.id), difference)
        }
        Ok(None) => (
            ask("Which commit ran the system? 40 or 64 hex digits."),
            ask(
                "What is the SHA-256 digest of `git diff HEAD` there? Null where nothing differed.",
            ),
        ),
        Err(error) => return Err(CliError::Input(error.to_string())),
    };
    let tree = Tree::open(&args.code);
    let lock = tree.and_then(|tree| tree.read(&args.lock, FILE_BYTES_MAX));
    let lock = match lock {
        Ok(read) => json!(read.digest()),
        Err(_) => ask("What is the SHA-256 digest of the file that locks the dependencies?"),
    };
    Ok(json!({
        "commit": commit,
        "dependency_lock_sha256": lock,
        "dirty_diff_sha256": difference,
    }))
}
