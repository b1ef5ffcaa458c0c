use crate::event::Name;
use crate::projection::{Projection, Schedule};

/// Of what a release usually has the artifacts of a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usual {
    /// Of each of its cohorts.
    Cohort,
    /// Of cohorts that have a rating: of a pool, or against anchors.
    Rated,
    /// Of cohorts whose systems play one another and are rated.
    Placement,
    /// Of cohorts whose systems play anchors and are rated.
    Anchored,
    /// Of the eras that its cohorts are the first batch of.
    Era,
    /// Of the whole prefix.
    Prefix,
    /// Of nothing: it is declared by hand.
    Nothing,
}

impl Usual {
    /// What to ask the generator for where a release has this cohort: the name
    /// and the value of its first argument. Nothing where it has nothing of it.
    pub(crate) fn of<'a>(
        self,
        cohort: &'a Name,
        projection: &'a Projection,
    ) -> Option<(&'static str, &'a str)> {
        let schedule = projection.schedules.cohort(cohort.as_str())?;
        let is_anchored = schedule.committed.rule.has_anchors();
        let is_rated = is_rated(projection, schedule);
        let fits = match self {
            Self::Cohort => true,
            Self::Rated => is_rated,
            Self::Placement => is_rated && !is_anchored,
            Self::Anchored => is_rated && is_anchored,
            Self::Era => {
                let era = projection.eras.placed_by(&schedule.id)?;
                return Some(("era", era.started.name.as_str()));
            }
            Self::Prefix | Self::Nothing => false,
        };
        fits.then(|| ("cohort", cohort.as_str()))
    }
}

fn is_rated(projection: &Projection, schedule: &Schedule) -> bool {
    let protocol = projection.systems.protocol(&schedule.committed.protocol);
    protocol.is_some_and(|protocol| {
        if schedule.committed.rule.has_anchors() {
            protocol.published.anchored.is_some()
        } else {
            protocol.published.glicko2.is_some()
        }
    })
}
