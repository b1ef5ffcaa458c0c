//! What endgame tables say of positions, and of games that were cut off there.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::chess::{Color, Fen, GameResult, TableWdl};
use crate::event::{EventId, TablebaseProbed};
use crate::finding::{Code, Finding, Place};
use crate::projection::{Corrections, Game, Projection};

/// The most pieces, kings included, of which anybody has Syzygy tables.
const PIECES_MAX: usize = 7;

/// So many plies without a capture or a pawn move are a draw.
const FIFTY_MOVES: u64 = 100;

/// What is kept of a `tablebase.probed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableProbe {
    /// Its id.
    pub id: EventId,
    /// The end under best play, for the side to move, as if a capture or a pawn
    /// move had just been made.
    pub wdl: TableWdl,
    /// Plies to the next capture or pawn move on the way there, whoever gains by
    /// it. The table may have rounded it down by one. Absent: not known.
    pub dtz: Option<u64>,
    /// Whether a correction takes it out of every figure.
    pub is_excluded: bool,
}

/// All probes, by position: what stands on the board, who moves, and en passant.
/// The two counters of a FEN are nothing that a table knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tablebases {
    /// Those of each position, in the order of the ledger.
    by_position: BTreeMap<String, Vec<TableProbe>>,
    /// How many events probed tables.
    count: u64,
}

impl Tablebases {
    /// What tables say of this position: the first probe that no correction
    /// excludes.
    pub fn of(&self, fen: &Fen) -> Option<&TableProbe> {
        let mut probes = self.by_position.get(Self::placed(fen))?.iter();
        probes.find(|probe| !probe.is_excluded)
    }

    /// The number of `tablebase.probed` events.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// A FEN without its two counters: what a table knows of a position.
    pub(crate) fn placed(fen: &Fen) -> &str {
        let text = fen.as_str();
        let mut spaces = text.match_indices(' ').map(|(place, _)| place);
        spaces
            .nth(3)
            .and_then(|end| text.get(..end))
            .unwrap_or(text)
    }

    /// Whether there are tables for so many pieces, and none of the sides has
    /// castling rights.
    pub(crate) fn could_hold(fen: &Fen) -> bool {
        let mut fields = fen.as_str().split(' ');
        let board = fields.next().unwrap_or_default();
        let pieces = board.bytes().filter(u8::is_ascii_alphabetic).count();
        pieces <= PIECES_MAX && fields.nth(1) == Some("-")
    }

    /// Takes in a probe. Returns a finding where the one that counts of the same
    /// position says otherwise.
    pub(crate) fn take(&mut self, id: EventId, probed: &TablebaseProbed) -> Option<Finding> {
        self.count += 1;
        // The event's own check has looked at the number.
        let probe = TableProbe {
            id,
            wdl: TableWdl::of(probed.wdl.get())?,
            dtz: probed.dtz.map(|dtz| dtz.get().unsigned_abs()),
            is_excluded: false,
        };
        let first = self.of(&probed.fen);
        let differing = first.filter(|first| first.contradicts(&probe));
        let finding = differing.map(|first| {
            Finding::new(
                Code::TablebaseDiffers,
                Place::event(*id.digest()),
                format!("what {} says: {}", first.id, first.in_words()),
                probe.in_words(),
            )
        });
        let probes = self.by_position.entry(Self::placed(&probed.fen).to_owned());
        probes.or_default().push(probe);
        finding
    }

    /// Gives probes the standing that corrections leave them.
    pub(crate) fn settle(&mut self, changed: &BTreeSet<EventId>, corrections: &Corrections) {
        let all = self.by_position.values_mut().flatten();
        for probe in all.filter(|probe| changed.contains(&probe.id)) {
            probe.is_excluded = corrections.is_excluded(&probe.id);
        }
    }
}

