//! The tables of an anchored board for people.

use crate::board::Table;
use crate::board::anchored::shown::{shown_interval, shown_level, shown_rating, shown_reach};
use crate::board::anchored::{AnchoredBoard, AnchoredRow, Sensitivity};
use crate::board::page::ratio;
use crate::measure::anchored::{Fit, Level, NoFit, Reach, SystemFit};
use crate::measure::{NotFinite, decimal};
use crate::projection::{Grades, Summand, Tally};

/// A table with its title.
pub(crate) type Titled = (&'static str, Table);

impl AnchoredBoard {
    pub(crate) fn tables(&self) -> Result<Vec<Titled>, NotFinite> {
        let mut tables = vec![
            ("Ratings", self.ratings()?),
            ("Two endpoints", self.endpoints()?),
            ("How far the rating moves", self.moves()?),
            ("Against each anchor", self.each_anchor()),
        ];
        tables.push(("Moves", self.chosen()?));
        tables.push(("Resources", self.resources()));
        Ok(tables)
    }

    fn ratings(&self) -> Result<Table, NotFinite> {
        let mut table = Table::new(vec![
            "System",
            "Rating",
            "95 % interval",
            "n",
            "W-D-L",
            "Points",
            "Coverage",
            "Assistance",
            "Evidence",
        ]);
        for one in &self.rows {
            let (row, sample) = (&one.row, one.row.sample());
            let estimate = row.estimate();
            table.push(vec![
                row.system().name.clone(),
                estimate
                    .level()
                    .map_or_else(|| Ok("no fit".to_owned()), shown_level)?,
                shown_interval(&estimate.complete)?,
                sample.games().to_string(),
                sample.wdl().to_string(),
                sample.points(),
                row.coverage().to_string(),
                row.system().assistance.to_string(),
                row.evidence_status().as_str().to_owned(),
            ]);
        }
        Ok(table)
    }

    fn endpoints(&self) -> Result<Table, NotFinite> {
        let mut table = Table::new(vec![
            "System",
            "Forfeits lost",
            "Without forfeits",
            "95 % interval",
            "Forfeits",
            "Anchors' forfeits",
            "Provider failures",
            "Cells replaced",
            "Cells open",
            "Matches",
            "Halves",
        ]);
        for one in &self.rows {
            let estimate = one.row.estimate();
            let without = estimate.without_forfeits.as_ref();
            let level = without.map(|fit| fit.as_ref().map(SystemFit::level).map_err(|no| *no));
            table.push(vec![
                one.row.system().name.clone(),
                estimate
                    .level()
                    .map_or_else(|| Ok("no fit".to_owned()), shown_level)?,
                shown_rating(level.as_ref())?,
                without.map_or_else(|| Ok("n/a".to_owned()), shown_interval)?,
                one.row.conduct().forfeits.to_string(),
                one.anchor_forfeits.to_string(),
                one.provider_failures.to_string(),
                one.replaced.to_string(),
                one.open.to_string(),
                there(one.whole_matches),
                there(one.half_matches),
            ]);
        }
        Ok(table)
    }

    fn moves(&self) -> Result<Table, NotFinite> {
        let mut table = Table::new(vec![
            "System",
            "Adjudicated",
            "Ply limit",
            "As measured last",
            "Measured",
            "By tables",
            "In tables",
            "Without cut-off games",
            "A day left out",
            "A route left out",
            "d0",
            "gamma",
            "Promotion",
        ]);
        for one in &self.rows {
            let estimate = one.row.estimate();
            let [draw_rate, color_effect] = nuisance(one)?;
            let games = one.row.sample().games();
            let routes = estimate.routes.as_ref();
            table.push(vec![
                one.row.system().name.clone(),
                one.adjudicated.to_string(),
                one.ply_limited.to_string(),
                of_games(estimate.last_measured.as_ref(), games, games)?,
                format!("{} of {}", estimate.measured, one.row.conduct().censored),
                of_games(estimate.by_tables.as_ref(), games, games)?,
                format!("{} of {}", estimate.in_tables, one.row.conduct().censored),
                of_games(
                    estimate.uncensored.as_ref(),
                    estimate.uncensored_games,
                    games,
                )?,
                sensitivity(&estimate.days, "day")?,
                routes.map_or_else(|| Ok("n/a".to_owned()), |one| sensitivity(one, "route"))?,
                draw_rate,
                color_effect,
                one.promotion.clone().unwrap_or_else(|| "-".to_owned()),
            ]);
        }
        Ok(table)
    }

    fn each_anchor(&self) -> Table {
        let anchors = self.anchors.iter();
        let columns = anchors.map(|anchor| format!("{} ({})", anchor.name, anchor.rating));
        let first = std::iter::once("System".to_owned());
        let mut table = Table::new(first.chain(columns).collect());
        for one in &self.rows {
            let name = std::iter::once(one.row.system().name.clone());
            let cells = one.anchors.iter().map(|score| score.all().to_string());
            table.push(name.chain(cells).collect());
        }
        table
    }

    fn chosen(&self) -> Result<Table, NotFinite> {
        let mut table = Table::new(vec![
            "System",
            "Illegal/invalid",
            "Graded moves",
            "Accuracy, open",
            "Inaccuracies",
            "Mistakes",
            "Blunders",
            "Best move",
            "Top three",
            "WDL regret",
        ]);
        for one in &self.rows {
            let conduct = one.row.conduct();
            let rejected = percent(conduct.rejected, conduct.judged);
            let mut row = vec![one.row.system().name.clone(), rejected];
            match &one.grades {
                None => row.extend(std::iter::repeat_n("n/a".to_owned(), 8)),
                Some(grades) => row.extend(graded(grades)?),
            }
            table.push(row);
        }
        Ok(table)
    }

    fn resources(&self) -> Table {
        let mut table = Table::new(vec![
            "System",
            "API-equivalent cost",
            "Prompt tokens",
            "Completion tokens",
            "Time",
            "Failed calls",
            "Aborted games",
        ]);
        for one in &self.rows {
            let accounting = one.row.accounting();
            let resources = accounting.resources();
            table.push(vec![
                one.row.system().name.clone(),
                cost(one),
                known(&resources.prompt_tokens),
                known(&resources.completion_tokens),
                known(&Tally {
                    sum: resources.time_ms.sum / 1000,
                    ..resources.time_ms
                })
                .replacen(' ', " s ", 1),
                resources.failures().to_string(),
                accounting.aborted().to_string(),
            ]);
        }
        table
    }
}

/// The draw rate and the color effect of the complete fit, with how they were
/// found where that is not what was meant.
fn nuisance(one: &AnchoredRow) -> Result<[String; 2], NotFinite> {
    let none = || ["-".to_owned(), "-".to_owned()];
    let Ok(SystemFit {
        joint: Fit::Finite(joint),
        ..
    }) = &one.row.estimate().complete
    else {
        return Ok(none());
    };
    let draw_rate = decimal(joint.draw_rate, 3)?;
    let color_effect = decimal(joint.color_effect, 1)?;
    Ok([
        format!("{draw_rate} ({})", joint.draw_basis.as_str()),
        format!("{color_effect} ({})", joint.color_basis.as_str()),
    ])
}

fn sensitivity(found: &Sensitivity, part: &str) -> Result<String, NotFinite> {
    match found.range {
        None if found.parts == 0 => Ok("n/a".to_owned()),
        None if found.parts == 1 => Ok(format!("only one {part}")),
        None => Ok("no fit".to_owned()),
        Some(Reach { low, high }) if low == high && low.finite().is_none() => {
            Ok(format!("a bound each time ({} {part}s)", found.parts))
        }
        Some(range) => Ok(format!("{} ({} {part}s)", shown_reach(range)?, found.parts)),
    }
}

fn graded(grades: &Grades) -> Result<Vec<String>, NotFinite> {
    let unless = |known: u64, text: String| if known == 0 { "n/a".to_owned() } else { text };
    let judged = grades
        .judged
        .map(|count| unless(grades.graded, count.to_string()));
    let mut cells = vec![
        format!("{} of {}", grades.graded, grades.moves),
        match grades.accuracy() {
            None => "n/a".to_owned(),
            Some(accuracy) => format!("{} % of {}", decimal(accuracy, 1)?, grades.open),
        },
    ];
    cells.extend(judged);
    cells.push(percent(grades.best, grades.graded));
    cells.push(percent(grades.top, grades.top_known));
    cells.push(match grades.regret() {
        None => "n/a".to_owned(),
        Some(regret) => decimal(regret, 4)?,
    });
    Ok(cells)
}

fn percent(part: u64, of: u64) -> String {
    ratio(part, of, 100, 1).map_or_else(
        || "n/a".to_owned(),
        |percent| format!("{percent} % ({part}/{of})"),
    )
}

/// A sum with how much of its base it covers.
fn known<T: Summand + ToString>(tally: &Tally<T>) -> String {
    match tally.known() {
        None if tally.base == 0 => "n/a".to_owned(),
        None => "unknown".to_owned(),
        Some(sum) => format!("{} ({}/{})", sum.to_string(), tally.reported, tally.base),
    }
}

/// A rating with the games that it is made from.
fn of_games(
    level: Option<&Result<Level, NoFit>>,
    games: u64,
    all: u64,
) -> Result<String, NotFinite> {
    let shown = shown_rating(level)?;
    Ok(match level {
        Some(Ok(_)) => format!("{shown} ({games} of {all} games)"),
        Some(Err(_)) | None => shown,
    })
}

/// A count of what there may be none of.
fn there(count: Option<u64>) -> String {
    count.map_or_else(|| "n/a".to_owned(), |count| count.to_string())
}

/// An engine's calls have no price, and what has none is no zero.
fn cost(one: &AnchoredRow) -> String {
    if one.row.system().is_billed {
        known(&one.list_usd)
    } else {
        "n/a".to_owned()
    }
}
