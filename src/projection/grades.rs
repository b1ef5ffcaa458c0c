use crate::chess::{self, Color, Fen, Score};
use crate::event::{GradingRule, Wdl};
use crate::measure::{Judgement, Outlook, Regret, move_accuracy};
use crate::projection::{Game, MeasuredContent, Measurements, TOP_MOVES, Verdict};

/// How well moves were chosen, as far as the positions before and after them
/// were measured. What was not measured is in no figure, and is no zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grades {
    /// Accepted moves.
    pub moves: u64,
    /// Moves of which both positions have an exact score.
    pub graded: u64,
    /// Graded moves from an open position.
    pub open: u64,
    /// The sum of the accuracies, in percent, of those.
    accuracy: f64,
    /// Graded moves that Lichess calls an inaccuracy, a mistake, a blunder.
    pub judged: [u64; 3],
    /// Graded moves that are the engine's own.
    pub best: u64,
    /// Graded moves among the first three of the engine.
    pub top: u64,
    /// Graded moves where three moves of the engine, or all, are known.
    pub top_known: u64,
    /// The sum of the clamped regrets, in points.
    regret: f64,
    /// Graded moves of which both positions have chances.
    pub regret_known: u64,
}

/// What is said of a position from the view of the side to move.
#[derive(Clone, Copy, Debug)]
struct View {
    outlook: Outlook,
    wdl: Option<[u32; 3]>,
}

impl Grades {
    /// Takes in the moves of one side of a game, under the rules that end it.
    ///
    /// A move into mate or stalemate needs no engine: what it comes to is known.
    /// Whatever cannot be replayed is taken for moves that nobody measured.
    pub fn take(
        &mut self,
        measurements: &Measurements,
        rule: &GradingRule,
        game: &Game,
        color: Color,
        rules: chess::Rules,
    ) {
        self.moves += game.moves_of(color);
        let Some(mut board) = game.after_opening(rules) else {
            return;
        };
        let variant = board.variant();
        let verdict = |fen: Fen| {
            let content = MeasuredContent {
                analyst: rule.analyst,
                fen,
                variant,
            };
            measurements
                .of(&content)
                .map(|measurement| &measurement.verdict)
        };
        for played in &game.moves {
            let is_own = board.side_to_move() == color;
            let before = if is_own { verdict(board.fen()) } else { None };
            let legal = if before.is_some() {
                board.legal_moves().len()
            } else {
                0
            };
            if board.play(played.uci).is_err() {
                return;
            }
            let Some(before) = before else { continue };
            let after = ended(&board).or_else(|| view(verdict(board.fen())?));
            if let (Some(view), Some(after)) = (view(before), after) {
                self.grade(rule, before, view, after);
                let is_top_known = TOP_MOVES.min(legal) <= before.top.len();
                self.top_known += u64::from(is_top_known);
                self.top += u64::from(is_top_known && before.top.contains(&played.uci));
                self.best += u64::from(before.best == Some(played.uci));
            }
        }
    }

    fn grade(&mut self, rule: &GradingRule, verdict: &Verdict, before: View, after: View) {
        self.graded += 1;
        let outlook = after.outlook.turned();
        if is_open(verdict.score, rule.open_cp.get()) {
            self.open += 1;
            self.accuracy += move_accuracy(before.outlook.win_percent(), outlook.win_percent());
        }
        if let Some(judged) = Judgement::of(before.outlook, outlook) {
            let place = Judgement::ALL.iter().position(|one| *one == judged);
            if let Some(count) = place.and_then(|place| self.judged.get_mut(place)) {
                *count += 1;
            }
        }
        if let (Some(best), Some(after)) = (before.wdl, after.wdl) {
            self.regret_known += 1;
            self.regret += Regret::of(best, after).clamped();
        }
    }

    /// The mean accuracy of moves from open positions, in percent from 0 to 100
    /// (Lichess's accuracy of a move). Nothing without such moves.
    pub fn accuracy(&self) -> Option<f64> {
        mean(self.accuracy, self.open)
    }

    /// The mean clamped WDL regret of a move, in points from 0 to 1. Nothing
    /// where no chances are known.
    pub fn regret(&self) -> Option<f64> {
        mean(self.regret, self.regret_known)
    }
}

fn mean(sum: f64, count: u64) -> Option<f64> {
    let count = u32::try_from(count).ok().filter(|count| 0 < *count)?;
    Some(sum / f64::from(count))
}

/// A game is open in a position that is near enough to level and has no forced
/// mate.
fn is_open(score: Option<Score>, open_cp: u64) -> bool {
    matches!(score, Some(Score::Centipawns(cp)) if u64::from(cp.unsigned_abs()) <= open_cp)
}

/// What a position without a legal move comes to, for the side to move.
fn ended(board: &chess::Game) -> Option<View> {
    let position = board.position();
    if position.has_legal_move() {
        return None;
    }
    Some(if position.is_check() {
        View {
            outlook: Outlook::IsMated,
            wdl: Some([0, 0, 1000]),
        }
    } else {
        View {
            outlook: Outlook::Centipawns(0),
            wdl: Some([0, 1000, 0]),
        }
    })
}

fn view(verdict: &Verdict) -> Option<View> {
    Some(View {
        outlook: match verdict.score? {
            Score::Centipawns(cp) => Outlook::Centipawns(cp),
            Score::Mate(moves) => Outlook::of_mate(moves),
        },
        wdl: verdict.wdl.map(|Wdl { draw, loss, win }| [win, draw, loss]),
    })
}
