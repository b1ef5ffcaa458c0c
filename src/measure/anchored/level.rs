use crate::measure::anchored::saturated::{Bound, Side};

/// What a fit comes to: a finite rating, or a bound where the record has
/// none. The two cannot be taken for one another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fit<T> {
    /// The record has a finite rating, and this is it.
    Finite(T),
    /// Every game was won, or every game lost.
    Bounded(Bound),
}

impl<T> Fit<T> {
    /// The finite rating, where there is one.
    pub const fn finite(&self) -> Option<&T> {
        match self {
            Self::Finite(fit) => Some(fit),
            Self::Bounded(_) => None,
        }
    }

    /// The bound, where there is no finite rating.
    pub const fn bound(&self) -> Option<&Bound> {
        match self {
            Self::Finite(_) => None,
            Self::Bounded(bound) => Some(bound),
        }
    }
}

/// A rating or a bound of one, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// An estimate.
    Estimate(f64),
    /// At least this; there is no estimate.
    AtLeast(f64),
    /// At most this; there is no estimate.
    AtMost(f64),
}

impl From<Bound> for Level {
    fn from(bound: Bound) -> Self {
        match bound.side {
            Side::AtLeast => Self::AtLeast(bound.rating),
            Side::AtMost => Self::AtMost(bound.rating),
        }
    }
}

/// An end of an interval, which may lie beyond every number. They are ordered.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum End {
    /// Below every rating.
    BelowAll,
    /// A rating, in points.
    At(f64),
    /// Above every rating.
    AboveAll,
}

impl End {
    /// The rating, where it is one.
    pub const fn finite(self) -> Option<f64> {
        match self {
            Self::At(rating) => Some(rating),
            Self::BelowAll | Self::AboveAll => None,
        }
    }
}

/// A two-sided interval whose ends may lie beyond every number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The lower end.
    pub low: End,
    /// The upper end.
    pub high: End,
}

impl Reach {
    /// Whether the rating lies in it.
    pub fn contains(&self, rating: f64) -> bool {
        self.low <= End::At(rating) && End::At(rating) <= self.high
    }
}
