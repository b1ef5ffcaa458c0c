use serde_json::{Value, json};

use crate::board::anchored::{kind, points, shown_level};
use crate::board::page::folded;
use crate::board::{Basis, Comparison, Format, Table, Wdl};
use crate::measure::anchored::Level;
use crate::measure::{MatchElo, NotFinite, SprtState, decimal};

/// Returns a comparison as bytes that end in a newline: JSON, or else text.
///
/// # Errors
///
/// When a number is not finite, which is never printed.
pub fn render_comparison(comparison: &Comparison, format: Format) -> Result<Vec<u8>, NotFinite> {
    match format {
        Format::Json => comparison.json().map(String::into_bytes),
        Format::Text | Format::Csv | Format::Markdown => comparison.text().map(String::into_bytes),
    }
}

impl Comparison {
    fn names(&self) -> [&str; 2] {
        [&self.systems[0].name, &self.systems[1].name]
    }

    fn text(&self) -> Result<String, NotFinite> {
        let [one, other] = self.names();
        let (score, single) = (self.score(), self.single);
        let pairs = self.pairs.map(|count| count.to_string()).join(" ");
        let mut lines = vec![format!("{one} and {other} in cohort {}", self.cohort)];
        match self.basis {
            Basis::Games => {
                lines.push(format!(
                    "Games against one another: {}, W-D-L of {one} {single}.",
                    single.games()
                ));
                lines.push(format!(
                    "Pairs (one start, each once with White) by points of {one}, 0 to 2 in halves: {pairs}."
                ));
                lines.push(format!("Games without a pair: {}.", self.unpaired));
            }
            Basis::CommonAnchors => {
                lines.push(format!(
                    "Cells against the same anchor, from the same start, with the same color: {}; {one} scored more, the same, less in {single} of them.",
                    single.games()
                ));
                lines.push(format!(
                    "Pairs by points of {one} less those of {other}, -1 to 1 in halves: {pairs}."
                ));
                lines.push(format!("Cells without a pair: {}.", self.unpaired));
            }
        }
        lines.push(format!(
            "Likelihood of superiority: {}.",
            score
                .superiority()
                .map_or_else(|| Ok("n/a".to_owned()), |chance| decimal(chance, 4))?
        ));
        if self.basis == Basis::Games {
            lines.push(format!("Elo of the score: {}.", elo(score.elo())?));
        }
        let (lower, upper) = self.sprt.bounds();
        lines.push(format!(
            "SPRT of elo0 {} and elo1 {} (alpha {}, beta {}): log-likelihood ratio {} in {} to {}, {}.",
            self.sprt.elo0,
            self.sprt.elo1,
            self.sprt.alpha,
            self.sprt.beta,
            decimal(self.sprt.log_likelihood_ratio(&score), 3)?,
            decimal(lower, 3)?,
            decimal(upper, 3)?,
            self.sprt.state(&score).as_str()
        ));
        let mut blocks = vec![
            lines
                .iter()
                .map(|line| folded(line))
                .collect::<Vec<_>>()
                .join("\n"),
        ];
        if !self.anchors.is_empty() {
            blocks.push(self.table()?.markdown().trim_end().to_owned());
        }
        let notes = self.sentences();
        blocks.push(
            notes
                .iter()
                .map(|note| folded(note))
                .collect::<Vec<_>>()
                .join("\n"),
        );
        blocks.push(folded(&format!(
            "From the first {} events of {}, root {}",
            self.source.size, self.source.origin, self.source.root
        )));
        Ok(format!("{}\n", blocks.join("\n\n")))
    }

    fn table(&self) -> Result<Table, NotFinite> {
        let [one, other] = self.names();
        let mut table = Table::new(vec![
            "Anchor".to_owned(),
            "Rating".to_owned(),
            format!("{one} W-D-L"),
            "Performance".to_owned(),
            format!("{other} W-D-L"),
            "Performance".to_owned(),
        ]);
        for anchor in &self.anchors {
            let [one, other] = anchor.scores;
            let [first, second] = anchor
                .levels
                .map(|level| level.map_or_else(|| Ok("n/a".to_owned()), shown_level));
            table.push(vec![
                anchor.name.clone(),
                anchor.rating.clone(),
                one.to_string(),
                first?,
                other.to_string(),
                second?,
            ]);
        }
        Ok(table)
    }

