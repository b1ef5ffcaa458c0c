use std::path::PathBuf;

use crate::canonical::Count;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::{WritingArgs, parse_words};
use crate::digest::Digest;
use crate::event::{WaiverRecorded, What};
use crate::ledger::{BLOB_BYTES_MAX, Disk, Prefix, Waivers};
use crate::secret::Hit;

/// Record that what looks like a credential is none.
///
/// Appends one `waiver.recorded` for every place in the document that a rule
/// speaks of and no earlier waiver covers. Each lets one rule be silent about
/// exactly these bytes of exactly this document, and carries none of them. The
/// document is a file, or one line of it as `append` takes it.
///
/// Once recorded it cannot be taken back: look first, with --dry-run.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file with the document, or - for standard input.
    file: PathBuf,

    /// Which line of the file is the document, from 1, without its newline
    /// [default: the file is].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    line: Option<u64>,

    /// Why it is no credential, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    reason: String,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let waivers = standing_in(disk)?;
    let file = read_input(&args.file, BLOB_BYTES_MAX)?;
    let document = match args.line {
        None => &file[..],
        Some(line) => line_of(&file, line)?,
    };
    let hits = waivers.standing(document);
    if hits.is_empty() {
        screen.line("nothing in it looks like a credential and is not waived yet");
        return Ok(Exit::Clean);
    }
    let sha256 = Digest::of(document);
    let waived = hits.iter().map(|hit| waiver(sha256, hit, &args.reason));
    let waived = waived.map(|waiver| waiver.map(What::from));
    let waived: Vec<_> = waived.collect::<Result<_, _>>()?;
    if let Some(receipt) = args.writing.append(disk, &waived, screen)? {
        for hit in &hits {
            screen.line(&format!(
                "{} is silent about bytes {}..{} of {sha256}",
                hit.rule, hit.start, hit.end
            ));
        }
        let events = counted(receipt.size, "event");
        screen.line(&format!("the ledger has {events}, root {}", receipt.root));
    }
    Ok(Exit::Clean)
}

fn waiver(sha256: Digest, hit: &Hit, reason: &str) -> Result<WaiverRecorded, CliError> {
    Ok(WaiverRecorded {
        end: Count::saturating(hit.end),
        reason: reason.to_owned(),
        rule: hit
            .rule
            .parse()
            .map_err(|error: crate::event::ParseNameError| CliError::Input(error.to_string()))?,
        sha256,
        start: Count::saturating(hit.start),
    })
}

fn line_of(file: &[u8], line: u64) -> Result<&[u8], CliError> {
    let index = usize::try_from(line - 1).unwrap_or(usize::MAX);
    let mut lines = file.split(|byte| *byte == b'\n');
    lines
        .nth(index)
        .ok_or_else(|| CliError::Input(format!("the file has no line {line}")))
}

/// Returns the waivers that stand in the ledger.
pub(crate) fn standing_in(disk: &Disk) -> Result<Waivers, CliError> {
    let prefix = Prefix::open(disk)?;
    let mut waivers = Waivers::default();
    prefix.read(prefix.size(), |_, event| waivers.take(&event))?;
    Ok(waivers)
}
