use std::path::{Path, PathBuf};

use crate::canonical::{Clock as _, Time};
use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::{NOTE_BYTES_MAX, read_input};
use crate::cli::policy::read_policy;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, hint};
use crate::cli::signing::{folder_of, load, memory_of};
use crate::cli::writing::parse_time;
use crate::ledger::{Begin, Disk, Memory, Status, Witness};

/// Cosign a checkpoint, if it is consistent with the last one cosigned.
///
/// Reads the body of one C2SP tlog-witness add-checkpoint request on standard
/// input and writes the body of the answer to standard output: cosignature
/// lines, or the size that was cosigned last, or why not. The status line of
/// HTTP goes to standard error. What was cosigned is on disk before the answer.
///
/// Exit codes: 0 cosigned (200); 1 refused (any other status); 2 could not
/// answer, and nothing was signed (500 for whoever puts this behind HTTP).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The logs that are trusted: the `log` lines of a policy.
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,

    /// The key of the witness: scoresheet key new --witness.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,

    /// What was cosigned last, to be kept as safely as the key [default:
    /// KEY.signed, which `key new` begins].
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Begin the state of a key from elsewhere that has signed nothing yet.
    #[arg(long)]
    new: bool,

    /// The time of the cosignature, such as 2026-11-29T20:48:00.123Z [default: now].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Time>,

    /// How to answer: the body alone, or status, content type and body as JSON.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

pub(crate) fn run(args: &Args, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let policy = read_policy(&args.policy)?;
    let key = load(&args.key)?;
    let body = read_input(Path::new("-"), NOTE_BYTES_MAX)?;
    let (folder, name) = state(args)?;
    let begin = if args.new { Begin::New } else { Begin::Known };
    let memory = Memory::open(&folder, &name, begin)?;
    let witness = Witness::new(&policy, &key, memory);
    let mut witness = witness.map_err(|error| CliError::Input(error.to_string()))?;
    let time = args.time.unwrap_or_else(|| WallClock.now());
    let unix_seconds = u64::try_from(time.unix_ms().div_euclid(1000))
        .map_err(|_| CliError::Input("a cosignature has no time before 1970".to_owned()))?;
    let answer = witness.answer(&body, unix_seconds)?;
    match args.format {
        ReportFormat::Text => {
            hint(answer.status.line());
            screen.data(answer.body.as_bytes());
        }
        ReportFormat::Json => screen.line(&format!(
            "{:#}",
            serde_json::json!({
                "body": answer.body,
                "content_type": answer.status.content_type(),
                "status": answer.status.code(),
            })
        )),
    }
    Ok(match answer.status {
        Status::Ok => Exit::Clean,
        _ => Exit::Blocked,
    })
}

/// The folder and the name of what the key signed last.
fn state(args: &Args) -> Result<(Disk, String), CliError> {
    let (folder, name) = memory_of(&args.key)?;
    let Some(state) = &args.state else {
        return Ok((folder, name));
    };
    let own = folder.root().join(name);
    if own.exists() {
        return Err(CliError::Input(format!(
            "the key keeps what it signed in {}; a second state could sign its opposite: leave --state out",
            own.display()
        )));
    }
    folder_of(state)
}