impl TableProbe {
    /// Returns the result of a game that goes on from its position with this side
    /// to move, so many plies after the last capture or pawn move. Under the
    /// fifty-move rule a cursed win and a blessed loss are draws, and so is a win
    /// that comes too late for it. Nothing where that hangs on how soon it comes,
    /// which is not known, or known but for one ply.
    pub fn result(&self, to_move: Color, clock: u64) -> Option<GameResult> {
        let winner = match self.wdl {
            TableWdl::Win => to_move,
            TableWdl::Loss => to_move.other(),
            TableWdl::CursedWin | TableWdl::Draw | TableWdl::BlessedLoss => {
                return Some(GameResult::Draw);
            }
        };
        if clock == 0 {
            return Some(GameResult::win_for(winner));
        }
        match self.dtz?.saturating_add(clock) {
            0..FIFTY_MOVES => Some(GameResult::win_for(winner)),
            FIFTY_MOVES => None,
            _ => Some(GameResult::Draw),
        }
    }

    /// Tables of two makers may round to different plies, and nothing else.
    fn contradicts(&self, other: &Self) -> bool {
        let plies = self.dtz.zip(other.dtz);
        self.wdl != other.wdl || plies.is_some_and(|(one, other)| 1 < one.abs_diff(other))
    }

    fn in_words(&self) -> String {
        let end = match self.wdl {
            TableWdl::Win => "a win",
            TableWdl::CursedWin => "a win but for the fifty-move rule",
            TableWdl::Draw => "a draw",
            TableWdl::BlessedLoss => "a loss but for the fifty-move rule",
            TableWdl::Loss => "a loss",
        };
        match self.dtz {
            None => end.to_owned(),
            Some(dtz) => format!("{end}, {dtz} plies to a capture or pawn move"),
        }
    }
}

impl Projection {
    pub(crate) fn probe(&mut self, id: EventId, probed: &TablebaseProbed) {
        let finding = self.tablebases.take(id, probed);
        self.findings.extend(finding);
    }

    /// What endgame tables say that a game would have come to from the position
    /// in which it finished, as [`TableProbe::result`] has it. Nothing where no
    /// table was asked, or none settles it.
    pub fn table_result(&self, game: &Game) -> Option<GameResult> {
        let fen = game.endgame.as_ref()?;
        let probe = self.tablebases.of(fen)?;
        let mut fields = fen.as_str().split(' ').skip(1);
        let to_move = match fields.next() {
            Some("b") => Color::Black,
            _ => Color::White,
        };
        let clock = fields.nth(2)?.parse().ok()?;
        probe.result(to_move, clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color::{Black, White};

    fn probe(wdl: i64, dtz: Option<u64>) -> TableProbe {
        TableProbe {
            id: EventId::of(b""),
            wdl: TableWdl::of(wdl).unwrap(),
            dtz,
            is_excluded: false,
        }
    }

    #[test]
    fn a_win_counts_for_its_side_and_is_a_draw_where_fifty_moves_come_first() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        for (wdl, dtz, to_move, clock, result) in [
            (2, Some(10), White, 0, Some(WhiteWins)),
            (2, Some(10), Black, 0, Some(BlackWins)),
            (-2, Some(10), White, 0, Some(BlackWins)),
            (-2, Some(10), Black, 89, Some(WhiteWins)),
            // A table may be one ply short.
            (2, Some(10), White, 90, None),
            (2, Some(10), White, 91, Some(Draw)),
            (2, None, White, 0, Some(WhiteWins)),
            (2, None, White, 1, None),
            (2, Some(100), White, 0, Some(WhiteWins)),
            (1, Some(101), White, 0, Some(Draw)),
            (-1, None, White, 40, Some(Draw)),
            (0, None, Black, 99, Some(Draw)),
        ] {
            let found = probe(wdl, dtz).result(to_move, clock);
            assert_eq!(found, result, "{wdl} {dtz:?} {to_move} {clock}");
        }
    }

    #[test]
    fn a_position_is_the_same_whatever_its_counters_say() {
        let fen = |text: &str| text.parse::<Fen>().unwrap();
        let one = fen("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1");
        let later = fen("7k/8/6K1/8/8/8/8/1Q6 w - - 31 99");
        let other = fen("7k/8/6K1/8/8/8/8/1Q6 b - - 0 1");
        assert_eq!(Tablebases::placed(&one), Tablebases::placed(&later));
        assert_ne!(Tablebases::placed(&one), Tablebases::placed(&other));
        assert!(Tablebases::could_hold(&one));
        assert!(!Tablebases::could_hold(&Fen::standard_start()));
        assert!(!Tablebases::could_hold(&fen(
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
        )));
    }
}
