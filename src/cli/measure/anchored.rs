use std::path::{Path, PathBuf};

use serde_json::json;

use crate::chess::PgnResult;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::{NOTE_BYTES_MAX, read_input, read_whole};
use crate::cli::measure::games::{Skipped, anchors, sorted};
use crate::cli::measure::player::{lines, object};
use crate::cli::measure::{FILE_BYTES_MAX, read_vectors, report};
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted};
use crate::finding::visible;
use crate::measure::anchored::{
    AnchoredCaseReport, AnchoredReport, AnchoredVectors, AnchoredVerdict, Shown, SystemFit, Terms,
};

/// Compute ratings against anchors: of a file of vectors, or straight from PGN.
///
/// With a FILE, prints every figure of each case as JSON, with every digit; with
/// --check they are held against those that the file expects. With --pgn and
/// --anchors, fits each player of the games, alone, to the results against
/// anchors of the list: two columns, name and rating. Both are described in
/// docs/measure-anchored.md.
///
/// Exit codes: 0 computed, or all that was compared agrees; 1 with --check, a
/// figure differs or nothing was compared; 2 a file is not in its format, or
/// nobody can be rated.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file of vectors, or - for standard input.
    #[arg(required_unless_present = "pgn")]
    file: Option<PathBuf>,

    /// Compare with what the file expects, within the tolerance that it states.
    #[arg(long, requires = "file")]
    check: bool,

    /// The games, or - for standard input.
    #[arg(long, requires = "anchors", conflicts_with = "file")]
    pgn: Option<PathBuf>,

    /// The anchors: a line each, name and rating.
    #[arg(long, requires = "pgn")]
    anchors: Option<PathBuf>,

    /// The one player to fit [default: everybody who met an anchor].
    #[arg(long, requires = "pgn")]
    player: Option<String>,

    /// The draw rate between equals, from 0 to 0.7, or `free` to fit it.
    #[arg(
        long,
        requires = "pgn",
        default_value = "free",
        allow_hyphen_values = true
    )]
    draw_rate: String,

    /// Points added to the side that has White, or `free` to fit them.
    #[arg(
        long,
        requires = "pgn",
        default_value = "0",
        allow_hyphen_values = true
    )]
    color_effect: String,

    /// How often the mini-matches are drawn anew.
    #[arg(long, requires = "pgn", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    replicates: u32,

    /// The seed of the draws.
    #[arg(long, requires = "pgn", default_value_t = 1)]
    seed: u64,

    /// How to print [default: json; with --check or --pgn, text].
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,
}

pub(crate) fn run(args: &Args, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match (&args.file, &args.pgn, &args.anchors) {
        (None, Some(pgn), Some(list)) => fitted(args, pgn, list, screen),
        (Some(file), _, _) => vectors(args, file, screen),
        _ => Err(CliError::Input(
            "name a file of vectors, or --pgn with --anchors".to_owned(),
        )),
    }
}

fn vectors(args: &Args, file: &Path, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let vectors = read_vectors(file, AnchoredVectors::parse)?;
    let report = AnchoredReport::of(&vectors, args.check);
    let agreement = report.check.as_ref().map(|verdict| &verdict.agreement);
    report::print(&report, agreement, args.format, screen, |screen| {
        let Some(verdict) = &report.check else {
            return report.cases.iter().for_each(|case| figures(case, screen));
        };
        report.cases.iter().for_each(|case| compared(case, screen));
        screen.line(&report::in_words(&verdict.agreement, &tolerated(verdict)));
    })
}

fn shown(value: Shown) -> String {
    match value {
        Shown::Number(number) => format!("{number:?}"),
        Shown::PlusInfinity => "+inf".to_owned(),
        Shown::MinusInfinity => "-inf".to_owned(),
        Shown::Nothing => "nothing finite".to_owned(),
        Shown::Word(word) => word.to_owned(),
    }
}

fn figures(case: &AnchoredCaseReport<'_>, screen: &mut Screen<'_>) {
    let place = report::place(case.section, case.id);
    for figure in &case.figures {
        let field = visible(&figure.field);
        screen.line(&format!("{place}: {field} = {}", shown(figure.value)));
    }
    if let Some(fault) = &case.fault {
        screen.line(&format!("{place}: {}", visible(fault)));
    }
}

