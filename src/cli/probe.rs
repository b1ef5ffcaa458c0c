use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;

use crate::canonical::MAX_SAFE_INTEGER;
use crate::chess::{TableFault, Tablebase};
use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::interrupt::Interrupt;
use crate::cli::reading::ReportFormat;
use crate::cli::run::Ground;
use crate::cli::screen::{Screen, counted, progress_bar_of};
use crate::cli::writing::parse_by;
use crate::event::By;
use crate::ledger::Disk;
use crate::run::{ProbeError, ProbeWork, Probing, TableFolders, probe};

/// Ask Syzygy endgame tables about games that were cut off.
///
/// Of every game that ended by adjudication or the ply limit and counts, the last
/// position is looked up, and the first that the tables hold: who wins under best
/// play (.rtbw), and where there are tables of it how many plies the next capture
/// or pawn move is away (.rtbz). Each answer becomes a `tablebase.probed` with the
/// digests of the tables that were read: each is read whole once. A position that
/// stands in the ledger is not looked up again, whichever tables said it.
///
/// What the tables do not hold is no fault: more pieces than they cover, castling
/// rights, a table that is not there. Results of games stay what the protocol
/// says; `scoresheet board anchored` shows the reading by tables beside them.
///
/// Kill it at any moment and start it again: it goes on with what is missing.
///
/// Exit codes: 0 every position that the tables hold stands in the ledger, or as
/// many as were asked for; 2 a table is damaged or cannot be read, the ledger
/// takes no events, or it was told to stop.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A folder with Syzygy tables of standard chess; may be given more than once.
    /// Of two tables of one name that of the earlier folder counts.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// Stop after so many positions; the next start goes on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_SAFE_INTEGER))]
    positions: Option<u64>,

    /// Who writes: printable ASCII without spaces.
    #[arg(long, value_name = "NAME", default_value = "prober/scoresheet", value_parser = parse_by)]
    by: By,

    /// Say how many positions would be looked up, and write nothing.
    #[arg(long)]
    dry_run: bool,

    /// How to report.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let interrupt = Interrupt::listen().map_err(CliError::io("listen for signals"))?;
    let folders = TableFolders::list(&args.folders);
    let folders = Arc::new(folders.map_err(|error| CliError::Input(error.to_string()))?);
    let tables = Tablebase::of(folders.clone()).map_err(|fault| damaged(&fault, &folders))?;
    if tables.pieces_max() == 0 {
        let message =
            "no Syzygy table of standard chess stands in these folders: files such as KQvK.rtbw";
        return Err(CliError::Input(message.to_owned()));
    }
    let ground = Ground::survey(disk, interrupt)?;
    let mut work = ProbeWork::of(&ground.projection, &tables);
    let all = work.open.len();
    if let Some(positions) = args.positions {
        let positions = usize::try_from(positions).unwrap_or(usize::MAX);
        work.open.truncate(positions);
    }
    let mut probing = Probing::default();
    let mut is_asked = false;
    if !args.dry_run && !work.open.is_empty() {
        let (mut record, interrupt) = ground.record(&WallClock, &args.by)?;
        let bar = progress_bar_of("probing", "positions");
        bar.set_length(work.open.len().try_into().unwrap_or(u64::MAX));
        let outcome = probe(
            &mut record,
            (&tables, &folders),
            &work.open,
            &|| interrupt.is_asked(),
            &mut |done| bar.set_position(done.try_into().unwrap_or(u64::MAX)),
        );
        bar.finish_and_clear();
        probing = outcome.map_err(|error| match error {
            ProbeError::Run(error) => error.into(),
            ProbeError::Table(fault) => damaged(&fault, &folders),
            ProbeError::Folder(error) => CliError::Input(error.to_string()),
        })?;
        is_asked = interrupt.is_asked() && probing.left != 0;
    }
    let report = Report {
        open: all - probing.probed - probing.lacking,
        work,
        probing,
        is_dry_run: args.dry_run,
        is_asked,
    };
    match args.format {
        ReportFormat::Text => report.say(&tables, screen),
        ReportFormat::Json => screen.line(&format!("{:#}", report.json(&tables))),
    }
    Ok(if is_asked { Exit::Failed } else { Exit::Clean })
}

/// Says where the table is that cannot be used.
fn damaged(fault: &TableFault, folders: &TableFolders) -> CliError {
    let path = folders.path(&fault.file);
    let file = path.map_or_else(|| fault.file.clone(), |path| path.display().to_string());
    let reason = fault.reason.clone();
    CliError::Input(TableFault { file, reason }.to_string())
}

/// What was looked at, and what came of it.
struct Report {
    work: ProbeWork,
    probing: Probing,
    /// Positions that stay to be looked up.
    open: usize,
    is_dry_run: bool,
    is_asked: bool,
}

impl Report {
    fn say(&self, tables: &Tablebase, screen: &mut Screen<'_>) {
        let (work, probing) = (&self.work, self.probing);
        let [ends, distances] = tables.counts();
        screen.line(&format!(
            "tables of up to {} pieces: {ends} say who wins, {distances} how soon",
            tables.pieces_max(),
        ));
        screen.line(&format!(
            "{} cut off, {} of them not in the tables: {}, {} already known",
            counted(work.games, "game"),
            work.not_held,
            counted(work.positions, "position"),
            work.known,
        ));
        if probing.lacking != 0 {
            screen.line(&format!(
                "{} not in the tables, for want of one that a capture leads to",
                counted(probing.lacking, "position")
            ));
        }
        let rest = match (self.is_dry_run, self.is_asked) {
            _ if self.open == 0 => "",
            (true, _) => "; nothing was written",
            (false, true) => "; told to stop, run again to go on",
            (false, false) => "; run again to go on",
        };
        let probed = counted(probing.probed, "position");
        screen.line(&format!("{probed} probed, {} open{rest}", self.open));
    }

    fn json(&self, tables: &Tablebase) -> serde_json::Value {
        let [ends, distances] = tables.counts();
        json!({
            "already_known": self.work.known,
            "dry_run": self.is_dry_run,
            "games": self.work.games,
            "games_not_in_tables": self.work.not_held,
            "open": self.open,
            "positions": self.work.positions,
            "positions_lacking_a_table": self.probing.lacking,
            "probed": self.probing.probed,
            "tables": { "dtz": distances, "pieces": tables.pieces_max(), "wdl": ends },
            "v": 1,
        })
    }
}