    /// What the figures say, and what they do not.
    fn sentences(&self) -> Vec<String> {
        let [one, other] = self.names();
        let score = self.score();
        let mut said = Vec::new();
        if score.count() == 0 {
            said.push(format!(
                "{one} and {other} have nothing in common here, so that nothing is said of either."
            ));
            return said;
        }
        said.push(match (score.superiority(), self.basis) {
            (None, _) => "All outcomes are the same: that shows nothing of how they spread, so that there is no likelihood of superiority.".to_owned(),
            (Some(_), Basis::Games) => format!("The likelihood of superiority is the chance that the mean score of {one} against {other} lies above a half, if it is distributed normally around what was found."),
            (Some(_), Basis::CommonAnchors) => format!("The likelihood of superiority is the chance that {one} scores more than {other} against these anchors, if the mean difference is distributed normally around what was found."),
        });
        said.push(match self.sprt.state(&score) {
            SprtState::AcceptsH0 => format!("The test accepts H0: the pairs speak for elo0 against elo1. It does not say that {one} is the weaker one."),
            SprtState::AcceptsH1 => "The test accepts H1: the pairs speak for elo1 against elo0. It does not say how large the difference is.".to_owned(),
            SprtState::GoesOn => "The test has not decided. No difference shown is not equality: more games may show one.".to_owned(),
        });
        said.push("The errors alpha and beta hold where the test alone decides when to stop; on a schedule of fixed length it is a reading of the evidence.".to_owned());
        if self.basis == Basis::CommonAnchors {
            said.push(format!("{one} and {other} never met. Elo of the test is that of a match in which a pair has its points: it is not the difference of their ratings."));
        }
        said.push("All of it holds for these opponents, these starts and this protocol, and for nothing else.".to_owned());
        said
    }

    fn json(&self) -> Result<String, NotFinite> {
        let score = self.score();
        let number = |value: Option<f64>| value.map(|value| decimal(value, 6)).transpose();
        let wdl = |wdl: Wdl| json!({ "d": wdl.draws, "l": wdl.losses, "w": wdl.wins });
        let level = |level: Option<Level>| -> Result<Value, NotFinite> {
            Ok(match level {
                None => Value::Null,
                Some(level) => json!({ "kind": kind(level), "points": points(level)? }),
            })
        };
        let anchors = self.anchors.iter().map(|anchor| {
            let [first, second] = anchor.levels;
            Ok(json!({
                "anchor": anchor.name,
                "performances": [level(first)?, level(second)?],
                "rating": anchor.rating,
                "scores": anchor.scores.map(wdl),
            }))
        });
        let (lower, upper) = self.sprt.bounds();
        let document = json!({
            "anchors": anchors.collect::<Result<Vec<_>, NotFinite>>()?,
            "basis": match self.basis {
                Basis::Games => "games",
                Basis::CommonAnchors => "common_anchors",
            },
            "cohort": self.cohort,
            "likelihood_of_superiority": number(score.superiority())?,
            "origin": self.source.origin.as_str(),
            "pentanomial": self.pairs,
            "root": self.source.root.to_string(),
            "says": self.sentences(),
            "size": self.source.size,
            "sprt": {
                "alpha": self.sprt.alpha, "beta": self.sprt.beta,
                "elo0": self.sprt.elo0, "elo1": self.sprt.elo1,
                "log_likelihood_ratio": number(Some(self.sprt.log_likelihood_ratio(&score)))?,
                "lower": number(Some(lower))?, "upper": number(Some(upper))?,
                "state": self.sprt.state(&score).as_str(),
            },
            "systems": self.names(),
            "trinomial": wdl(self.single),
            "unpaired": self.unpaired,
            "v": 1,
        });
        Ok(format!("{document:#}\n"))
    }
}

fn elo(elo: Option<MatchElo>) -> Result<String, NotFinite> {
    Ok(match elo {
        None => "n/a".to_owned(),
        Some(MatchElo::AtLeast(bound)) => {
            format!("at least {} (one-sided 95 %)", decimal(bound, 1)?)
        }
        Some(MatchElo::AtMost(bound)) => format!("at most {} (one-sided 95 %)", decimal(bound, 1)?),
        Some(MatchElo::Finite { elo, error: None }) => {
            format!("{}, without an error that could be told", decimal(elo, 1)?)
        }
        Some(MatchElo::Finite {
            elo,
            error: Some(error),
        }) => format!("{} +- {} (95 %)", decimal(elo, 1)?, decimal(error, 1)?),
    })
}
