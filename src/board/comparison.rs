use std::collections::BTreeMap;

use crate::board::placement::{cohort, label};
use crate::board::{BoardError, SystemLabel, Wdl};
use crate::chess::{Color, GameResult};
use crate::event::EventId;
use crate::measure::anchored::{Level, Model, Record, Score, Seat, Tally, level};
use crate::measure::{MatchScore, Sprt};
use crate::projection::{AnchoredRecord, Cohort, Game, Projection, Source};

/// Two systems of a cohort beside one another.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The cohort.
    pub cohort: String,
    /// The two systems: figures are from the side of the first.
    pub systems: [SystemLabel; 2],
    /// What is compared.
    pub basis: Basis,
    /// Games, or paired cells, from the side of the first system.
    pub single: Wdl,
    /// Pairs by their points, from none to all.
    pub pairs: [u32; 5],
    /// Games without a second one of the same start with colors reversed, or
    /// cells that only one of the systems has a result of.
    pub unpaired: u64,
    /// What came of the games against each anchor.
    pub anchors: Vec<AnchorComparison>,
    /// The test, and what it is about.
    pub sprt: Sprt,
    /// What it was computed from.
    pub source: Source,
}

/// What two systems are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Their games against one another. A pair is two games from one start, each
    /// system once with White: 0 to 2 points in halves.
    Games,
    /// Cells against the same anchor from the same start with the same color. A
    /// pair is the cell of the first and that of the second; its points are those
    /// of the first less those of the second, from -1 to 1 in halves.
    CommonAnchors,
}

/// Two systems against one anchor.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchorComparison {
    /// The anchor's name.
    pub name: String,
    /// Its rating as it is registered, in points.
    pub rating: String,
    /// What each scored.
    pub scores: [Wdl; 2],
    /// The rating that each score is expected of, or a bound; nothing without
    /// games.
    pub levels: [Option<Level>; 2],
}

/// Why two systems cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComparisonError {
    /// There is no such cohort.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A system plays in no cell of it.
    #[error("no system named {name} plays in cohort {cohort}; there is: {there}")]
    NoSystem {
        /// What was asked for.
        name: String,
        /// The cohort.
        cohort: String,
        /// Who plays in it.
        there: String,
    },
    /// They are one.
    #[error("{name} is compared with itself: name two systems")]
    OneSystem {
        /// Its name.
        name: String,
    },
}

impl Comparison {
    /// Compares two systems of a cohort, by name.
    ///
    /// # Errors
    ///
    /// There is no such cohort, or the two are not two of its systems.
    pub fn of(
        projection: &Projection,
        name: &str,
        names: [&str; 2],
        sprt: Sprt,
        source: Source,
    ) -> Result<Self, ComparisonError> {
        let cohort = cohort(projection, name)?;
        let [first, second] = [
            system(projection, &cohort, names[0])?,
            system(projection, &cohort, names[1])?,
        ];
        if first == second {
            let name = names[0].to_owned();
            return Err(ComparisonError::OneSystem { name });
        }
        let systems = [first, second].map(|id| label(projection, &id));
        let mut comparison = Self {
            cohort: name.to_owned(),
            systems,
            basis: Basis::Games,
            single: Wdl::default(),
            pairs: [0; 5],
            unpaired: 0,
            anchors: Vec::new(),
            sprt,
            source,
        };
        let records = cohort.against_anchors();
        let of = |id| records.iter().find(|record| record.system == id);
        match (of(first), of(second)) {
            (Some(one), Some(other)) => {
                comparison.basis = Basis::CommonAnchors;
                comparison.take_cells(one, other);
                comparison.anchors = anchors(projection, &cohort, [one, other]);
            }
            _ => comparison.take_games(&cohort, [first, second]),
        }
        Ok(comparison)
    }

    /// The pairs as a score, or the games where there is no pair.
    pub fn score(&self) -> MatchScore {
        if self.pairs.iter().all(|count| *count == 0) {
            let [wins, draws, losses] =
                [self.single.wins, self.single.draws, self.single.losses].map(small);
            MatchScore::games(wins, draws, losses)
        } else {
            MatchScore::pairs(self.pairs)
        }
    }

