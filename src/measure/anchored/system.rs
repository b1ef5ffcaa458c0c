use crate::measure::anchored::bootstrap::{Bootstrap, Model};
use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::joint::Joint;
use crate::measure::anchored::level::Fit;
use crate::measure::anchored::performance::Performance;
use crate::measure::anchored::printed::Printed;
use crate::measure::anchored::record::{MiniMatch, Record, Tally};
use crate::measure::anchored::terms::Terms;

/// Everything that is said of one system: from its own games alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemFit {
    /// Its games.
    pub total: Tally,
    /// The fit of the score, with the color effect that is declared.
    pub performance: Fit<Performance>,
    /// Its error when games of a mini-match go together, in points (CR1).
    pub cluster_error: Option<f64>,
    /// The fit of wins, draws and losses.
    pub joint: Fit<Joint>,
    /// The joint fit resampled; nothing where there is a bound only.
    pub bootstrap: Option<Bootstrap>,
    /// The interval to print; nothing where there is a bound only.
    pub printed: Option<Printed>,
}

impl SystemFit {
    /// Fits a system to its mini-matches.
    ///
    /// # Errors
    ///
    /// There is no game, an anchor has no usable rating, a constant is out of
    /// its range, or a search did not end.
    pub fn of(
        matches: &[MiniMatch],
        terms: &Terms,
        replicates: u32,
        seed: u64,
    ) -> Result<Self, NoFit> {
        let record = Record::of_matches(matches)?;
        let color = terms.color.constant();
        let performance = Performance::of(&record, color)?;
        let joint = Joint::of(&record, terms)?;
        let cluster_error = performance
            .finite()
            .and_then(|fit| fit.cluster_error(matches, color));
        let bootstrap = match joint {
            Fit::Finite(_) => {
                let model = Model::Joint(*terms);
                Some(Bootstrap::of(matches, &model, replicates, seed)?)
            }
            Fit::Bounded(_) => None,
        };
        let printed = joint
            .finite()
            .zip(bootstrap.as_ref())
            .map(|(joint, bootstrap)| Printed::of(bootstrap, joint.profile));
        Ok(Self {
            total: record.total(),
            performance,
            cluster_error,
            joint,
            bootstrap,
            printed,
        })
    }
}
