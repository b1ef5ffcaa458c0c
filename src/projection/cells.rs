use serde::{Deserialize, Serialize};

use crate::chess::{Fen, Variant};
use crate::event::{EventId, Opening, ScheduleCommitted, ScheduleRule, Seats, Start};

/// One registered slot of a schedule: who plays whom, from where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Who has which color.
    pub seats: Seats,
    /// Where the game starts.
    pub start: Start,
    /// The frozen prefix of moves, where there is one.
    pub opening: Option<Opening>,
}

/// Returns the cells of a schedule in their frozen order. Where opponents follow from
/// results, each is the one of the first mini-match: see [`Allocation`](crate::projection::Allocation).
pub fn cells_of(schedule: &ScheduleCommitted) -> Vec<Cell> {
    let pairs = match schedule.rule {
        ScheduleRule::DoubleRoundRobin => double_round_robin(&schedule.systems),
        ScheduleRule::Newcomer => newcomer(&schedule.systems),
        ScheduleRule::Anchored | ScheduleRule::MiniMatches => return against_anchors(schedule),
        ScheduleRule::AnchorLadder => return on_a_ladder(schedule),
    };
    pairs
        .into_iter()
        .map(|(white, black)| Cell {
            seats: Seats { black, white },
            start: Start {
                fen: Fen::standard_start(),
                variant: Variant::Standard,
            },
            opening: None,
        })
        .collect()
}

/// Each system against each anchor from each start: once with a color that
/// alternates from game to game, the anchors backwards from every other start so
/// that each of them gets both colors; or twice, with White and then with Black.
fn against_anchors(schedule: &ScheduleCommitted) -> Vec<Cell> {
    let (anchors, starts) = (&schedule.anchors, &schedule.starts);
    let mut cells = Vec::new();
    for (round, start) in starts.iter().enumerate() {
        for turn in 0..anchors.len() {
            let number = round * anchors.len() + turn;
            let place = match schedule.rule {
                ScheduleRule::Anchored if round % 2 == 1 => anchors.len() - 1 - turn,
                _ => turn,
            };
            let anchor = anchors[place].system;
            for system in &schedule.systems {
                let with_white = (*system, anchor);
                let with_black = (anchor, *system);
                let pairs: &[(EventId, EventId)] = match schedule.rule {
                    ScheduleRule::MiniMatches => &[with_white, with_black],
                    _ if number % 2 == 0 => &[with_white],
                    _ => &[with_black],
                };
                cells.extend(pairs.iter().map(|(white, black)| Cell {
                    seats: Seats {
                        black: *black,
                        white: *white,
                    },
                    start: start.start.clone(),
                    opening: start.opening.clone(),
                }));
            }
        }
    }
    cells
}

/// From each start in turn each system twice, with White and then with Black, so
/// many times over; the opponent is whoever stands on the first rung.
fn on_a_ladder(schedule: &ScheduleCommitted) -> Vec<Cell> {
    let Some(ladder) = schedule.allocation else {
        return Vec::new();
    };
    let rung = usize::try_from(ladder.start_rung.get()).unwrap_or(usize::MAX);
    let Some(anchor) = schedule.anchors.get(rung).map(|seat| seat.system) else {
        return Vec::new();
    };
    let mut cells = Vec::new();
    for _ in 0..ladder.rounds.get() {
        for start in &schedule.starts {
            for system in &schedule.systems {
                let pairs = [(*system, anchor), (anchor, *system)];
                cells.extend(pairs.map(|(white, black)| Cell {
                    seats: Seats { black, white },
                    start: start.start.clone(),
                    opening: start.opening.clone(),
                }));
            }
        }
    }
    cells
}

