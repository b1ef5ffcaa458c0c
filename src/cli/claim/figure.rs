use std::str::FromStr;

use crate::canonical::Count;
use crate::cli::error::CliError;
use crate::event::{ClaimFigure, GeneratorRef, Name, NamedValue};
use crate::release::{GENERATORS, Generator};

/// A number as a person names it: a table, what picks one row of it, and the
/// column with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stated {
    generator: Name,
    /// What the table is about. Absent: the only cohort of the claim.
    subject: Option<String>,
    row: Vec<NamedValue>,
    number: NamedValue,
}

impl FromStr for Stated {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected TABLE[/SUBJECT]: COLUMN=VALUE, ..., COLUMN=VALUE, such as \"board-placement: system=one, rating=1662.31\"; the last one is the number";
        let (table, pairs) = text.split_once(':').ok_or(EXPECTED)?;
        let (generator, subject) = match table.trim().split_once('/') {
            Some((generator, subject)) => (generator, Some(subject.to_owned())),
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
            subject,
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
        let newest = known.find(|known| known.name == name.as_str() && !known.is_superseded());
        let Some(known) = newest else {
            return Err(CliError::Input(format!(
                "there is no table {name}; scoresheet release generators lists them"
            )));
        };
        let subject = self.subject(known, cohorts)?;
        let argument = |name: &str, value: &str| NamedValue {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        Ok(ClaimFigure {
            column: self.number.name.clone(),
            generator: GeneratorRef {
                arguments: subject
                    .into_iter()
                    .map(|(name, value)| argument(name, value))
                    .chain([argument("format", "csv")])
                    .collect(),
                name: name.clone(),
                version: Count::saturating(known.version),
            },
            row: self.row.clone(),
            value: self.number.value.clone(),
        })
    }

    /// What the table is asked about: the name of the argument, and what stands behind
    /// the slash, or the only cohort of the claim.
    fn subject<'s>(
        &'s self,
        known: &Generator,
        cohorts: &'s [Name],
    ) -> Result<Option<(&'static str, &'s str)>, CliError> {
        let name = &self.generator;
        let first = known.arguments.first();
        match (first, &self.subject, cohorts) {
            (None, None, _) => Ok(None),
            (None, Some(_), _) => Err(CliError::Input(format!(
                "{name} is about everything: write {name}: ..., without a slash"
            ))),
            (Some(argument), Some(subject), _) => Ok(Some((argument.name, subject.as_str()))),
            (Some(argument), None, _) if argument.is_optional => Ok(None),
            (Some(argument), None, [only]) if argument.name == "cohort" => {
                Ok(Some((argument.name, only.as_str())))
            }
            (Some(argument), None, _) => {
                let what = argument.name;
                Err(CliError::Input(format!(
                    "say of which {what} the table is: {name}/{}: ...",
                    what.to_uppercase()
                )))
            }
        }
    }
}
