use crate::board::anchored::AnchoredRow;
use crate::finding::counted;
use crate::measure::anchored::{NoFit, Spread, Terms};
use crate::measure::{NotFinite, decimal};
use crate::projection::Systems;

/// One system that was entered more than once under different names, alike in all
/// that it is: its submissions should differ by their games alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The names, in the order of rows.
    pub systems: Vec<String>,
    /// Whether they spread by more. Nothing where the games cannot say.
    pub spread: Result<Option<Spread>, NoFit>,
}

/// Below this chance of so much spread, something beside the games differs.
const SIGNIFICANT: f64 = 0.05;

/// A smaller chance is shown as being smaller: it is not zero.
const SHOWN: f64 = 0.0001;

impl Control {
    /// The systems among these rows that are one but for their names, tested for
    /// excess spread; in the order of their first rows.
    pub(crate) fn among(rows: &[AnchoredRow], systems: &Systems, terms: &Terms) -> Vec<Self> {
        let what = |row: &AnchoredRow| {
            let system = &systems.system(&row.row.system().id)?.registered;
            Some((
                &system.assistance,
                &system.baseline,
                &system.engine,
                &system.model,
            ))
        };
        let mut groups: Vec<Vec<&AnchoredRow>> = Vec::new();
        // Who has no game that counts has nothing that could spread.
        for row in rows.iter().filter(|row| row.row.sample().games() != 0) {
            let is_same = |group: &&mut Vec<&AnchoredRow>| {
                let first = group.first().and_then(|first| what(first));
                first.is_some() && first == what(row)
            };
            match groups.iter_mut().find(is_same) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        let repeated = groups.into_iter().filter(|group| 1 < group.len());
        let test = |group: Vec<&AnchoredRow>| {
            let submissions: Vec<_> = group
                .iter()
                .map(|row| row.row.estimate().matches.clone())
                .collect();
            Self {
                systems: group
                    .iter()
                    .map(|row| row.row.system().name.clone())
                    .collect(),
                spread: Spread::of(&submissions, terms.color.constant()),
            }
        };
        repeated.map(test).collect()
    }

    /// What the test says, for people.
    pub(crate) fn in_words(&self) -> Result<String, NotFinite> {
        let names = self.systems.join(", ");
        let entered = format!(
            "Control: {names} are one system, entered {} times",
            self.systems.len()
        );
        Ok(match &self.spread {
            Err(no_fit) => format!("{entered}; its spread cannot be tested: {no_fit}."),
            Ok(None) => format!(
                "{entered}; its games cannot say whether it spreads by more than they explain."
            ),
            Ok(Some(spread)) => format!(
                "{entered}. Spread beyond its games: chi-square {} on {} of freedom, p {}, dispersion {}: {}.",
                decimal(spread.statistic, 2)?,
                counted(spread.freedom, "degree"),
                if spread.p_value < SHOWN {
                    format!("below {SHOWN}")
                } else {
                    format!("= {}", decimal(spread.p_value, 4)?)
                },
                decimal(spread.dispersion, 2)?,
                if spread.p_value < SIGNIFICANT {
                    "more than chance explains; routes, days or hidden changes make these ratings less certain than their intervals say"
                } else {
                    "no more than chance explains"
                }
            ),
        })
    }

    /// The same as a JSON value; numbers are texts.
    pub(crate) fn json(&self) -> Result<serde_json::Value, NotFinite> {
        let spread = match &self.spread {
            Ok(Some(spread)) => Some(serde_json::json!({
                "chi_square": decimal(spread.statistic, 6)?,
                "degrees_of_freedom": spread.freedom,
                "dispersion": decimal(spread.dispersion, 6)?,
                "p_value": decimal(spread.p_value, 6)?,
            })),
            Ok(None) | Err(_) => None,
        };
        Ok(serde_json::json!({ "excess_spread": spread, "systems": self.systems }))
    }
}
