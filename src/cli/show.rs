use crate::board::Table;
use crate::chess::Color;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::game_id::GameId;
use crate::cli::reading::{ReadingArgs, ReportFormat};
use crate::cli::screen::Screen;
use crate::cli::sheet::{LedgerLine, Sheet};
use crate::event::{Event, EventId, Verified, What};
use crate::ledger::Disk;
use crate::projection::{GameState, Projection};
use std::collections::BTreeSet;

/// Show one game as its scoresheet, or list the games.
///
/// Prints who played, under which protocol, for which cell and with which
/// result; the position at the end; and every turn: the move, the answers that
/// were rejected before it with their class, and what the engine said of it.
/// All of it is rebuilt from the events; with --events they are printed, too.
///
/// Exit codes: 0 all is well; 1 the events of the game contradict one another;
/// 2 no game, or more than one, has such an id.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, or its first digits: at least 4, and as many as tell
    /// it from the others. Without one, all games are listed.
    game: Option<GameId>,

    /// Also print every line of the ledger that belongs to the game, with its
    /// position in the ledger and its id.
    #[arg(long)]
    events: bool,

    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Some(id) = &args.game else {
        let (projection, _) = args.reading.project(disk)?;
        list(&projection, args.format, screen);
        return Ok(Exit::Clean);
    };
    let mut gathering = Gathering::default();
    let (projection, source) = args.reading.project_with(disk, |index, event| {
        gathering.take(id.digits(), index, event);
    })?;
    let game = id.find(&projection)?;
    // Only one game has such an id, so everything that was gathered is its own.
    let sheet = Sheet::new(&projection, &source, game, &gathering.lines);
    match args.format {
        ReportFormat::Text => screen.data(sheet.text(args.events).as_bytes()),
        ReportFormat::Json => screen.line(&format!("{:#}", sheet.json(args.events))),
    }
    Ok(Exit::of(sheet.findings()))
}

/// Lists all games, in the order they were started.
fn list(projection: &Projection, format: ReportFormat, screen: &mut Screen<'_>) {
    let mut table = Table::new(vec![
        "game",
        "cohort",
        "cell",
        "white",
        "black",
        "state",
        "result",
        "termination",
        "plies",
    ]);
    let text = |word: Option<String>| word.unwrap_or_default();
    for game in projection.games.iter() {
        let id = game.id.to_string();
        let schedule = projection.schedule_of(game);
        table.push(vec![
            match format {
                ReportFormat::Text => id[..12].to_owned(),
                ReportFormat::Json => id,
            },
            text(schedule.map(|schedule| schedule.committed.cohort.to_string())),
            text(game.cell().map(|cell| cell.index.to_string())),
            projection.name_of(game.seat(Color::White)),
            projection.name_of(game.seat(Color::Black)),
            match game.state {
                GameState::Playing => "playing",
                GameState::Finished { .. } => "finished",
                GameState::Aborted { .. } => "aborted",
            }
            .to_owned()
                + if game.is_excluded { ", excluded" } else { "" },
            text(game.result().map(|result| result.to_string())),
            text(game.termination().map(|end| end.to_string())),
            game.accepted.to_string(),
        ]);
    }
    match format {
        ReportFormat::Text => screen.data(table.markdown().as_bytes()),
        ReportFormat::Json => screen.line(&format!("{:#}", serde_json::json!(table.objects()))),
    }
}

/// The lines that belong to the games whose ids begin with some digits.
#[derive(Default)]
struct Gathering {
    ids: BTreeSet<EventId>,
    lines: Vec<LedgerLine>,
}

impl Gathering {
    /// Takes in the next event. It belongs to a game when it starts it, names
    /// it, or names an event that belongs to it.
    fn take(&mut self, digits: &str, index: u64, event: &Verified<Event>) {
        let belongs = match &event.what {
            What::GameStarted(_) => event.id().to_string().starts_with(digits),
            other => other
                .references()
                .iter()
                .any(|reference| self.ids.contains(reference.id)),
        };
        if belongs {
            self.ids.insert(event.id());
            self.lines.push(LedgerLine {
                index,
                event: event.clone(),
            });
        }
    }
}
