use std::collections::BTreeMap;

use crate::board::placement::label;
use crate::board::{SystemLabel, Table};
use crate::event::EventId;
use crate::projection::{Compute, GameTime, Part, Projection, Purpose, Run, Source, Work};

/// What the evidence took, by what it was done for and by system.
#[derive(Clone, Debug)]
pub struct ComputeBoard {
    /// The prefix that it follows from.
    pub source: Source,
    /// What the rows are about; everything where nothing was asked for.
    pub of: Option<String>,
    /// What work was done for, by name, with the time of its games.
    pub purposes: Vec<(String, GameTime)>,
    /// The systems, by name, and what each took.
    pub systems: Vec<(SystemLabel, Work)>,
    /// All games of the systems together, each once.
    pub games: GameTime,
    /// The runs that worked on it.
    pub runs: Vec<Run>,
}

/// There is no such cohort or dataset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no work was done for `{asked}`; there is {there}")]
pub struct NoSuchWork {
    /// What was asked for.
    pub asked: String,
    /// What there is.
    pub there: String,
}

fn name(projection: &Projection, purpose: Purpose) -> String {
    match purpose {
        Purpose::Schedule(id) => {
            let schedule = projection.schedules.schedule(&id);
            schedule.map_or_else(
                || id.digest().short(),
                |schedule| schedule.committed.cohort.to_string(),
            )
        }
        Purpose::Ladder => "ladder".to_owned(),
        Purpose::Games => "other games".to_owned(),
        Purpose::Dataset(id) => {
            let dataset = projection.puzzles.dataset(&id);
            let list = projection.positions.list(&id);
            let name = dataset.map(|dataset| &dataset.registered.name);
            let name = name.or_else(|| list.map(|list| &list.registered.name));
            name.map_or_else(|| id.digest().short(), ToString::to_string)
        }
        Purpose::Other => "other calls".to_owned(),
    }
}

impl ComputeBoard {
    /// The board of everything, or of one cohort or dataset, by name; `ladder` for
    /// the games of ladders.
    ///
    /// # Errors
    ///
    /// When nothing was done for what is asked for.
    pub fn of(
        projection: &Projection,
        compute: &Compute,
        of: Option<&str>,
        source: Source,
    ) -> Result<Self, NoSuchWork> {
        let parts = compute.parts();
        let named = parts.iter();
        let named = named.map(|(purpose, part)| (*purpose, name(projection, *purpose), part));
        let mut named: Vec<(Purpose, String, &Part)> = named.collect();
        named.sort_by(|(a, left, _), (b, right, _)| (left, a).cmp(&(right, b)));
        let mut joined = Part::default();
        let mut of_runs = Vec::new();
        let chosen = named.iter();
        let chosen = chosen.filter(|(_, name, _)| of.is_none_or(|of| of == name));
        for (purpose, _, part) in chosen {
            joined.join(part);
            match purpose {
                // A run of a ladder names the first batch, whatever it plays.
                Purpose::Schedule(id) if projection.eras.placed_by(id).is_some() => {}
                Purpose::Schedule(id) | Purpose::Dataset(id) => of_runs.push(Some(*id)),
                Purpose::Ladder | Purpose::Games | Purpose::Other => {}
            }
        }
        if let (Some(of), true) = (of, joined.systems.is_empty()) {
            let there: Vec<_> = named.iter().map(|(_, name, _)| name.as_str()).collect();
            return Err(NoSuchWork {
                asked: of.to_owned(),
                there: match there.as_slice() {
                    [] => "none".to_owned(),
                    there => there.join(", "),
                },
            });
        }
        let systems: BTreeMap<(String, EventId), _> = joined
            .systems
            .into_iter()
            .map(|(id, work)| {
                let label = label(projection, &id);
                ((label.name.clone(), id), (label, work))
            })
            .collect();
        let runs = compute.runs.iter();
        let runs =
            runs.filter(|run| of.is_none() || of_runs.contains(&run.schedule.or(run.dataset)));
        Ok(Self {
            source,
            of: of.map(str::to_owned),
            purposes: named
                .iter()
                .map(|(_, name, part)| (name.clone(), part.games))
                .collect(),
            systems: systems.into_values().collect(),
            games: joined.games,
            runs: runs.copied().collect(),
        })
    }
}

/// Every figure, a row a system. Durations are in milliseconds; what nobody said is
/// empty.
pub fn compute_figures(board: &ComputeBoard) -> Table {
    let mut table = Table::new(vec![
        "system",
        "system_id",
        "assistance",
        "games",
        "game_wall_ms",
        "worker_ms",
        "calls_answered",
        "calls_failed",
        "calls_again",
        "reply_ms",
        "reply_ms_median",
        "reply_ms_p90",
        "reply_known_of_calls",
        "queue_ms",
        "first_token_ms_median",
        "first_token_known_of_calls",
        "completing_ms_median",
        "prompt_tokens",
        "prompt_known_of_calls",
        "cached_tokens",
        "cached_known_of_calls",
        "completion_tokens",
        "completion_known_of_calls",
        "reasoning_tokens",
        "reasoning_known_of_calls",
        "nodes",
        "nodes_known_of_calls",
    ]);
    for (system, work) in &board.systems {
        let shown = |known: Option<u64>| known.map_or_else(String::new, |n| n.to_string());
        let mut row = vec![
            system.name.clone(),
            system.id.to_string(),
            system.assistance.to_string(),
            work.games.games.to_string(),
            work.games.wall_ms.to_string(),
            work.games.worker_ms.to_string(),
            work.answered.to_string(),
            work.failed.to_string(),
            work.again.to_string(),
            work.replying.sum_ms().to_string(),
            shown(work.replying.percentile_ms(50)),
            shown(work.replying.percentile_ms(90)),
            work.replying.n().to_string(),
            work.queue.sum_ms().to_string(),
            shown(work.first_token.percentile_ms(50)),
            work.first_token.n().to_string(),
            shown(work.completing.percentile_ms(50)),
        ];
        for tally in work.tallies() {
            row.push(shown((tally.reported != 0).then_some(tally.sum)));
            row.push(tally.reported.to_string());
        }
        table.push(row);
    }
    table
}