/// Says of a case what is not as the file expects, and nothing where all is.
fn compared(case: &AnchoredCaseReport<'_>, screen: &mut Screen<'_>) {
    let place = report::place(case.section, case.id);
    report::say_whether_compared(&place, case.compared, screen);
    if let Some(fault) = &case.fault {
        screen.line(&format!("{place}: {}", visible(fault)));
    }
    for difference in case.differences.iter().flatten() {
        let field = visible(&difference.field);
        let expected = visible(&difference.expected);
        let found = difference
            .found
            .map_or_else(|| "no value".to_owned(), shown);
        let tolerance = difference.tolerance;
        screen.line(&format!(
            "{place}: {field}: expected {expected}, found {found}; {tolerance:e} is tolerated"
        ));
    }
}

fn tolerated(verdict: &AnchoredVerdict) -> String {
    let origin = if verdict.is_tolerance_of_file {
        "as the file states"
    } else {
        "our default"
    };
    format!(
        "{:e} in M0 and error bars, {:e} in M3, {origin}",
        verdict.tolerance_m0, verdict.tolerance_m3
    )
}

fn terms(args: &Args) -> Result<Terms, CliError> {
    let number = |what: &str, text: &str| match text {
        "free" => Ok(None),
        text => text.parse::<f64>().map(Some).map_err(|_| {
            CliError::Input(format!(
                "--{what}: expected `free` or a number, found {text:?}"
            ))
        }),
    };
    let terms = Terms::declared(
        number("draw-rate", &args.draw_rate)?,
        number("color-effect", &args.color_effect)?,
    );
    terms
        .check()
        .map_err(|fault| CliError::Input(fault.to_string()))?;
    Ok(terms)
}

fn fitted(args: &Args, pgn: &Path, list: &Path, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let terms = terms(args)?;
    let list_bytes = read_whole(list, "the list of anchors", NOTE_BYTES_MAX)?;
    let anchors = anchors(&String::from_utf8_lossy(&list_bytes)).map_err(|fault| {
        CliError::Input(format!("{} is no list of anchors: {fault}", list.display()))
    })?;
    let games = PgnResult::all_of(&read_input(pgn, FILE_BYTES_MAX)?);
    let (mut players, skipped) = sorted(&games, &anchors);
    if let Some(name) = &args.player {
        players.retain(|player, _| player == name);
    }
    if players.is_empty() {
        let who = match &args.player {
            Some(name) => format!("{name:?} has no"),
            None => "nobody has a".to_owned(),
        };
        return Err(CliError::Input(format!(
            "{who} finished game against an anchor of the list ({}): compare the names in both files",
            skipped_words(games.len(), &skipped)
        )));
    }
    let mut rows = Vec::new();
    for (player, played) in &players {
        let fit = SystemFit::of(&played.matches, &terms, args.replicates, args.seed)
            .map_err(|fault| CliError::Input(format!("{player:?}: {fault}")))?;
        rows.push((player, played, fit));
    }
    match args.format.unwrap_or(ReportFormat::Text) {
        ReportFormat::Json => {
            let players: Vec<_> = rows
                .iter()
                .map(|(name, played, fit)| object(name, played, fit))
                .collect();
            let skipped = skipped
                .kinds()
                .map(|(why, games)| json!({"why": why, "games": games}));
            let document_of = json!({
                "players": players, "games": games.len(), "skipped": skipped,
                "replicates": args.replicates, "seed": args.seed,
            });
            screen.document(&document_of)?;
        }
        ReportFormat::Text => {
            for (name, played, fit) in &rows {
                for line in lines(name, played, fit, (args.replicates, args.seed)) {
                    screen.line(&line);
                }
            }
            screen.line(&skipped_words(games.len(), &skipped));
        }
    }
    Ok(Exit::Clean)
}

fn skipped_words(n_games: usize, skipped: &Skipped) -> String {
    let kinds = skipped.kinds();
    let total: usize = kinds.iter().map(|(_, games)| games).sum();
    let why = kinds.iter().filter(|(_, games)| 0 < *games);
    let why: Vec<_> = why.map(|(why, games)| format!("{games} {why}")).collect();
    let why = if why.is_empty() {
        String::new()
    } else {
        format!(" ({})", why.join(", "))
    };
    format!("{} read, {total} left out{why}", counted(n_games, "game"))
}
