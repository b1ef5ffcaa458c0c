//! A small ledger with a game of every ending, for tests that need evidence.
//!
//! Three systems play a double round robin: two engines that report nodes,
//! depth and score, and a model that reports tokens and, now and then, what a
//! call cost. Everything in it is made up and nothing of it is random: ids,
//! times and figures are the same in every run, so that goldens can show them.
//!
//! | cell | White - Black | how it goes |
//! |---|---|---|
//! | 0 | beta - gamma | fool's mate |
//! | 1 | gamma - alpha | threefold repetition |
//! | 2 | alpha - beta | stalemate after 19 plies |
//! | 3 | gamma - beta | aborted by a timeout; played again, a mate after a rejected answer |
//! | 4 | alpha - gamma | Black forfeits by rejected answers |
//! | 5 | beta - alpha | drawn by the ply limit |
//!
//! [`Evidence::new`] has all of it on disk; [`script`] has the events alone,
//! and [`Script`] tells other stories.

mod registration;
mod script;

use std::path::PathBuf;

use scoresheet::chess::{GameResult, RejectionClass, Termination};
use scoresheet::event::{Event, Origin, Verified};
use scoresheet::ledger::{Disk, LedgerError, Prefix, Waivers, Writer, create, put_blob};
use scoresheet::projection::{Projection, Source};

pub(crate) use script::Script;

/// The cohort of the six cells.
pub(crate) const COHORT: &str = "small";

const RUN_FILE: &[u8] = b"cohort = \"small\"\n";

/// The ledger on disk, in a folder of its own.
pub(crate) struct Evidence {
    folder: tempfile::TempDir,
}

impl Evidence {
    /// Returns the ledger with all six cells played.
    pub(crate) fn new() -> Self {
        let evidence = Self::opened();
        evidence.append(&script().events);
        evidence
    }

    /// Returns a ledger that only says that it was opened.
    pub(crate) fn opened() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let evidence = Self { folder };
        let origin: Origin = "example.org/small".parse().unwrap();
        let disk = evidence.disk();
        create(&disk, origin, Script::default().at(), script::by()).unwrap();
        put_blob(&disk, RUN_FILE, &Waivers::default()).unwrap();
        evidence
    }

    /// Appends events.
    pub(crate) fn append(&self, events: &[Verified<Event>]) {
        let disk = self.disk();
        // A program that another test is starting holds a copy of every lock of
        // this process until it runs.
        let opened = (0..100).find_map(|_| {
            match Writer::open(&disk, Script::default().at(), &script::by()) {
                Err(LedgerError::Busy { .. }) => {
                    std::thread::sleep(std::time::Duration::from_millis(10));
                    None
                }
                opened => Some(opened.unwrap().0),
            }
        });
        opened.unwrap().append(events).unwrap();
    }

    /// The folder of the ledger.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("ledger")
    }

    pub(crate) fn disk(&self) -> Disk {
        Disk::new(self.path())
    }

    /// Folds the whole ledger.
    pub(crate) fn project(&self) -> (Projection, Source) {
        let disk = self.disk();
        let prefix = Prefix::open(&disk).unwrap();
        let mut projection = Projection::default();
        let root = prefix
            .read(prefix.size(), |_, event| projection.apply(&event))
            .unwrap();
        let source = Source {
            origin: prefix.description().origin.clone(),
            size: prefix.size(),
            root,
        };
        (projection, source)
    }
}

/// Returns the events of the six cells, without the first of the ledger.
pub(crate) fn script() -> Script {
    let mut script = Script::default();
    let schedule = script.schedule();
    script
        .cell(schedule, 0)
        .all(FOOLS_MATE)
        .finish(GameResult::BlackWins, Termination::Checkmate);
    script
        .cell(schedule, 1)
        .all(THREEFOLD)
        .finish(GameResult::Draw, Termination::ThreefoldRepetition);
    script
        .cell(schedule, 2)
        .all(STALEMATE)
        .finish(GameResult::Draw, Termination::Stalemate);
    script.cell(schedule, 3).all("e2e4").time_out();
    script
        .cell(schedule, 3)
        .all("e2e4 e7e5 d1h5 b8c6")
        .reject("Bc4, eyeing f7!", RejectionClass::WrongFormat)
        .all("f1c4 g8f6 h5f7")
        .finish(GameResult::WhiteWins, Termination::Checkmate);
    script
        .cell(schedule, 4)
        .all("e2e4")
        .reject("e4e5", RejectionClass::WrongSide)
        .reject("", RejectionClass::Empty)
        .finish(GameResult::WhiteWins, Termination::RejectedMoves);
    script
        .cell(schedule, 5)
        .all(RUY_LOPEZ)
        .finish(GameResult::Draw, Termination::PlyLimit);
    script.look_up_cost("0.00031");
    script
}

const FOOLS_MATE: &str = "f2f3 e7e5 g2g4 d8h4";
const THREEFOLD: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
/// Sam Loyd's shortest stalemate.
const STALEMATE: &str = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 \
     b7b8 d3h7 b8c8 f7g6 c8e6";
/// As many plies as the protocol permits.
const RUY_LOPEZ: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 \
     c2c3 e8g8 h2h3 c6a5 b3c2 c7c5 d2d4 d8c7 b1d2 c5d4";

#[test]
fn the_evidence_is_sound() {
    let evidence = Evidence::new();
    let verification =
        scoresheet::ledger::verify(&evidence.disk(), &|_, _| (), &mut |_, _| ()).unwrap();
    assert_eq!(verification.findings, vec![]);
    let (projection, _) = evidence.project();
    assert_eq!(projection.findings, vec![]);
    let cohort = projection.cohort(COHORT).unwrap();
    assert!(cohort.is_terminal());
    let ends: Vec<_> = cohort
        .finished()
        .map(|game| game.termination().unwrap())
        .collect();
    assert_eq!(
        ends,
        [
            Termination::Checkmate,
            Termination::ThreefoldRepetition,
            Termination::Stalemate,
            Termination::Checkmate,
            Termination::RejectedMoves,
            Termination::PlyLimit,
        ]
    );
    assert_eq!(cohort.aborted.len(), 1);
}
