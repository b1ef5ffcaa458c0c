use std::str::FromStr;

use crate::canonical::Count;
use crate::cli::error::CliError;
use crate::event::{ClaimFigure, GeneratorRef, Name, NamedValue};
use crate::release::GENERATORS;

/// A number as a person names it: a table, what picks one row of it, and the
/// column with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stated {
    generator: Name,
    /// Absent: the only cohort of the claim.
    cohort: Option<String>,
    row: Vec<NamedValue>,
    number: NamedValue,
}

impl FromStr for Stated {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected TABLE[/COHORT]: COLUMN=VALUE, ..., COLUMN=VALUE, such as \"board-placement: system=one, rating=1662.31\"; the last one is the number";
        let (table, pairs) = text.split_once(':').ok_or(EXPECTED)?;
        let (generator, cohort) = match table.trim().split_once('/') {
            Some((generator, cohort)) => (generator, Some(cohort.to_owned())),
            None => (table.trim(), None),
        };
        let pair = |text: &str| {
            let (name, value) = text.split_once('=').ok_or(EXPECTED)?;
            Ok::<_, String>(NamedValue {
                name: name.trim().to_owned(),
                value: value.trim().to_owned(),
            })
        };
        let mut pairs: Vec<_> = pairs.split(',').map(pair).collect::<Result<_, _>>()?;
        let number = pairs.pop().ok_or(EXPECTED)?;
        if pairs.is_empty() {
            return Err(EXPECTED.to_owned());
        }
        Ok(Self {
            generator: generator.parse().map_err(|_| EXPECTED.to_owned())?,
            cohort,
            row: pairs,
            number,
        })
    }
}

impl Stated {
    /// The figure of a claim that stands on these cohorts.
    pub(super) fn figure(&self, cohorts: &[Name]) -> Result<ClaimFigure, CliError> {
        let name = &self.generator;
        let mut known = GENERATORS.iter();
        let Some(known) = known.find(|known| known.name == name.as_str()) else {
            return Err(CliError::Input(format!(
                "there is no table {name}; scoresheet release generators lists them"
            )));
        };
        let cohort = match (&self.cohort, cohorts) {
            (Some(cohort), _) => cohort.as_str(),
            (None, [only]) => only.as_str(),
            (None, _) => {
                return Err(CliError::Input(format!(
                    "the claim has {} cohorts: say of which one the table is, {name}/COHORT: ...",
                    cohorts.len()
                )));
            }
        };
        let argument = |name: &str, value: &str| NamedValue {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        Ok(ClaimFigure {
            column: self.number.name.clone(),
            generator: GeneratorRef {
                arguments: vec![argument("cohort", cohort), argument("format", "csv")],
                name: name.clone(),
                version: Count::saturating(known.version),
            },
            row: self.row.clone(),
            value: self.number.value.clone(),
        })
    }
}
