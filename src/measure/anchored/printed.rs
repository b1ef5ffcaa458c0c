use crate::measure::Interval;
use crate::measure::anchored::bootstrap::Bootstrap;
use crate::measure::anchored::level::{End, Reach};
use crate::measure::distribution::{normal_below, student_975};

/// The interval that is printed beside a rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Printed {
    /// From the cluster bootstrap, with expanded percentiles.
    Bootstrap(Reach),
    /// The profile interval, because resampling says nothing: all replicates
    /// are one, or there are too few mini-matches for its tails.
    Profile(Interval),
}

impl Printed {
    /// The 95 % interval of a rating: that of the cluster bootstrap with
    /// expanded percentiles, or where it says nothing the profile interval.
    ///
    /// A plain percentile interval is too narrow by sqrt((n - 1)/n) in each
    /// stratum of n and takes normal quantiles where t has longer tails. So the
    /// shares are not 2.5 % and 97.5 % but those below and above
    /// t(G - H) sqrt(G/(G - H)) standard deviations of a normal distribution,
    /// over G mini-matches in H strata (Hesterberg, The American Statistician
    /// 69, 2015, section 4.2.1, for one stratum).
    pub fn of(bootstrap: &Bootstrap, profile: Interval) -> Self {
        let plain = Self::Profile(profile);
        let Some(share) = bootstrap.tail() else {
            return plain;
        };
        let ends = (
            bootstrap.percentile(share),
            bootstrap.percentile(1.0 - share),
        );
        match ends {
            (Some(low), Some(high)) if low < high => Self::Bootstrap(Reach { low, high }),
            _ => plain,
        }
    }

    /// Its ends.
    pub const fn reach(self) -> Reach {
        match self {
            Self::Bootstrap(reach) => reach,
            Self::Profile(Interval { low, high }) => Reach {
                low: End::At(low),
                high: End::At(high),
            },
        }
    }
}

impl Bootstrap {
    /// The share of replicates left out on each side of the printed interval,
    /// or nothing where less than one replicate would be.
    pub fn tail(&self) -> Option<f64> {
        let (matches, strata) = self.drawn_from();
        let count = |n: usize| u32::try_from(n).map(f64::from).ok();
        let (matches, strata) = (count(matches)?, count(strata)?);
        let freedom = matches - strata;
        if freedom < 2.0 {
            return None;
        }
        let reach = student_975(freedom) * libm::sqrt(matches / freedom);
        let share = normal_below(-reach);
        (1.0 <= share * f64::from(self.count())).then_some(share)
    }
}
