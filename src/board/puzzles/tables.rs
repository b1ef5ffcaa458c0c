//! The tables of a board of puzzles for people.

use crate::board::Table;
use crate::board::page::ratio;
use crate::board::puzzles::{FormCount, PuzzleBoard, PuzzleRow, PuzzleScore};
use crate::measure::{Interval, NotFinite, decimal};
use crate::projection::{Summand, Tally};

/// A table with its title.
pub(crate) type Titled = (&'static str, Table);

impl PuzzleBoard {
    pub(crate) fn tables(&self) -> Result<Vec<Titled>, NotFinite> {
        let asked = (
            "What is asked, and what systems that answered all of it solved",
            self.asked(),
        );
        if self.rows.is_empty() {
            return Ok(vec![asked]);
        }
        Ok(vec![
            ("Solved", self.solved()?),
            ("By tactic and rating band", self.by_cell()),
            ("By plies of the solution", self.by_plies()),
            ("Reply formats", self.formats()),
            ("Tokens and US dollars", self.resources()),
            asked,
        ])
    }

    fn solved(&self) -> Result<Table, NotFinite> {
        let mut table = Table::new(vec![
            "System",
            "#",
            "Solved",
            "%",
            "95 % interval",
            "Any mate",
            "Provider failures",
            "Unanswered",
            "Assistance",
        ]);
        for row in &self.rows {
            let unanswered = row.puzzles.saturating_sub(row.score.of.into());
            table.push(vec![
                row.system.name.clone(),
                row.rank
                    .map_or_else(|| "-".to_owned(), |rank| rank.to_string()),
                format!("{} / {}", row.score.solved, row.score.of),
                percent(row.score),
                shown(row.score.interval())?,
                format!("{} / {}", row.score.any_mate, row.score.of),
                row.provider_failures.to_string(),
                unanswered.to_string(),
                row.system.assistance.to_string(),
            ]);
        }
        Ok(table)
    }

    fn by_cell(&self) -> Table {
        let bands = self.bands();
        let columns = ["System", "Tactic"].map(str::to_owned).into_iter();
        let columns = columns.chain(bands.iter().cloned());
        let mut table = Table::new(columns.chain(["All".to_owned()]).collect());
        for row in &self.rows {
            let tactics = self.tactics().into_iter().map(Some).chain([None]);
            for tactic in tactics {
                let is_of = |cell: &crate::board::CellLabel| {
                    tactic.is_none_or(|tactic| cell.tactic == tactic)
                };
                let name = tactic.map_or("all", |tactic| tactic.in_words());
                let mut cells = vec![row.system.name.clone(), name.to_owned()];
                cells.extend(bands.iter().map(|band| {
                    fraction(self.score_in(row, |cell| is_of(cell) && cell.band == *band))
                }));
                cells.push(fraction(self.score_in(row, is_of)));
                table.push(cells);
            }
        }
        table
    }

    fn by_plies(&self) -> Table {
        let mut table = Table::new(vec!["System", "1 ply", "3 plies"]);
        for row in &self.rows {
            let [one, three] = row.plies.map(fraction);
            table.push(vec![row.system.name.clone(), one, three]);
        }
        table
    }

    fn formats(&self) -> Table {
        let mut table = Table::new(vec![
            "System",
            "As is",
            "Extracted",
            "Converted",
            "Wrong",
            "No reply",
        ]);
        for row in &self.rows {
            let shown = |count: FormCount| format!("{} ({} solved)", count.replies, count.solved);
            let [as_is, extracted, converted, wrong] = row.forms;
            table.push(vec![
                row.system.name.clone(),
                shown(as_is),
                shown(extracted),
                shown(converted),
                wrong.replies.to_string(),
                row.provider_failures.to_string(),
            ]);
        }
        table
    }

    fn resources(&self) -> Table {
        let mut table = Table::new(vec![
            "System",
            "Prompt tokens",
            "Completion tokens",
            "Of it reasoning",
            "USD reported",
            "USD estimated",
        ]);
        for row in &self.rows {
            let resources = &row.resources;
            let [reported, estimated] =
                [&resources.cost_usd, &resources.estimated_usd].map(|tally| {
                    // An engine's calls have no price, and what has none is no zero.
                    if row.system.is_billed {
                        known(tally)
                    } else {
                        "n/a".to_owned()
                    }
                });
            table.push(vec![
                row.system.name.clone(),
                known(&resources.prompt_tokens),
                known(&resources.completion_tokens),
                known(&resources.reasoning_tokens),
                reported,
                estimated,
            ]);
        }
        table
    }

    /// The dataset as its methodology shows it, with the average over systems
    /// that answered all of it.
    fn asked(&self) -> Table {
        let bands = self.bands();
        let columns = ["Tactic".to_owned()].into_iter();
        let columns = columns.chain(bands.iter().cloned());
        let last = ["Plies", "Solved, on average"].map(str::to_owned);
        let mut table = Table::new(columns.chain(last).collect());
        for tactic in self.tactics() {
            let of_tactic = || self.cells.iter().filter(|cell| cell.tactic == tactic);
            let mut cells = vec![tactic.in_words().to_owned()];
            cells.extend(bands.iter().map(|band| {
                let puzzles = of_tactic().filter(|cell| cell.band == *band);
                let shown = puzzles.map(|cell| match cell.puzzles {
                    all if all == cell.wanted => all.to_string(),
                    some => format!("{some} of {}", cell.wanted),
                });
                shown.collect::<Vec<_>>().join(" + ")
            }));
            let plies: std::collections::BTreeSet<_> =
                of_tactic().flat_map(|cell| &cell.plies).collect();
            let plies: Vec<_> = plies.into_iter().map(ToString::to_string).collect();
            cells.push(if plies.is_empty() {
                "-".to_owned()
            } else {
                plies.join(" or ")
            });
            let mut all = PuzzleScore::default();
            for row in self.rows.iter().filter(|row| row.is_complete()) {
                all.join(self.score_in(row, |cell| cell.tactic == tactic));
            }
            cells.push(percent(all));
            table.push(cells);
        }
        table
    }
}

fn shown(interval: Option<Interval>) -> Result<String, NotFinite> {
    let Some(interval) = interval else {
        return Ok("n/a".to_owned());
    };
    let [low, high] = [interval.low, interval.high].map(|end| decimal(100.0 * end, 1));
    Ok(format!("{}..{} %", low?, high?))
}

fn percent(score: PuzzleScore) -> String {
    let percent = ratio(score.solved.into(), score.of.into(), 100, 1);
    percent.map_or_else(|| "n/a".to_owned(), |percent| format!("{percent} %"))
}

fn fraction(score: PuzzleScore) -> String {
    if score.of == 0 {
        "-".to_owned()
    } else {
        format!("{}/{}", score.solved, score.of)
    }
}

/// A sum with how much of its base it covers.
fn known<T: Summand + ToString>(tally: &Tally<T>) -> String {
    match tally.known() {
        None => "n/a".to_owned(),
        Some(sum) => format!("{} ({}/{})", sum.to_string(), tally.reported, tally.base),
    }
}

impl PuzzleRow {
    /// Whether and why it has no rank, in words.
    pub(crate) fn standing(&self, is_partial: bool) -> &'static str {
        match (self.rank, is_partial) {
            (Some(_), _) => "ranked",
            (None, true) => "partial",
            (None, false) => "unfinished",
        }
    }
}
