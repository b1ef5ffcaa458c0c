use serde_json::{Value, json};

use crate::board::page::Page;
use crate::board::{ComputeBoard, Format, Table, compute_figures};
use crate::projection::{Durations, Tally};

const TIMES: &str = "Four times that are never added: a game's wall time runs from its first event to its last, pauses included; worker time is what a worker spent at the game, so that five games side by side for an hour are five worker-hours; replying is from a request to the whole answer or the failure, without our own queue; in our queue is what our own rate limit made a request wait. None of them is a provider's GPU time.";

const SHARED: &str =
    "A game's time stands with both of its players, and counts once in the sum of games.";

const CALLS: &str = "Sent again: the same was asked once more after a failure. First token and completing are medians over answers that came in pieces; replying is the median and the 90th percentile over all calls that say their time, to within a hundredth.";

const TOKENS: &str = "Tokens and nodes are those that answers report; in brackets: so many of so many answered calls say it; n/a: none does, which is not zero. Cached tokens are part of the prompt's, reasoning of the completion's. Dollars: scoresheet board costs.";

/// Returns the board as bytes that end in a newline.
pub fn render_compute(board: &ComputeBoard, format: Format) -> Vec<u8> {
    match format {
        Format::Text => board.page().text().into_bytes(),
        Format::Markdown => board.page().markdown().into_bytes(),
        Format::Csv => compute_figures(board).csv(),
        Format::Json => board.json().into_bytes(),
    }
}

/// A long time, as hours, minutes and seconds.
fn hours(ms: u64) -> String {
    let seconds = ms.saturating_add(500) / 1000;
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    format!("{}:{:02}:{seconds:02}", minutes / 60, minutes % 60)
}

/// A short time.
fn short(ms: Option<u64>) -> String {
    match ms {
        None => "n/a".to_owned(),
        Some(ms) if ms < 10_000 => format!("{ms} ms"),
        Some(ms) => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
    }
}

fn counted(tally: &Tally<u64>) -> String {
    match (tally.reported, tally.base) {
        (0, _) => "n/a".to_owned(),
        (reported, base) if reported == base => tally.sum.to_string(),
        (reported, base) => format!("{} ({reported} of {base})", tally.sum),
    }
}

impl ComputeBoard {
    fn heading(&self) -> [String; 2] {
        let of = self.of.as_deref().unwrap_or("all evidence");
        let source = &self.source;
        [
            format!("Compute: {of}"),
            format!(
                "From the first {} events of {}, root {}",
                source.size, source.origin, source.root
            ),
        ]
    }

    fn tables(&self) -> Vec<(&'static str, Table)> {
        let mut purposes = Table::new(vec!["Done for", "Games", "Wall time", "Worker time"]);
        for (name, games) in &self.purposes {
            purposes.push(vec![
                name.clone(),
                games.games.to_string(),
                hours(games.wall_ms),
                hours(games.worker_ms),
            ]);
        }
        let mut times = Table::new(vec![
            "System",
            "Games",
            "Wall time",
            "Worker time",
            "Replying",
            "In our queue",
        ]);
        let mut calls = Table::new(vec![
            "System",
            "Answered",
            "Failed",
            "Sent again",
            "First token",
            "Completing",
            "Replying",
            "90 %",
        ]);
        let mut tokens = Table::new(vec![
            "System",
            "Prompt",
            "Cached",
            "Completion",
            "Reasoning",
            "Nodes",
        ]);
        for (system, work) in &self.systems {
            let median = |durations: &Durations| short(durations.percentile_ms(50));
            times.push(vec![
                system.name.clone(),
                work.games.games.to_string(),
                hours(work.games.wall_ms),
                hours(work.games.worker_ms),
                hours(work.replying.sum_ms()),
                hours(work.queue.sum_ms()),
            ]);
            calls.push(vec![
                system.name.clone(),
                work.answered.to_string(),
                work.failed.to_string(),
                work.again.to_string(),
                median(&work.first_token),
                median(&work.completing),
                median(&work.replying),
                short(work.replying.percentile_ms(90)),
            ]);
            let shown = work.tallies().map(counted);
            tokens.push([vec![system.name.clone()], shown.to_vec()].concat());
        }
        let tables = [
            ("What was done", purposes),
            ("Time", times),
            ("Calls", calls),
            ("Tokens and nodes", tokens),
        ];
        tables
            .into_iter()
            .filter(|(_, table)| !table.rows().is_empty())
            .collect()
    }

    /// What runs there were, in a sentence.
    fn runs(&self) -> String {
        let ms = self.runs.iter().map(crate::projection::Run::ms);
        let ms = ms.fold(0, u64::saturating_add);
        let together = hours(self.games.worker_ms);
        if self.of.is_some() && self.runs.is_empty() {
            return format!(
                "All games together: {together} worker time. Which runs worked on this alone is not recorded."
            );
        }
        let open = self.runs.iter().filter(|run| run.stopped.is_none());
        format!(
            "Runs: {} in {}, of which {} did not end in good order or go on. All games together: {together} worker time.",
            self.runs.len(),
            hours(ms),
            open.count(),
        )
    }

    fn notes(&self) -> [String; 5] {
        let [times, shared, calls, tokens] = [TIMES, SHARED, CALLS, TOKENS].map(str::to_owned);
        [self.runs(), times, shared, calls, tokens]
    }

    fn page(&self) -> Page {
        Page {
            heading: self.heading().into(),
            tables: self.tables(),
            notes: self.notes().into(),
        }
    }

    fn json(&self) -> String {
        let rows = compute_figures(self).objects();
        let rows: Vec<_> = rows.into_iter().map(Value::Object).collect();
        let purposes = self.purposes.iter().map(|(name, games)| {
            json!({
                "games": games.games, "name": name, "wall_ms": games.wall_ms,
                "worker_ms": games.worker_ms,
            })
        });
        let runs = self.runs.iter().map(|run| {
            json!({
                "began": run.began, "dataset": run.dataset, "id": run.id, "last": run.last,
                "ms": run.ms(), "schedule": run.schedule, "stopped": run.stopped,
            })
        });
        let document = json!({
            "board": "compute",
            "notes": self.notes(),
            "of": self.of,
            "origin": self.source.origin.as_str(),
            "purposes": purposes.collect::<Vec<_>>(),
            "root": self.source.root.to_string(),
            "rows": rows,
            "runs": runs.collect::<Vec<_>>(),
            "size": self.source.size,
            "v": 1,
        });
        format!("{document:#}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_to_what_is_shown() {
        assert_eq!(hours(0), "0:00:00");
        assert_eq!(hours(3_599_500), "1:00:00");
        assert_eq!(hours(36_061_499), "10:01:01");
        assert_eq!(short(Some(9_999)), "9999 ms");
        assert_eq!(short(Some(12_345)), "12.3 s");
        assert_eq!(short(None), "n/a");
    }
}
