use serde_json::value::RawValue;

use crate::measure::VectorsFault;
use crate::measure::anchored::vectors::figure::{is_for_reading, names};
use crate::measure::anchored::vectors::file::Expected;
use crate::measure::anchored::vectors::leaf::{Leaf, leaves};
use crate::measure::anchored::{MiniMatch, Record, Score, Seat, Tally};
use crate::measure::vectors::object::{Object, each, list, number};

/// A case of a file of vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchoredCase {
    /// The key of the section that it stands in.
    pub section: &'static str,
    /// Its name.
    pub id: String,
    pub(crate) given: Given,
    pub(crate) expected: Vec<Expected>,
}

/// What is given.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// Games by anchor and seat.
    Scores(Record),
    /// Mini-matches in their order.
    Matches(Vec<MiniMatch>),
    /// Counts of pairs by their points.
    Pentanomial([u32; 5]),
    /// Losses, draws and wins.
    Trinomial([u32; 3]),
}

impl AnchoredCase {
    /// Reads a case with rows: games by anchor and seat.
    pub(crate) fn of_rows(
        section: &'static str,
        id: &str,
        part: &RawValue,
    ) -> Result<Self, VectorsFault> {
        let placed = |fault| placed(section, id, fault);
        let object = Object::of_names(part).map_err(placed)?;
        let rows = object
            .need("rows", |rows| each(rows, row))
            .map_err(placed)?;
        let record = Record::of(rows);
        let record = record.map_err(|fault| placed(unrated("rows", &fault.to_string())))?;
        let expected = leaves(part).map_err(placed)?.into_iter();
        let expected = expected.filter(|(field, _)| !field.starts_with("rows["));
        Self::known(section, id, Given::Scores(record), expected.collect()).map_err(placed)
    }

    /// Reads a case with pairs; `expected` is what stands beside them, if that
    /// is not everything.
    pub(crate) fn of_pairs(
        section: &'static str,
        id: &str,
        part: &RawValue,
        expected: Option<Vec<Expected>>,
    ) -> Result<Self, VectorsFault> {
        let placed = |fault| placed(section, id, fault);
        let object = Object::of_names(part).map_err(placed)?;
        let pairs = object
            .need("pairs", |pairs| each(pairs, pair))
            .map_err(placed)?;
        let record = Record::of_matches(&pairs);
        record.map_err(|fault| placed(unrated("pairs", &fault.to_string())))?;
        let expected = match expected {
            Some(expected) => expected,
            None => leaves(part)
                .map_err(placed)?
                .into_iter()
                .filter(|(field, _)| !field.starts_with("pairs["))
                .collect(),
        };
        Self::known(section, id, Given::Matches(pairs), expected).map_err(placed)
    }

    /// Reads a case with counts.
    pub(crate) fn of_counts(
        section: &'static str,
        id: &str,
        part: &RawValue,
    ) -> Result<Self, VectorsFault> {
        let placed = |fault| placed(section, id, fault);
        let object = Object::of_names(part).map_err(placed)?;
        let given = if id.starts_with("penta") {
            let counts = object
                .need("counts", |counts| each(counts, count))
                .map_err(placed)?;
            let counts: [u32; 5] = counts.try_into().map_err(|counts: Vec<u32>| {
                let found = format!("{} of them", counts.len());
                placed(VectorsFault::new("five counts", found).inside("counts"))
            })?;
            Given::Pentanomial(counts)
        } else {
            let read = |key| object.need(key, count).map_err(placed);
            let counts = [read("L")?, read("D")?, read("W")?];
            Given::Trinomial(counts)
        };
        let expected = leaves(part).map_err(placed)?.into_iter();
        let is_given =
            |field: &str| field.starts_with("counts[") || matches!(field, "W" | "D" | "L");
        let expected = expected.filter(|(field, _)| !is_given(field)).collect();
        Self::known(section, id, given, expected).map_err(placed)
    }

    /// A case of which every expected figure is one that we know.
    fn known(
        section: &'static str,
        id: &str,
        given: Given,
        mut expected: Vec<Expected>,
    ) -> Result<Self, VectorsFault> {
        expected.retain(|(field, _)| !is_for_reading(field));
        let case = Self {
            section,
            id: id.to_owned(),
            given,
            expected,
        };
        let names = names(&case)?;
        let mut fields = case.expected.iter().map(|(field, _)| field);
        if let Some(field) = fields.find(|field| !names.contains(field)) {
            let known = "a figure that is computed here, or one for reading";
            return Err(VectorsFault::new(known, "one that nobody knows").inside(field));
        }
        Ok(case)
    }

    /// The number that the file says in a place.
    pub(crate) fn number(&self, field: &str) -> Option<f64> {
        let mut found = self.expected.iter().filter(|(other, _)| other == field);
        match found.next() {
            Some((_, Leaf::Number(number))) => Some(*number),
            _ => None,
        }
    }
}

fn placed(section: &'static str, id: &str, fault: VectorsFault) -> VectorsFault {
    VectorsFault {
        section: Some(section),
        case: Some(format!("{id:?}")),
        ..fault
    }
}

fn unrated(key: &str, fault: &str) -> VectorsFault {
    VectorsFault::new("games that can be rated", fault).inside(key)
}

/// Reads `{"anchor": …, "colour": …, "W": …, "D": …, "L": …}`.
fn row(part: &RawValue) -> Result<Score, VectorsFault> {
    let object = Object::of(part, &["anchor", "colour", "W", "D", "L"])?;
    let seat = object.need("colour", |part| match part.get() {
        "\"white\"" => Ok(Seat::White),
        "\"black\"" => Ok(Seat::Black),
        _ => Err(VectorsFault::new(
            "\"white\" or \"black\"",
            "something else",
        )),
    })?;
    Ok(Score {
        anchor: object.need("anchor", number)?,
        seat,
        tally: Tally {
            wins: object.need("W", count)?,
            draws: object.need("D", count)?,
            losses: object.need("L", count)?,
        },
    })
}

/// Reads `[anchor, result with White, result with Black]`.
fn pair(part: &RawValue) -> Result<MiniMatch, VectorsFault> {
    let parts = list(part)?;
    let [anchor, white, black] = parts.as_slice() else {
        let found = format!("{} of them", parts.len());
        return Err(VectorsFault::new("an anchor and two results", found));
    };
    let result = |part: &RawValue| match part.get() {
        "\"W\"" => Ok(Tally::one(2)),
        "\"D\"" => Ok(Tally::one(1)),
        "\"L\"" => Ok(Tally::one(0)),
        _ => Err(VectorsFault::new("\"W\", \"D\" or \"L\"", "something else")),
    };
    Ok(MiniMatch {
        anchor: number(anchor)?,
        white: result(white)?,
        black: result(black)?,
    })
}

/// Reads a whole number of games.
fn count(part: &RawValue) -> Result<u32, VectorsFault> {
    part.get()
        .parse()
        .ok()
        .filter(|count| *count <= 1_000_000_000)
        .ok_or_else(|| VectorsFault::new("a count of games", "something else"))
}
