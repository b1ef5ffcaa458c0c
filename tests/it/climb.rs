//! A small ladder of scripted engines, each an identity of its own.

use std::fmt::Write as _;
use std::path::PathBuf;

use scoresheet::event::{DrawMade, Event, Stage, Verified, What};
use scoresheet::finding::Code;
use scoresheet::ledger::{Prefix, verify};
use scoresheet::projection::{Game, Projection};

use crate::arena::{Arena, Ran, run_file};
use crate::runs::FOOLS_MATE;
use crate::script::Script;

/// The rules of seed 000 but for the length of a game.
pub(crate) const RULES: &str = "preset = \"chessbench-v3\"\nply_cap = 40";

/// A ledger with engines who climb.
pub(crate) struct Climb {
    pub(crate) arena: Arena,
    players: Vec<(String, Script)>,
}

impl Climb {
    /// Engines of these names, and nothing played yet.
    pub(crate) fn of(names: &[&str]) -> Self {
        let player = |name: &&str| ((*name).to_owned(), Script::player("", FOOLS_MATE));
        Self {
            arena: Arena::new(),
            players: names.iter().map(player).collect(),
        }
    }

    /// An era whose first batch all of them have played.
    pub(crate) fn placed(names: &[&str]) -> Self {
        let climb = Self::of(names);
        climb.arena.run(&climb.cup(names)).ends_with(0);
        climb.start();
        climb
    }

    pub(crate) fn start(&self) {
        let start = ["era", "start", "2026", "--placement", "cup"];
        self.arena.call(&start).ends_with(0);
    }

    /// Does something at the beginning of each search of an engine.
    pub(crate) fn rewrite(&self, name: &str, first: &str) {
        let script = self.script(name);
        script.rewrite(&crate::script::by_the_book(first, FOOLS_MATE));
    }

    pub(crate) fn script(&self, name: &str) -> &Script {
        let mut players = self.players.iter();
        &players.find(|(known, _)| known == name).unwrap().1
    }

    /// How run files name engines. How many nodes one may search is what tells
    /// identities apart.
    fn engines(&self, names: &[&str]) -> Vec<(String, String)> {
        let engine = |name: &&str| {
            let place = self.players.iter().position(|(known, _)| known == name);
            let path = self.script(name).path();
            let text = format!(
                "command = \"sh\"\nargs = ['{}']\nnodes = {}",
                path.display(),
                20 + place.unwrap()
            );
            ((*name).to_owned(), text)
        };
        names.iter().map(engine).collect()
    }

    /// The run file of the first batch.
    pub(crate) fn cup(&self, names: &[&str]) -> PathBuf {
        self.cup_under(RULES, names)
    }

    pub(crate) fn cup_under(&self, rules: &str, names: &[&str]) -> PathBuf {
        let engines = self.engines(names);
        let engines = engines.iter().map(|(a, b)| (a.as_str(), b.as_str()));
        let engines: Vec<_> = engines.collect();
        self.arena.write("cup.toml", &run_file(rules, &engines))
    }

    /// The text of a run file for the ladder.
    pub(crate) fn ladder_text(&self, names: &[&str]) -> String {
        let mut text = "era = \"2026\"\n".to_owned();
        for (name, engine) in self.engines(names) {
            let _ = write!(text, "[[engine]]\nname = \"{name}\"\n{engine}\n");
        }
        text
    }

    /// Plays on the ladder with these engines.
    pub(crate) fn run(&self, names: &[&str], options: &[&str]) -> Ran {
        let file = self.arena.write("ladder.toml", &self.ladder_text(names));
        let words = [&["run", file.to_str().unwrap()], options].concat();
        self.arena.call(&words)
    }

    /// Says that something becomes of a system.
    pub(crate) fn system(&self, change: &str, name: &str) -> Ran {
        let words = ["system", change, name, "--reason", "a test asks for it"];
        self.arena.call(&words)
    }

    /// What is in the ledger.
    pub(crate) fn events(&self) -> Vec<Verified<Event>> {
        let disk = self.arena.bench.disk();
        let prefix = Prefix::open(&disk).unwrap();
        let mut events = Vec::new();
        prefix
            .read(prefix.size(), |_, event| events.push(event))
            .unwrap();
        events
    }

    /// What follows from the events, whatever is wrong with them.
    pub(crate) fn projection(&self) -> Projection {
        let mut projection = Projection::default();
        for event in self.events() {
            projection.apply(&event);
        }
        projection
    }

    /// The codes of everything that is wrong, a test's clock left aside.
    pub(crate) fn codes(&self) -> Vec<Code> {
        let disk = self.arena.bench.disk();
        let verification = verify(&disk, &|_, _| (), &mut |_, _| ()).unwrap();
        let findings = self.projection().findings;
        let codes = verification.findings.iter().chain(&findings);
        let codes = codes.map(|finding| finding.code);
        codes.filter(|code| *code != Code::ClockBackwards).collect()
    }

    pub(crate) fn draws(&self) -> Vec<DrawMade> {
        let events = self.events();
        let draws = events.iter().filter_map(|event| match &event.what {
            What::DrawMade(made) => Some(made.clone()),
            _ => None,
        });
        draws.collect()
    }

    /// Who played whom in the games of a stage, in the order they were started.
    pub(crate) fn pairs(&self, stage: Stage) -> Vec<String> {
        let projection = self.projection();
        let games = projection.games.iter();
        let games = games.filter(|game| game.started.stage == stage);
        games.map(|game| pair(&projection, game)).collect()
    }
}

fn pair(projection: &Projection, game: &Game) -> String {
    let [white, black] = game.seats().map(|(_, system)| projection.name_of(system));
    format!("{white}-{black}")
}
