mod consequences;
pub(crate) mod target;

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use crate::cli::correct::consequences::consequences;
use crate::cli::correct::target::{Candidates, Target, recorded_value};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::fold_with;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::{WritingArgs, parse_money, parse_words};
use crate::event::{
    CorrectionChange, CorrectionRecorded, Event, NamedValue, SUPERSEDED_FIELDS, Verified,
};
use crate::finding::{Code, Finding, visible};
use crate::ledger::{Disk, Prefix};
use crate::projection::{Corrections, Projection};

/// Set something right that the ledger says: with a reason, and for all to see.
///
/// Appends one `correction.recorded`. Nothing is changed or taken away: figures
/// follow the correction from its event on, and --at shows them as they were
/// before. What would move is shown first, and nothing is written without a
/// yes. An excluded game stays in every list and keeps its cell and its cost; it
/// leaves ratings, boards and averages, which count it as excluded.
///
/// Exit codes: 0 it is written, or --dry-run shows it; 2 it is refused, nobody
/// said yes, or something could not be looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The ids of the events that it is about, or their first digits: at least
    /// 4, and as many as tell them from others. A game goes by its own id, also
    /// where its result or termination is set.
    #[arg(required = true, value_name = "TARGET")]
    targets: Vec<Target>,

    #[command(flatten)]
    change: ChangeArgs,

    /// Why, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    reason: String,

    /// What it rests on, in words: a bill, a log, a ticket; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    evidence: String,

    /// Write without asking.
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    writing: WritingArgs,
}

/// What changes: one of these.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct ChangeArgs {
    /// Say something about the targets; no figure changes.
    #[arg(long)]
    annotate: bool,

    /// Take games, looked-up costs, expenses, billing corrections, what accounts
    /// were seen to spend, or prices out of every figure.
    #[arg(long)]
    exclude: bool,

    /// Put this value in the place of the one that the target carries; may be
    /// given more than once. Fields: result and termination of game.finished, as
    /// the moves give them; `cost_usd` and tokens.cached, .completion, .prompt,
    /// .reasoning of call.answered; `amount_usd` of `cost.looked_up`;
    /// `amount_usd` and category of expense.recorded; `corrected_usd` of
    /// billing.corrected; the prices of price.recorded.
    #[arg(long, value_name = "FIELD=VALUE", value_parser = parse_value)]
    set: Vec<NamedValue>,

    /// Take earlier corrections back.
    #[arg(long)]
    reverse: bool,
}

impl ChangeArgs {
    const fn change(&self) -> CorrectionChange {
        match (self.annotate, self.exclude, self.reverse) {
            (true, ..) => CorrectionChange::Annotate,
            (_, true, _) => CorrectionChange::Exclude,
            (_, _, true) => CorrectionChange::Reverse,
            _ => CorrectionChange::Supersede,
        }
    }
}

fn parse_value(text: &str) -> Result<NamedValue, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected FIELD=VALUE, such as amount_usd=12.5")?;
    let mut fields = SUPERSEDED_FIELDS.iter().filter(|field| field.name == name);
    let Some(field) = fields.next() else {
        let mut names: Vec<_> = SUPERSEDED_FIELDS.iter().map(|field| field.name).collect();
        names.dedup();
        return Err(format!(
            "no field `{}` can be set; these can: {}",
            visible(name),
            names.join(", ")
        ));
    };
    let value = if field.is_money() {
        parse_money(value)?.to_string()
    } else {
        value.to_owned()
    };
    if !field.takes(&value) && !fields.any(|other| other.takes(&value)) {
        return Err(format!("expected for `{name}` {}", field.expected));
    }
    Ok(NamedValue {
        name: name.to_owned(),
        value,
    })
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    if args.writing.dry_run {
        let event = draft(args, disk, screen)?;
        screen.event(&event);
        return Ok(Exit::Clean);
    }
    if !args.yes && !io::stdin().is_terminal() {
        draft(args, disk, screen)?;
        return Err(CliError::Input(
            "nothing was written: there is no terminal to ask at; look at what would move, then give --yes"
                .to_owned(),
        ));
    }
    // The lock is held from reading to writing: what is shown is what is written.
    let mut writer = args.writing.writer(disk)?;
    let event = draft(args, disk, screen)?;
    if !args.yes && !is_confirmed(screen)? {
        return Err(CliError::Input(
            "nothing was written: nobody said yes".to_owned(),
        ));
    }
    let receipt = writer.append(std::slice::from_ref(&event))?;
    screen.line(&format!("recorded correction {}", event.id()));
    let events = counted(receipt.size, "event");
    screen.line(&format!("the ledger has {events}, root {}", receipt.root));
    Ok(Exit::Clean)
}

