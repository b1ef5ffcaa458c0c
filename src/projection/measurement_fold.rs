//! How a measurement changes a projection, and what it may contradict.

use crate::chess::{self, Score, UciMove};
use crate::event::{EventId, PositionMeasured, Stage};
use crate::finding::{Code, Finding, Place};
use crate::projection::{Game, GameState, Projection, Verdict};

impl Projection {
    pub(crate) fn measure(&mut self, id: EventId, measured: &PositionMeasured) {
        let mut findings = Vec::new();
        findings.extend(check_legal(id, measured));
        let moment = self.check_moment(id, measured);
        if moment.is_none() {
            self.take_streaks(measured);
        }
        findings.extend(moment);
        if let Some(first) = self.measurements.take(id, measured)
            && self.is_repeatable(&measured.analyst)
        {
            findings.push(Finding::new(
                Code::MeasurementDiffers,
                Place::event(*id.digest()),
                format!("what {} measured: {}", first.id, in_words(&first.verdict)),
                in_words(&Verdict::of(measured)),
            ));
        }
        self.findings.extend(findings);
    }

    /// Counts the position for adjudication, where its analyst is the one that the
    /// protocol of the game names.
    fn take_streaks(&mut self, measured: &PositionMeasured) {
        let Some((game, ply)) = measured.game.zip(measured.ply) else {
            return;
        };
        let Some(game) = self.games.game_mut(&game) else {
            return;
        };
        let protocol = self.systems.protocol(&game.started.protocol);
        let rule = protocol.and_then(|protocol| protocol.published.adjudication);
        let to_move = game.board().map(chess::Game::side_to_move);
        if let (Some(rule), Some(to_move)) = (rule, to_move)
            && rule.analyst == measured.analyst
        {
            let score = Verdict::of(measured).score;
            game.streaks.take(&rule, ply, to_move, score);
        }
    }

    /// Whether an analyst must measure the same again: it stops after so many
    /// nodes or plies, and not when a clock says so.
    fn is_repeatable(&self, analyst: &EventId) -> bool {
        let system = self.systems.system(analyst);
        let engine = system.and_then(|system| system.registered.engine.as_ref());
        engine.is_some_and(|engine| engine.limit.nodes.is_some())
    }

    /// What was measured during play is the position on the board, and nothing
    /// is measured in public while a person plays.
    fn check_moment(&self, id: EventId, measured: &PositionMeasured) -> Option<Finding> {
        let (game, ply) = (measured.game?, measured.ply?);
        // One that is not there is a dangling reference, which `verify` names.
        let game: &Game = self.games.game(&game)?;
        let finding = |code, expected: String, found: String| {
            Some(Finding::new(
                code,
                Place::event(*id.digest()),
                expected,
                found,
            ))
        };
        if game.state != GameState::Playing {
            let expected = "a game that goes on".to_owned();
            return finding(Code::GameState, expected, "one that has ended".to_owned());
        }
        if game.started.stage == Stage::Human {
            let expected = "no score before a game with a person has ended".to_owned();
            return finding(Code::EvaluationEarly, expected, "a measurement".to_owned());
        }
        // A game whose moves cannot be played has a finding already.
        let board = game.board.as_ref()?;
        let is_there = board.ply() == ply
            && board.variant() == measured.variant
            && board.fen() == measured.fen;
        if is_there {
            return None;
        }
        let expected = format!(
            "the {} position after ply {}: {}",
            board.variant(),
            board.ply(),
            board.fen()
        );
        let found = format!("{} after ply {ply}: {}", measured.variant, measured.fen);
        finding(Code::GameState, expected, found)
    }
}

/// Every first move that an engine names must be legal, and it names one where
/// there is one. Else it answered for another position. A line that goes on to
/// where the mate of its score would stand must show it.
fn check_legal(id: EventId, measured: &PositionMeasured) -> Option<Finding> {
    // The event's own check has set it up once.
    let position = measured.fen.position(measured.variant).ok()?;
    let firsts = measured.lines.iter().filter_map(|line| line.pv.first());
    let mut named = measured.best.iter().chain(firsts);
    let expected_found = match named.find(|uci| !position.is_legal(**uci)) {
        Some(uci) => Some(("a legal move".to_owned(), format!("{uci}"))),
        None if measured.best.is_none() && position.has_legal_move() => {
            Some(("a legal move".to_owned(), "none".to_owned()))
        }
        None => measured.lines.iter().find_map(|line| {
            let mate = Score::Mate(i32::try_from(line.mate?.get()).ok()?);
            let is_wrong = mate.is_contradicted_by(&line.pv, &position);
            is_wrong.then(|| {
                let line: Vec<_> = line.pv.iter().map(UciMove::as_str).collect();
                let found = format!(
                    "{mate} with the line {:?}, which does not mate",
                    line.join(" ")
                );
                ("a mate where the line shows one".to_owned(), found)
            })
        }),
    };
    let (expected, found) = expected_found?;
    Some(Finding::new(
        Code::AnalysisIllegal,
        Place::event(*id.digest()),
        format!("{expected} in {}", position.fen()),
        found,
    ))
}

fn in_words(verdict: &Verdict) -> String {
    let best = verdict
        .best
        .map_or("no move".to_owned(), |uci| uci.to_string());
    let score = verdict
        .score
        .map_or("no score".to_owned(), |score| score.to_string());
    let top: Vec<_> = verdict.top.iter().map(UciMove::as_str).collect();
    let wdl = verdict.wdl.map(|wdl| {
        let (win, draw, loss) = (wdl.win, wdl.draw, wdl.loss);
        format!(", wdl {win} {draw} {loss}")
    });
    let wdl = wdl.unwrap_or_default();
    format!("{best}, {score}, lines {}{wdl}", top.join(" "))
}
