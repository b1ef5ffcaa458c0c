use std::path::Path;

use scoresheet::digest::Digest;
use scoresheet::event::{CohortFrozen, Event, Origin, Verified, What};
use scoresheet::ledger::{
    Checkpoint, Disk, Prefix, Receipt, Waivers, Writer, issue_checkpoint, put_blob,
};
use scoresheet::manifest::{self, CohortManifest, Freeze};
use scoresheet::projection::{Projection, Source};
use scoresheet::release::{MANIFESTS_FOLDER, SPECIFICATION, Specification};

use crate::games::Games;
use crate::lines::{at, by, new_ledger};

/// The cohort of this repository's ledger that is played again and again.
const COHORT: &str = "pilot-1";

/// A published release, and how much there is of what.
pub(crate) struct Project {
    pub(crate) events: u64,
    pub(crate) cohorts: usize,
    pub(crate) artifacts: usize,
}

impl Project {
    /// Makes a project in this folder, of at least so many events: cohorts, each
    /// frozen when it has been played, and a release of all of them with the usual
    /// artifacts.
    pub(crate) fn publish(folder: &Path, n_events: usize) -> Self {
        let disk = new_ledger(&folder.join("ledger"));
        let cohorts = play(&disk, folder, n_events);
        let mut new = vec!["release", "new", "r"];
        new.extend(cohorts.iter().flat_map(|name| ["--cohort", name]));
        command(folder, &new);
        command(folder, &["release", "build"]);
        command(
            folder,
            &[
                "release",
                "publish",
                "--time",
                &at().to_string(),
                "--by",
                "bench",
            ],
        );
        let specification = std::fs::read(folder.join(SPECIFICATION)).unwrap();
        let specification = Specification::parse(&specification).unwrap();
        Self {
            events: Prefix::open(&disk).unwrap().size(),
            cohorts: cohorts.len(),
            artifacts: specification.artifacts.len(),
        }
    }
}

/// Runs a command of the program that must succeed; returns what it printed.
pub(crate) fn command(folder: &Path, args: &[&str]) -> String {
    let mut out = Vec::new();
    let before = ["scoresheet", "--project", folder.to_str().unwrap()];
    let code = scoresheet::cli::run_into(before.iter().chain(args), &mut out);
    let out = String::from_utf8(out).unwrap();
    assert_eq!(code, 0, "{args:?}: {out}");
    out
}

/// Plays cohorts until there are so many events, and returns their names.
fn play(disk: &Disk, folder: &Path, n_events: usize) -> Vec<String> {
    std::fs::create_dir_all(folder.join(MANIFESTS_FOLDER)).unwrap();
    let (games, run_file) = cohort();
    put_blob(disk, &run_file, &Waivers::default()).unwrap();
    let (mut writer, _) = Writer::open(disk, at(), &by()).unwrap();
    let mut projection = Projection::forgetful();
    let prefix = Prefix::open(disk).unwrap();
    let origin = prefix.description().origin.clone();
    prefix
        .read(prefix.size(), |_, event| projection.apply(&event))
        .unwrap();
    let mut append = |projection: &mut Projection, events: &[Verified<Event>]| {
        for event in events {
            projection.apply(event);
        }
        writer.append(events).unwrap()
    };
    append(&mut projection, &games.before);
    let mut events = games.again_and_again();
    let mut names = Vec::new();
    while projection.size < n_events as u64 {
        let round: Vec<_> = events.by_ref().take(games.games.len()).collect();
        let receipt = append(&mut projection, &round);
        let What::ScheduleCommitted(committed) = &round[0].what else {
            panic!("a cohort begins with its schedule");
        };
        let name = committed.cohort.to_string();
        let source = source(&origin, &receipt);
        issue_checkpoint(disk, &Checkpoint::new(origin.clone(), source.checkpoint())).unwrap();
        let frozen = freeze(&projection, &name, &source, folder);
        append(&mut projection, &[frozen]);
        names.push(name);
    }
    assert_eq!(projection.findings, vec![]);
    names
}

fn source(origin: &Origin, receipt: &Receipt) -> Source {
    Source {
        origin: origin.clone(),
        size: receipt.size,
        root: receipt.root,
    }
}

/// Writes the manifest of a cohort, and returns the event that names it.
fn freeze(projection: &Projection, name: &str, source: &Source, folder: &Path) -> Verified<Event> {
    let cohort = projection.cohort(name).unwrap();
    let made = CohortManifest::of(projection, &cohort, source, Freeze::default()).unwrap();
    let file = manifest::file(&made).unwrap();
    let name = CohortManifest::file_name(&made.cohort, &Digest::of(&file));
    std::fs::write(folder.join(MANIFESTS_FOLDER).join(name), &file).unwrap();
    let frozen = CohortFrozen {
        checkpoint: source.checkpoint(),
        cohort: made.cohort.clone(),
        label: None,
        manifest: Digest::of(&file),
        schedule: cohort.schedule.id,
        supersedes: None,
    };
    let event = Event {
        at: "2026-12-01T12:00:00.000Z".parse().unwrap(),
        by: by(),
        what: frozen.into(),
    };
    Verified::write(event).unwrap()
}

/// The games of one cohort, its schedule first, and the run file that it names.
fn cohort() -> (Games, Vec<u8>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger");
    let disk = Disk::new(&folder);
    let prefix = Prefix::open(&disk).unwrap();
    let mut played = Games {
        before: Vec::new(),
        games: Vec::new(),
    };
    let mut ids = std::collections::BTreeSet::new();
    let mut run_file = None;
    let each = |_, event: Verified<Event>| {
        let id = event.id();
        let is_of = match &event.what {
            What::ProtocolPublished(_) | What::SystemRegistered(_) => {
                played.before.push(event.clone());
                return;
            }
            What::ScheduleCommitted(committed) => {
                let is_of = committed.cohort.as_str() == COHORT;
                run_file = run_file.or(committed.run_file.filter(|_| is_of));
                is_of
            }
            What::GameStarted(started) => started
                .cell
                .is_some_and(|cell| ids.contains(&cell.schedule)),
            What::GameFinished(finished) => ids.contains(&finished.game),
            What::MoveAccepted(accepted) => ids.contains(&accepted.game),
            What::MoveRejected(rejected) => ids.contains(&rejected.game),
            What::CallSent(sent) => sent.game.is_some_and(|game| ids.contains(&game)),
            What::CallAnswered(answered) => ids.contains(&answered.call),
            What::CallFailed(failed) => ids.contains(&failed.call),
            _ => false,
        };
        if is_of {
            ids.insert(id);
            played.games.push(event);
        }
    };
    prefix.read(prefix.size(), each).unwrap();
    let blob = scoresheet::ledger::blob_path(&run_file.unwrap());
    (played, std::fs::read(folder.join(blob)).unwrap())
}