/// Asks on the terminal.
fn is_confirmed(screen: &mut Screen<'_>) -> Result<bool, CliError> {
    screen.flush();
    let mut err = io::stderr();
    let asked = err
        .write_all(b"Write it? [y/N] ")
        .and_then(|()| err.flush());
    asked.map_err(CliError::io("ask on the terminal"))?;
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    read.map_err(CliError::io("read the answer"))?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Returns the event that would be written, and shows what it would move.
fn draft(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Verified<Event>, CliError> {
    let change = args.change.change();
    let values = &args.change.set;
    let prefix = Prefix::open(disk)?;
    let mut candidates = Candidates::of(&args.targets);
    let (before, source) = fold_with(&prefix, prefix.size(), |_, event| candidates.take(event))?;
    let targets = candidates.find(&args.targets, change, values)?;
    let event = args.writing.event(CorrectionRecorded {
        change,
        evidence: args.evidence.clone(),
        reason: args.reason.clone(),
        targets: targets.iter().map(|target| target.id()).collect(),
        values: values.clone(),
    })?;
    if changes_nothing(change, values, &targets, &before.corrections) {
        return Err(CliError::Input(
            "it would change nothing: what it says counts already".to_owned(),
        ));
    }
    let mut after = before.clone();
    after.apply(&event);
    if let Some(contradicted) = contradicted(&event, &after) {
        return Err(CliError::Input(format!(
            "it would contradict the evidence: expected {}, found {}",
            contradicted.expected, contradicted.found
        )));
    }
    screen.line(&format!(
        "{} {}, as the ledger stands at size {}:",
        change.as_str(),
        counted(targets.len(), "event"),
        source.size
    ));
    for target in &targets {
        let kind = target.what.kind().name;
        screen.line(&format!("  {}  {kind}", target.id()));
    }
    let moved = consequences(&before, &after, event.at);
    for line in &moved {
        screen.line(&format!("  {}", visible(line)));
    }
    if moved.is_empty() {
        screen.line("  no figure moves; it is kept and shown");
    }
    Ok(event)
}

/// Whether everything that is asked for counts already. Something can always be
/// said about an event once more.
fn changes_nothing(
    change: CorrectionChange,
    values: &[NamedValue],
    targets: &[&Verified<Event>],
    corrections: &Corrections,
) -> bool {
    targets.iter().all(|target| {
        let id = target.id();
        match change {
            CorrectionChange::Annotate | CorrectionChange::Reverse => false,
            CorrectionChange::Exclude => corrections.is_excluded(&id),
            CorrectionChange::Supersede => values.iter().all(|value| {
                let superseded = corrections.superseded(&id, &value.name);
                let counting = superseded.map(str::to_owned);
                let counting = counting.or_else(|| recorded_value(target, &value.name));
                counting.as_ref() == Some(&value.value)
            }),
        }
    })
}

/// What contradicts the evidence in the correction itself.
fn contradicted<'a>(event: &Verified<Event>, after: &'a Projection) -> Option<&'a Finding> {
    let id = event.id();
    let mut findings = after.findings.iter();
    findings.find(|finding| {
        finding.code == Code::CorrectionContradicted
            && finding.place.event.as_ref() == Some(id.digest())
    })
}
