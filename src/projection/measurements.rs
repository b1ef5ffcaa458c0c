//! What engines measured of positions, each content once.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::chess::{Fen, Ply, Score, UciMove, Variant};
use crate::event::{EventId, MeasuredLine, PositionMeasured, Wdl};
use crate::projection::{Candidates, Corrections};

/// How many of an engine's first moves are kept.
pub const TOP_MOVES: usize = 3;

/// What was measured: the same content by the same analyst is never analyzed
/// twice. Texts of one position that differ are two contents; whoever measures
/// takes the text of `Position::fen`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MeasuredContent {
    /// The registered engine.
    pub analyst: EventId,
    /// The position.
    pub fen: Fen,
    /// The variant.
    pub variant: Variant,
}

/// What is kept of a measurement. The lines of play are in the ledger alone, but
/// for their first moves, so that memory does not grow with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measurement {
    /// The id of its `position.measured`.
    pub id: EventId,
    /// The registered engine.
    pub analyst: EventId,
    /// What it says.
    pub verdict: Verdict,
    /// Its ranking, where the verdict does not have all of it.
    ranked: Option<Box<[UciMove]>>,
    /// Whether a correction takes it out of every figure.
    pub is_excluded: bool,
}

impl Measurement {
    /// The moves that it ranks, best first, each once: as [`Candidates::record`]
    /// takes them from the event.
    pub fn ranked(&self) -> &[UciMove] {
        self.ranked.as_deref().unwrap_or(&self.verdict.top)
    }
}

/// What an engine says of a position, from the view of the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The move that it chose. Absent where there is no legal move.
    pub best: Option<UciMove>,
    /// The first move of each of its best lines, best first: at most
    /// [`TOP_MOVES`]. Lines of different depths may share one.
    pub top: Vec<UciMove>,
    /// The exact score of its best line. Absent where it reported none, which
    /// only a position without a legal move may have.
    pub score: Option<Score>,
    /// The chances on its best line, where it says them.
    pub wdl: Option<Wdl>,
}

impl Verdict {
    /// Returns what is kept of what an event says.
    pub fn of(measured: &PositionMeasured) -> Self {
        let first = measured.lines.first();
        let moves = measured.lines.iter().filter_map(|line| line.pv.first());
        Self {
            best: measured.best,
            top: moves.take(TOP_MOVES).copied().collect(),
            score: first.and_then(MeasuredLine::score),
            wdl: first.and_then(|line| line.wdl),
        }
    }
}

/// All measurements: by content, and by where they were made in games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measurements {
    /// Those of each content, in the order of the ledger.
    #[serde(with = "crate::projection::pairs")]
    by_content: BTreeMap<MeasuredContent, Vec<Measurement>>,
    /// Those that were made during play, in the order of the ledger.
    by_ply: BTreeMap<EventId, BTreeMap<Ply, Vec<Measurement>>>,
    /// How many events measured a position.
    count: u64,
}

impl Measurements {
    /// What this analyst measured of this position, in or outside play: the
    /// first measurement that no correction excludes.
    pub fn of(&self, content: &MeasuredContent) -> Option<&Measurement> {
        let all = self.by_content.get(content)?;
        all.iter().find(|measurement| !measurement.is_excluded)
    }

    /// What was measured while this game stood at this ply, in the order of the
    /// ledger, excluded ones too.
    pub fn at(&self, game: &EventId, ply: Ply) -> &[Measurement] {
        let plies = self.by_ply.get(game);
        let at = plies.and_then(|plies| plies.get(&ply));
        at.map_or(&[], Vec::as_slice)
    }

    /// What this analyst measured while this game stood at this ply: the first
    /// measurement that no correction excludes.
    pub fn by(&self, analyst: &EventId, game: &EventId, ply: Ply) -> Option<&Measurement> {
        let mut at = self.at(game, ply).iter();
        at.find(|measurement| measurement.analyst == *analyst && !measurement.is_excluded)
    }

    /// Everything that was measured during a game, by ply and in the order of
    /// the ledger, excluded ones too.
    pub fn during(&self, game: &EventId) -> impl Iterator<Item = (Ply, &Measurement)> {
        let plies = self.by_ply.get(game).into_iter().flatten();
        plies.flat_map(|(ply, at)| at.iter().map(|measurement| (*ply, measurement)))
    }

    /// The measurement that counts of each content, in the order of contents.
    pub fn iter(&self) -> impl Iterator<Item = (&MeasuredContent, &Measurement)> {
        let contents = self.by_content.keys();
        contents.filter_map(|content| Some((content, self.of(content)?)))
    }

    /// The number of `position.measured` events.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Takes in a measurement. Returns the one that counts of the same position
    /// by the same analyst, where it says otherwise.
    pub(crate) fn take(&mut self, id: EventId, measured: &PositionMeasured) -> Option<Measurement> {
        let verdict = Verdict::of(measured);
        let ranked = Candidates::record(measured);
        let measurement = Measurement {
            id,
            analyst: measured.analyst,
            ranked: (ranked != verdict.top).then(|| ranked.into()),
            verdict,
            is_excluded: false,
        };
        self.count += 1;
        if let (Some(game), Some(ply)) = (measured.game, measured.ply) {
            let plies = self.by_ply.entry(game).or_default();
            plies.entry(ply).or_default().push(measurement.clone());
        }
        let content = MeasuredContent {
            analyst: measured.analyst,
            fen: measured.fen.clone(),
            variant: measured.variant,
        };
        let first = self.of(&content).cloned();
        let differing = first.filter(|first| first.verdict != measurement.verdict);
        self.by_content
            .entry(content)
            .or_default()
            .push(measurement);
        differing
    }

    /// Gives measurements the standing that corrections leave them.
    pub(crate) fn settle(&mut self, changed: &BTreeSet<EventId>, corrections: &Corrections) {
        let of_games = self.by_ply.values_mut().flat_map(BTreeMap::values_mut);
        let all = self.by_content.values_mut().chain(of_games).flatten();
        for measurement in all.filter(|measurement| changed.contains(&measurement.id)) {
            measurement.is_excluded = corrections.is_excluded(&measurement.id);
        }
    }
}