    fn take_games(&mut self, cohort: &Cohort<'_>, [first, second]: [EventId; 2]) {
        let mut by_start: BTreeMap<_, [Vec<u8>; 2]> = BTreeMap::new();
        for game in cohort.counting() {
            let (Some(color), Some(_)) = (game.color_of(&first), game.color_of(&second)) else {
                continue;
            };
            let Some(result) = game.result() else {
                continue;
            };
            self.single.take(result, color);
            let start = (&game.started.start, &game.started.opening);
            let halves = by_start.entry(start).or_default();
            halves[usize::from(color == Color::Black)].push(result.half_points(color));
        }
        for [white, black] in by_start.into_values() {
            for (white, black) in white.iter().zip(&black) {
                self.take_pair(white + black);
            }
            let left = white.len().abs_diff(black.len());
            self.unpaired += u64::try_from(left).unwrap_or(u64::MAX);
        }
    }

    fn take_cells(&mut self, one: &AnchoredRecord<'_>, other: &AnchoredRecord<'_>) {
        let [ones, others] = [one, other].map(cells);
        for (cell, points) in &ones {
            let Some(others) = others.get(cell) else {
                self.unpaired += 1;
                continue;
            };
            // Neither is White of the other: the better one of the cell is.
            self.single.take(
                match points.cmp(others) {
                    std::cmp::Ordering::Greater => GameResult::WhiteWins,
                    std::cmp::Ordering::Equal => GameResult::Draw,
                    std::cmp::Ordering::Less => GameResult::BlackWins,
                },
                Color::White,
            );
            self.take_pair(2 + points - others);
        }
        let unmet = others.keys().filter(|cell| !ones.contains_key(cell));
        self.unpaired += u64::try_from(unmet.count()).unwrap_or(u64::MAX);
    }

    fn take_pair(&mut self, half_points: u8) {
        if let Some(count) = self.pairs.get_mut(usize::from(half_points)) {
            *count = count.saturating_add(1);
        }
    }
}

/// Start, anchor, and whether the system has Black, with its half-points.
fn cells(record: &AnchoredRecord<'_>) -> BTreeMap<(usize, usize, bool), u8> {
    let games = record.games.iter().filter_map(|one| {
        let points = one.game.result()?.half_points(one.color);
        Some(((one.start, one.anchor, one.color == Color::Black), points))
    });
    games.collect()
}

fn system(
    projection: &Projection,
    cohort: &Cohort<'_>,
    name: &str,
) -> Result<EventId, ComparisonError> {
    let systems = &cohort.schedule.committed.systems;
    let mut named = systems.iter().filter(|id| projection.name_of(id) == name);
    named.next().copied().ok_or_else(|| {
        let there: Vec<_> = systems.iter().map(|id| projection.name_of(id)).collect();
        ComparisonError::NoSystem {
            name: name.to_owned(),
            cohort: cohort.schedule.committed.cohort.to_string(),
            there: there.join(", "),
        }
    })
}

fn anchors(
    projection: &Projection,
    cohort: &Cohort<'_>,
    records: [&AnchoredRecord<'_>; 2],
) -> Vec<AnchorComparison> {
    let seats = cohort.anchors().iter().enumerate();
    let compared = seats.filter_map(|(place, seat)| {
        let registered = &projection.anchors.anchor(&seat.anchor)?.registered;
        let points = registered.rating.to_f64();
        let of = |record: &AnchoredRecord<'_>| {
            let games = record.games.iter().filter(|one| one.anchor == place);
            let games: Vec<_> = games.map(|one| (one.game, one.color)).collect();
            (wdl(&games), performance(&games, points))
        };
        let [(one, first), (other, second)] = records.map(of);
        Some(AnchorComparison {
            name: projection.name_of(&seat.system),
            rating: registered.rating.to_string(),
            scores: [one, other],
            levels: [first, second],
        })
    });
    compared.collect()
}

fn wdl(games: &[(&Game, Color)]) -> Wdl {
    let mut wdl = Wdl::default();
    for (game, color) in games {
        if let Some(result) = game.result() {
            wdl.take(result, *color);
        }
    }
    wdl
}

/// The rating whose expected score against this anchor is the score.
fn performance(games: &[(&Game, Color)], anchor: f64) -> Option<Level> {
    let scores = games.iter().filter_map(|(game, color)| {
        Some(Score {
            anchor,
            seat: match color {
                Color::White => Seat::White,
                Color::Black => Seat::Black,
            },
            tally: Tally::one(game.result()?.half_points(*color)),
        })
    });
    let record = Record::of(scores).ok()?;
    level(&record, &Model::Performance { color: 0.0 }).ok()
}

fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
