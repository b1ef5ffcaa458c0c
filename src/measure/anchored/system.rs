use crate::measure::anchored::bootstrap::{Bootstrap, Model};
use crate::measure::anchored::fault::NoFit;
use crate::measure::anchored::joint::Joint;
use crate::measure::anchored::level::{Fit, Level};
use crate::measure::anchored::performance::Performance;
use crate::measure::anchored::printed::Printed;
use crate::measure::anchored::record::{MiniMatch, Record, Tally};
use crate::measure::anchored::terms::Terms;

/// A smaller cluster error, in points, is what rounding leaves of none at all.
const VARIED: f64 = 1e-6;

/// Everything that is said of one system: from its own games alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemFit {
    /// Its games.
    pub total: Tally,
    /// The fit of the score, with the color effect that is declared.
    pub performance: Fit<Performance>,
    /// Its error when games of a mini-match go together, in points (CR1). Absent:
    /// there are fewer than two clusters, or they do not vary and say nothing.
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
        let mut fit = Self::unsampled(&record, terms)?;
        let color = terms.color.constant();
        let score = fit.performance.finite();
        let error = score.and_then(|score| score.cluster_error(matches, color));
        fit.cluster_error = error.filter(|error| VARIED < *error);
        let model = Model::Joint(*terms);
        fit.sampled(|| Bootstrap::of(matches, &model, replicates, seed))
    }

    /// Fits a system to clusters of games that are resampled as a whole: those
    /// from one start, against every anchor.
    ///
    /// # Errors
    ///
    /// Those of [`SystemFit::of`].
    pub fn of_clusters(
        clusters: &[Vec<MiniMatch>],
        terms: &Terms,
        replicates: u32,
        seed: u64,
    ) -> Result<Self, NoFit> {
        let scores = clusters.iter().flatten().flat_map(MiniMatch::scores);
        let record = Record::of(scores)?;
        let mut fit = Self::unsampled(&record, terms)?;
        let color = terms.color.constant();
        let score = fit.performance.finite();
        let error = score.and_then(|score| {
            let clusters = clusters.iter().map(Vec::as_slice);
            score.error_of_clusters(clusters, color)
        });
        fit.cluster_error = error.filter(|error| VARIED < *error);
        let model = Model::Joint(*terms);
        fit.sampled(|| Bootstrap::of_clusters(clusters, &model, replicates, seed))
    }

    fn unsampled(record: &Record, terms: &Terms) -> Result<Self, NoFit> {
        Ok(Self {
            total: record.total(),
            performance: Performance::of(record, terms.color.constant())?,
            cluster_error: None,
            joint: Joint::of(record, terms)?,
            bootstrap: None,
            printed: None,
        })
    }

    fn sampled(
        mut self,
        bootstrap: impl FnOnce() -> Result<Bootstrap, NoFit>,
    ) -> Result<Self, NoFit> {
        if let Fit::Finite(joint) = &self.joint {
            let bootstrap = bootstrap()?;
            self.printed = Some(Printed::of(&bootstrap, joint.profile));
            // Clusters that are all alike leave no error to speak of.
            self.cluster_error = self.cluster_error.filter(|_| bootstrap.varies());
            self.bootstrap = Some(bootstrap);
        }
        Ok(self)
    }

    /// The rating, or its bound.
    pub fn level(&self) -> Level {
        match &self.joint {
            Fit::Finite(joint) => Level::Estimate(joint.rating),
            Fit::Bounded(bound) => Level::from(*bound),
        }
    }
}
