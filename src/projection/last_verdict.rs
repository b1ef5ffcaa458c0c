use crate::chess::{Color, GameResult, Score};
use crate::event::{EventId, ProtocolPublished};
use crate::projection::{Game, MeasuredContent, Projection};

/// From how many centipawns a last measured position is read as won, where the
/// protocol has no adjudication of wins that says so.
pub const VERDICT_CP: u64 = 100;

impl Projection {
    /// What a game would have come to by the last of its positions that an
    /// engine measured at fixed nodes: won from the centipawns on at which the
    /// protocol adjudicates wins (or [`VERDICT_CP`]) or with a mate in sight,
    /// else drawn. Nothing where no position was measured so.
    ///
    /// The engine is that of the adjudication, else that of the grading.
    pub fn last_verdict(&self, game: &Game, protocol: &ProtocolPublished) -> Option<GameResult> {
        let adjudication = protocol.adjudication;
        let analysts = [
            adjudication.map(|rule| rule.analyst),
            protocol.grading.map(|rule| rule.analyst),
        ];
        let analysts = analysts.into_iter().flatten();
        let analysts: Vec<_> = analysts.filter(|id| self.has_fixed_nodes(id)).collect();
        let win = adjudication.and_then(|rule| rule.win);
        let threshold = win.map_or(VERDICT_CP, |win| win.cp.get());
        let (to_move, score) = self.last_score(game, protocol, &analysts)?;
        let leader = match score {
            Score::Centipawns(cp) if u64::from(cp.unsigned_abs()) < threshold => None,
            Score::Centipawns(cp) => Some((cp < 0, to_move)),
            // A mate of 0 is one that already stands on the board.
            Score::Mate(moves) => Some((moves <= 0, to_move)),
        };
        Some(match leader {
            None => GameResult::Draw,
            Some((true, side)) => GameResult::win_for(side.other()),
            Some((false, side)) => GameResult::win_for(side),
        })
    }

    fn has_fixed_nodes(&self, analyst: &EventId) -> bool {
        let engine = self.systems.system(analyst);
        let engine = engine.and_then(|system| system.registered.engine.as_ref());
        engine.is_some_and(|engine| engine.limit.nodes.is_some())
    }

    /// The score of the last measured position, with the side to move there.
    fn last_score(
        &self,
        game: &Game,
        protocol: &ProtocolPublished,
        analysts: &[EventId],
    ) -> Option<(Color, Score)> {
        let during = self.measurements.during(&game.id);
        let during = during.filter(|(_, one)| !one.is_excluded && analysts.contains(&one.analyst));
        let during = during.filter_map(|(ply, one)| Some((ply, one.verdict.score?)));
        let mut last = during.last().map(|(ply, score)| {
            let first = game.first_to_move();
            let to_move = if ply.0 % 2 == 0 { first } else { first.other() };
            (ply, to_move, score)
        });
        // Positions that were measured later, outside play, are found by content.
        let mut board = game.after_opening(protocol.rules)?;
        let mut look = |board: &crate::chess::Game| {
            let found = analysts.iter().find_map(|analyst| {
                let content = MeasuredContent {
                    analyst: *analyst,
                    fen: board.fen(),
                    variant: board.variant(),
                };
                self.measurements.of(&content)?.verdict.score
            });
            let ply = board.ply();
            if let Some(score) = found
                && last.is_none_or(|(last, ..)| last < ply)
            {
                last = Some((ply, board.side_to_move(), score));
            }
        };
        look(&board);
        for played in &game.moves {
            if board.play(played.uci).is_err() {
                break;
            }
            look(&board);
        }
        last.map(|(_, to_move, score)| (to_move, score))
    }
}