/// Pairs everyone twice by the circle method, (White, Black).
///
/// With an even number *n* of places (an odd field gets a bye), place n-1 stays
/// and the others turn by one each round. In round *r* the fixed place meets
/// place *r*, with White in odd rounds; place (r + k) mod (n-1) has White
/// against place (r - k) mod (n-1) where *k* is odd, Black where it is even.
/// The second cycle repeats the first with colors reversed.
pub fn double_round_robin<T: Copy>(systems: &[T]) -> Vec<(T, T)> {
    let places = systems.len() + systems.len() % 2;
    let mut first: Vec<(T, T)> = Vec::new();
    for round in 0..places.saturating_sub(1) {
        let turning = places - 1;
        let mut pair = |white: usize, black: usize| {
            if let (Some(white), Some(black)) = (systems.get(white), systems.get(black)) {
                first.push((*white, *black));
            }
        };
        if round % 2 == 0 {
            pair(round, turning);
        } else {
            pair(turning, round);
        }
        for k in 1..places / 2 {
            let ahead = (round + k) % turning;
            let behind = (round + turning - k) % turning;
            if k % 2 == 1 {
                pair(ahead, behind);
            } else {
                pair(behind, ahead);
            }
        }
    }
    let second: Vec<_> = first
        .iter()
        .map(|(white, black)| (*black, *white))
        .collect();
    [first, second].concat()
}

/// Pairs the first with each of the others, (White, Black): once with White
/// against every other one of them, then all once more with colors reversed.
fn newcomer<T: Copy>(systems: &[T]) -> Vec<(T, T)> {
    let Some((newcomer, pool)) = systems.split_first() else {
        return Vec::new();
    };
    let numbered = pool.iter().enumerate();
    let first: Vec<_> = numbered
        .map(|(number, opponent)| match number % 2 {
            0 => (*newcomer, *opponent),
            _ => (*opponent, *newcomer),
        })
        .collect();
    let second = first.iter().map(|(white, black)| (*black, *white));
    let second: Vec<_> = second.collect();
    [first, second].concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn everyone_meets_everyone_once_with_each_color_and_once_a_round() {
        for count in 2..=12_usize {
            let systems: Vec<_> = (0..count)
                .map(|number| EventId::of(number.to_string().as_bytes()))
                .collect();
            let pairs = double_round_robin(&systems);
            assert_eq!(pairs.len(), count * (count - 1));
            let mut seen = BTreeMap::new();
            for pair in &pairs {
                assert_ne!(pair.0, pair.1);
                *seen.entry(*pair).or_insert(0) += 1;
            }
            assert!(seen.values().all(|times| *times == 1), "{count} systems");
            for round in pairs.chunks(count / 2) {
                let players: std::collections::BTreeSet<_> = round
                    .iter()
                    .flat_map(|(white, black)| [white, black])
                    .collect();
                assert_eq!(
                    players.len(),
                    2 * round.len(),
                    "nobody plays twice in a round"
                );
            }
        }
    }

    #[test]
    fn a_newcomer_meets_everyone_once_with_each_color_and_colors_are_level() {
        for count in 2..=12_usize {
            let systems: Vec<_> = (0..count).collect();
            let pairs = newcomer(&systems);
            let mut expected: Vec<_> = (1..count).flat_map(|pool| [(0, pool), (pool, 0)]).collect();
            let whites = pairs[..count - 1].iter().filter(|(white, _)| *white == 0);
            assert_eq!(whites.count(), count / 2);
            let mut sorted = pairs;
            sorted.sort_unstable();
            expected.sort_unstable();
            assert_eq!(sorted, expected, "{count} systems");
        }
    }

    #[test]
    fn whites_of_the_first_cycle_differ_by_at_most_one() {
        for count in 2..=12_usize {
            let systems: Vec<_> = (0..count)
                .map(|number| EventId::of(number.to_string().as_bytes()))
                .collect();
            let pairs = double_round_robin(&systems);
            let whites = systems.iter().map(|system| {
                pairs[..pairs.len() / 2]
                    .iter()
                    .filter(|(white, _)| white == system)
                    .count()
            });
            let whites: Vec<_> = whites.collect();
            let (least, most) = (whites.iter().min(), whites.iter().max());
            assert!(most.unwrap() - least.unwrap() <= 1, "{count}: {whites:?}");
        }
    }
}
