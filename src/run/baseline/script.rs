use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::chess::Color;
use crate::digest::Digest;
use crate::run::player::Request;

/// What is said when the script has ended: no move.
const RESIGNS: &str = "resigns";

/// Answers, one a turn.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub(crate) white: Vec<String>,
    pub(crate) black: Vec<String>,
    /// By the number of the game, or of the position in its list, from 1.
    pub(crate) games: BTreeMap<u64, Vec<String>>,
}

impl Script {
    /// What is said in this turn, however often it is asked.
    pub(crate) fn answer(&self, request: &Request) -> String {
        let number = request.cell.map(|cell| cell.index.get().saturating_add(1));
        let number = number.or(request.place.as_ref().map(|place| place.number));
        let own = number.and_then(|number| self.games.get(&number));
        let answers = own.unwrap_or_else(|| match request.position.side_to_move() {
            Color::White => &self.white,
            Color::Black => &self.black,
        });
        // Both sides have chosen as many moves before, or the other one more.
        let turn = request.chosen / 2;
        answers.get(turn).map_or(RESIGNS, String::as_str).to_owned()
    }

    /// The digest of the script: of a line for White, one for Black, and one for
    /// each game that has its own, with the answers a space apart.
    pub(crate) fn digest(&self) -> Digest {
        let mut lines = format!(
            "white {}\nblack {}\n",
            self.white.join(" "),
            self.black.join(" ")
        );
        for (number, answers) in &self.games {
            // A text takes whatever is written to it.
            let _ = writeln!(lines, "game {number} {}", answers.join(" "));
        }
        Digest::of(lines.as_bytes())
    }
}
