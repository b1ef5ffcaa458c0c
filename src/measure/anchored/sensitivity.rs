use std::collections::BTreeSet;

use crate::measure::anchored::bootstrap::Model;
use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::joint::Joint;
use crate::measure::anchored::level::{End, Fit, Level, Reach};
use crate::measure::anchored::performance::Performance;
use crate::measure::anchored::record::{MiniMatch, Record};

/// The rating without the mini-matches of one day, or of one route.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut<L> {
    /// Which one was left out.
    pub label: L,
    /// What the rest comes to; nothing when nothing is left.
    pub level: Option<Level>,
}

/// Returns the rating with each label left out in turn, in the order of the
/// labels.
///
/// # Errors
///
/// There is no game, a constant is out of its range, or a search did not end.
pub fn leave_each_out<L: Ord + Clone>(
    matches: &[(L, MiniMatch)],
    model: &Model,
) -> Result<Vec<LeftOut<L>>, NoFit> {
    Record::of(matches.iter().flat_map(|(_, games)| games.scores()))?;
    let labels: BTreeSet<&L> = matches.iter().map(|(label, _)| label).collect();
    let without = |label: &L| {
        let rest = matches.iter().filter(|(other, _)| other != label);
        let level = match Record::of(rest.flat_map(|(_, games)| games.scores())) {
            Ok(record) => Some(level(&record, model)?),
            Err(_) => None,
        };
        Ok(LeftOut {
            label: label.clone(),
            level,
        })
    };
    labels.into_iter().map(without).collect()
}

/// The lowest and the highest rating with one left out; unbounded where one of
/// them has a bound only. Nothing when nothing was ever left.
pub fn range<L>(left_out: &[LeftOut<L>]) -> Option<Reach> {
    let ends = left_out.iter().filter_map(|left_out| {
        Some(match left_out.level? {
            Level::Estimate(rating) => End::At(rating),
            Level::AtLeast(_) => End::AboveAll,
            Level::AtMost(_) => End::BelowAll,
        })
    });
    ends.fold(None, |range: Option<Reach>, end| {
        let Some(Reach { low, high }) = range else {
            return Some(Reach {
                low: end,
                high: end,
            });
        };
        Some(Reach {
            low: if end < low { end } else { low },
            high: if high < end { end } else { high },
        })
    })
}

/// The rating of a record under a model, or its bound.
///
/// # Errors
///
/// A constant is out of its range, or a search did not end.
pub fn level(record: &Record, model: &Model) -> Result<Level, NoFit> {
    let fit = match model {
        Model::Performance { color } => match Performance::of(record, *color)? {
            Fit::Finite(fit) => Fit::Finite(fit.rating),
            Fit::Bounded(bound) => Fit::Bounded(bound),
        },
        Model::Joint(terms) => Joint::rating_of(record, terms)?,
    };
    Ok(match fit {
        Fit::Finite(rating) => Level::Estimate(rating),
        Fit::Bounded(bound) => bound.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::anchored::Tally;

    fn games(white: u8, black: u8) -> MiniMatch {
        MiniMatch {
            anchor: 1500.0,
            white: Tally::one(white),
            black: Tally::one(black),
        }
    }

    #[test]
    fn each_label_is_left_out_in_turn_and_the_range_says_what_is_unbounded() {
        let model = Model::Performance { color: 0.0 };
        let matches = [
            ("b", games(2, 2)),
            ("a", games(0, 1)),
            ("b", games(2, 1)),
            ("c", games(2, 0)),
        ];
        let found = leave_each_out(&matches, &model).unwrap();
        let labels: Vec<_> = found.iter().map(|left_out| left_out.label).collect();
        assert_eq!(labels, ["a", "b", "c"]);
        // Without "b", 1.5 of 4: 400 log10(3/5) below.
        let Some(Level::Estimate(rating)) = found[1].level else {
            panic!("{found:?}");
        };
        assert!((rating - (1500.0 + 400.0 * libm::log10(0.6))).abs() < 1e-9);
        let reach = range(&found).unwrap();
        assert_eq!(reach.low, End::At(rating));
        assert!(matches!(reach.high, End::At(_)));
        let found = leave_each_out(&matches[..2], &model).unwrap();
        assert_eq!(range(&found).unwrap().high, End::AboveAll);
        let found = leave_each_out(&matches[..1], &model).unwrap();
        assert_eq!((found[0].level, range(&found)), (None, None));
        assert!(leave_each_out::<u8>(&[], &model).is_err());
    }
}
