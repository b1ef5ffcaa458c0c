use crate::measure::anchored::{End, Fit, Level, NoFit, Printed, Reach, SystemFit};
use crate::measure::{NotFinite, decimal};

/// A rating or a bound for people, in whole points. A bound is rounded to its
/// open side, so that it never claims more than was shown.
pub(crate) fn shown_level(level: Level) -> Result<String, NotFinite> {
    Ok(match level {
        Level::Estimate(points) => decimal(points, 0)?,
        Level::AtLeast(points) => format!("at least {}", decimal(points.floor(), 0)?),
        Level::AtMost(points) => format!("at most {}", decimal(points.ceil(), 0)?),
    })
}

/// The same of what may have no fit.
pub(crate) fn shown_rating(level: Option<&Result<Level, NoFit>>) -> Result<String, NotFinite> {
    match level {
        None => Ok("n/a".to_owned()),
        Some(Err(_)) => Ok("no fit".to_owned()),
        Some(Ok(level)) => shown_level(*level),
    }
}

/// An interval for people.
pub(crate) fn shown_reach(reach: Reach) -> Result<String, NotFinite> {
    let end = |end: End| match end {
        End::BelowAll => Ok("below all".to_owned()),
        End::At(points) => decimal(points, 0),
        End::AboveAll => Ok("above all".to_owned()),
    };
    Ok(format!("{} to {}", end(reach.low)?, end(reach.high)?))
}

/// The interval that is printed beside a fit: `p` marks the profile interval,
/// where resampling says nothing.
pub(crate) fn shown_interval(fit: &Result<SystemFit, NoFit>) -> Result<String, NotFinite> {
    let Ok(fit) = fit else {
        return Ok("-".to_owned());
    };
    Ok(match (&fit.joint, fit.printed) {
        (Fit::Finite(_), Some(Printed::Profile(_))) => {
            format!("{} p", shown_reach(printed_reach(fit))?)
        }
        (Fit::Finite(_), Some(Printed::Bootstrap(_))) => shown_reach(printed_reach(fit))?,
        (Fit::Bounded(_), _) | (_, None) => "one-sided 95 %".to_owned(),
    })
}

fn printed_reach(fit: &SystemFit) -> Reach {
    fit.printed.map_or(
        Reach {
            low: End::BelowAll,
            high: End::AboveAll,
        },
        Printed::reach,
    )
}

/// What kind of number a level is, in a word.
pub(crate) const fn kind(level: Level) -> &'static str {
    match level {
        Level::Estimate(_) => "estimate",
        Level::AtLeast(_) => "at_least",
        Level::AtMost(_) => "at_most",
    }
}

/// The points of a level, with every digit that is printed.
pub(crate) fn points(level: Level) -> Result<String, NotFinite> {
    let (Level::Estimate(points) | Level::AtLeast(points) | Level::AtMost(points)) = level;
    decimal(points, 6)
}

/// An end of an interval with every digit: `-inf` and `+inf` beyond all ratings.
pub(crate) fn end(end: End) -> Result<String, NotFinite> {
    Ok(match end {
        End::BelowAll => "-inf".to_owned(),
        End::At(points) => decimal(points, 6)?,
        End::AboveAll => "+inf".to_owned(),
    })
}
