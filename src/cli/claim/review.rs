use crate::cli::claim::find;
use crate::cli::desk::Desk;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::cli::writing::{WritingArgs, parse_words};
use crate::event::{ClaimReviewed, ClaimVerdict};
use crate::ledger::Disk;
use crate::release::claims_at;

/// Say what came of holding claims against the evidence.
///
/// Appends one `claim.reviewed` a claim, about the ledger as it stands. A claim
/// whose numbers are not what their tables say now can only be withdrawn. A
/// release needs a review of each of its claims that is later than the last
/// change of what the claim stands on.
///
/// Exit codes: 0 it is written, or --dry-run shows it; 2 it is refused, or
/// something could not be looked at.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The claims: their names, their ids or the first digits.
    #[arg(required = true, value_name = "CLAIM")]
    claims: Vec<String>,

    /// What came of it.
    #[arg(long, value_enum)]
    verdict: Verdict,

    /// Why, in words; for a narrowed claim, within which limits it holds. It is
    /// public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    reason: String,

    /// Who looked; it is public.
    #[arg(long, value_name = "NAME", value_parser = parse_words)]
    reviewer: String,

    #[command(flatten)]
    writing: WritingArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Verdict {
    /// It holds as it stands.
    Upheld,
    /// It holds within the limits that the reason names.
    Narrowed,
    /// Nobody makes it any more.
    Withdrawn,
}

impl From<Verdict> for ClaimVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Upheld => Self::Upheld,
            Verdict::Narrowed => Self::Narrowed,
            Verdict::Withdrawn => Self::Withdrawn,
        }
    }
}

pub(super) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut desk = Desk::open(&args.writing, disk)?;
    let verdict = ClaimVerdict::from(args.verdict);
    let checkpoint = desk.source().checkpoint();
    let known = claims_at(desk.projection(), desk.source(), None);
    let mut reviews = Vec::new();
    for text in &args.claims {
        let claim = find(desk.projection(), text)?.recorded.id;
        let mut held = known.iter();
        let differs = held.any(|one| {
            let mut figures = one.figures.iter();
            one.claim.recorded.id == claim && figures.any(|(_, found)| found.is_some())
        });
        if differs && verdict != ClaimVerdict::Withdrawn {
            return Err(CliError::Input(format!(
                "a number of {text} is not what its table says now, and nothing was written: withdraw it, or supersede it; scoresheet claims shows both numbers"
            )));
        }
        reviews.push(ClaimReviewed {
            checkpoint,
            claim,
            reason: args.reason.clone(),
            reviewer: args.reviewer.clone(),
            verdict,
        });
    }
    for review in reviews {
        desk.say(review)?;
    }
    if desk.commit(screen)? {
        for text in &args.claims {
            screen.line(&format!(
                "{text}: {} at size {}",
                verdict.as_str(),
                checkpoint.size
            ));
        }
        desk.report(screen);
    }
    Ok(Exit::Clean)
}
