//! Engines in `sh`, which do what a test wants them to do.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use scoresheet::run::uci::{EngineSpec, Limit};
use tempfile::TempDir;

/// An engine in `sh`. The arms of a `case` come before those of a good engine.
/// Files that it writes stand in a folder of its own.
pub(crate) struct Script {
    folder: TempDir,
    pub(crate) spec: EngineSpec,
}

impl Script {
    pub(crate) fn new(arms: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let spec = EngineSpec {
            args: vec![folder.path().join("engine.sh").into()],
            ..spec("sh")
        };
        let script = Self { folder, spec };
        script.rewrite(arms);
        script
    }

    /// An engine that plays by the book: the moves of a game, whoever's turn it
    /// is. `first` is done at the beginning of each search; `$1` is the move
    /// then, `$plies` the number of moves before it.
    pub(crate) fn player(first: &str, moves: &str) -> Self {
        Self::new(&by_the_book(first, moves))
    }

    /// Replaces the engine by another.
    pub(crate) fn rewrite(&self, arms: &str) {
        let text = format!(
            "cd '{}'\n\
             while read -r word rest; do case $word in\n\
             {arms}\n\
             uci) echo 'id name Scripted'\n\
                  echo 'option name Hash type spin default 16 min 1 max 64'\n\
                  echo 'option name UCI_Chess960 type check default false'\n\
                  echo uciok;;\n\
             isready) echo readyok;;\n\
             go) echo 'info depth 1 nodes 20 score cp 30 pv e2e4'; echo bestmove e2e4;;\n\
             quit) exit;;\n\
             esac; done\n",
            self.folder.path().display()
        );
        fs::write(self.path(), text).unwrap();
    }

    /// The program, as an argument of `sh`.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("engine.sh")
    }

    /// What the script wrote into this file.
    pub(crate) fn wrote(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// Removes a file that the script may have written.
    pub(crate) fn forget(&self, name: &str) {
        drop(fs::remove_file(self.folder.path().join(name)));
    }

    /// Whether the script wrote a file of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.folder.path().join(name).exists()
    }
}

/// The arms of an engine that plays by the book.
pub(crate) fn by_the_book(first: &str, moves: &str) -> String {
    format!(
        "position) set -- $rest; plies=$(($# < 2 ? 0 : $# - 2));;\n\
         go) set -- {moves}; shift $plies; {first}\n\
             echo \"info depth 1 nodes 20 score cp 30 pv $1\"; echo \"bestmove $1\";;"
    )
}

/// How a program is started, with nothing but what every program has.
pub(crate) fn spec(command: &str) -> EngineSpec {
    let environment = [("PATH", "/usr/bin:/bin"), ("TZ", "UTC"), ("LC_ALL", "C")];
    EngineSpec {
        command: command.into(),
        args: Vec::new(),
        environment: environment
            .iter()
            .map(|(name, value)| (OsString::from(name), OsString::from(value)))
            .collect(),
        options: Vec::new(),
        limit: Limit::Nodes(20),
    }
}
