use crate::measure::anchored::record::{Record, Seat};

/// How the draw rate between equals, d0, is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawRate {
    /// Fitted to the record. Without a draw in it, 0.
    Free,
    /// A constant of the protocol, from 0 to [`DRAW_RATE_MAX`].
    Constant(f64),
}

impl DrawRate {
    pub(crate) const fn constant(self) -> Option<f64> {
        match self {
            Self::Free => None,
            Self::Constant(share) => Some(share),
        }
    }
}

/// How the color effect, gamma, is found: points added to the side that has
/// White.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColorEffect {
    /// Fitted to the record. Where that cannot be done it is frozen, and said
    /// to be.
    Free {
        /// What it is frozen at, in points.
        frozen: f64,
    },
    /// A constant of the protocol, in points.
    Constant(f64),
}

impl ColorEffect {
    /// The constant, or what it is frozen at.
    pub(crate) const fn constant(self) -> f64 {
        match self {
            Self::Free { frozen } => frozen,
            Self::Constant(points) => points,
        }
    }
}

/// What a protocol declares of the parameters beside the rating. They are
/// never pooled over systems: one system's games move no other's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The draw rate between equals.
    pub draws: DrawRate,
    /// The color effect.
    pub color: ColorEffect,
}

impl Terms {
    /// The draw rate free and no color effect.
    pub const FREE_DRAWS: Self = Self {
        draws: DrawRate::Free,
        color: ColorEffect::Constant(0.0),
    };

    /// The terms with these constants; what is absent is fitted, and a color
    /// effect that cannot be is frozen at 0.
    pub fn declared(draw_rate: Option<f64>, color_effect: Option<f64>) -> Self {
        Self {
            draws: draw_rate.map_or(DrawRate::Free, DrawRate::Constant),
            color: color_effect.map_or(ColorEffect::Free { frozen: 0.0 }, ColorEffect::Constant),
        }
    }

    /// Reports constants that the model does not allow.
    ///
    /// # Errors
    ///
    /// Which one, and what is allowed.
    pub fn check(&self) -> Result<(), TermsFault> {
        if let DrawRate::Constant(found) = self.draws
            && !(0.0..=DRAW_RATE_MAX).contains(&found)
        {
            return Err(TermsFault::DrawRate { found });
        }
        let found = self.color.constant();
        if found.is_nan() || COLOR_EFFECT_MAX < found.abs() {
            return Err(TermsFault::ColorEffect { found });
        }
        Ok(())
    }
}

/// How large a declared draw rate between equals may be. Up to here the log
/// likelihood of every result is concave over the rating, so that it has one
/// top; above it, results that contradict one another can have several. A draw
/// rate that is fitted follows the results and may lie anywhere.
pub const DRAW_RATE_MAX: f64 = 0.7;

/// How large a declared color effect may be, in points.
pub const COLOR_EFFECT_MAX: f64 = 1000.0;

/// A declared constant is none that the model allows.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TermsFault {
    /// The draw rate.
    #[error("a declared draw rate between equals is from 0 to {DRAW_RATE_MAX}, found {found}")]
    DrawRate {
        /// What was declared.
        found: f64,
    },
    /// The color effect.
    #[error("a color effect is within {COLOR_EFFECT_MAX} points of 0, found {found}")]
    ColorEffect {
        /// What was declared.
        found: f64,
    },
    /// It says that nobody draws, and somebody did.
    #[error(
        "the declared draw rate is 0 and the record has draws: declare another, or leave it free"
    )]
    NoDrawsDeclared,
}

/// Where a draw rate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawBasis {
    /// It is the constant of the protocol.
    Declared,
    /// It was fitted and lies between 0 and 1.
    Fitted,
    /// It was fitted and lies at 1, the end of its range: the record has draws
    /// and no upset.
    AtBoundary,
    /// It was to be fitted; the record has no draw, so it is 0.
    NoDraws,
}

impl DrawBasis {
    /// The words for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Fitted => "fitted",
            Self::AtBoundary => "fitted, at the end of its range",
            Self::NoDraws => "0, the record has no draws",
        }
    }
}

/// Where a color effect comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorBasis {
    /// It is the constant of the protocol.
    Declared,
    /// It was fitted.
    Fitted,
    /// It was to be fitted and is refused: the system never had one of the
    /// colors. It is frozen at what is declared for that.
    Missing,
    /// It was to be fitted and is refused: with one of the colors every game
    /// was won, or every game lost. It is frozen.
    Separated,
}

impl ColorBasis {
    /// The words for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Fitted => "fitted",
            Self::Missing => "frozen: a color is missing",
            Self::Separated => "frozen: separated, refused",
        }
    }

    /// Whether the effect can be fitted to the record, and if not why.
    pub(crate) fn of(record: &Record) -> Self {
        let seats = [Seat::White, Seat::Black].map(|seat| record.of_seat(seat));
        if seats.iter().any(|tally| tally.games() == 0) {
            Self::Missing
        } else if seats.iter().any(|tally| tally.is_saturated()) {
            Self::Separated
        } else {
            Self::Fitted
        }
    }
}
