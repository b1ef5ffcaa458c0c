//! The inconvenient record: what was decided, what went otherwise than promised,
//! what was taken out or set right, what was superseded, and what was looked for
//! and not found.

use std::collections::BTreeSet;

use crate::board::Table;
use crate::event::{CorrectionChange, EventId, Name};
use crate::finding::visible;
use crate::projection::{Cohort, Correction, Projection, Schedule, Source};
use crate::release::GenerateError;
use crate::release::indexes::page;

/// A row, and its place in the ledger.
struct Row {
    index: u64,
    sort: &'static str,
    id: String,
    at: String,
    what: String,
    reason: String,
    about: String,
    /// Whether it still counts; empty where that is no question.
    counts: String,
}

/// Returns the record of a cohort as CSV or Markdown, in the order of the ledger:
/// what is about it, and what is about no single cohort.
pub(crate) fn make(
    projection: &Projection,
    source: &Source,
    cohort: &str,
    format: &str,
) -> Result<Vec<u8>, GenerateError> {
    let cohort = crate::board::cohort(projection, cohort)?;
    let view = View::of(projection, &cohort);
    let mut rows = view.said();
    rows.extend(view.corrected());
    rows.extend(view.superseded());
    rows.extend(view.negative());
    rows.sort_by(|a, b| (a.index, a.sort, &a.id).cmp(&(b.index, b.sort, &b.id)));
    let is_markdown = format == "markdown";
    let shown = |text: String| if is_markdown { visible(&text) } else { text };
    let mut table = Table::new(vec![
        "index", "sort", "at", "what", "reason", "about", "counts", "event",
    ]);
    for row in rows {
        table.push(vec![
            row.index.to_string(),
            row.sort.to_owned(),
            row.at,
            shown(row.what),
            shown(row.reason),
            row.about,
            row.counts,
            row.id,
        ]);
    }
    Ok(if is_markdown {
        page(&format!("The record of {}", view.name), source, &table)
    } else {
        table.csv()
    })
}

/// A cohort, and what belongs to other ones.
struct View<'a> {
    projection: &'a Projection,
    schedule: &'a Schedule,
    name: &'a Name,
    /// The events that are about other cohorts.
    others: BTreeSet<EventId>,
    own: BTreeSet<EventId>,
}

impl<'a> View<'a> {
    fn of(projection: &'a Projection, cohort: &Cohort<'a>) -> Self {
        let mut view = Self {
            projection,
            schedule: cohort.schedule,
            name: &cohort.schedule.committed.cohort,
            others: BTreeSet::new(),
            own: BTreeSet::new(),
        };
        for schedule in projection.schedules.iter() {
            let games = schedule.games.iter().flatten().copied();
            let ids = games.chain([schedule.id]);
            let ids = ids.chain(schedule.committed.preregistration);
            if schedule.id == cohort.schedule.id {
                view.own.extend(ids);
            } else {
                view.others.extend(ids);
            }
        }
        view
    }

    /// Whether a list of events is about this cohort or about no single one.
    fn is_concerned(&self, events: &[EventId]) -> bool {
        let is_own = events.iter().any(|event| self.own.contains(event));
        let is_others = events.iter().any(|event| self.others.contains(event));
        is_own || !is_others
    }

    fn said(&self) -> Vec<Row> {
        let record = &self.projection.record;
        let decisions = record.decisions.iter();
        let decisions = decisions.filter(|one| self.is_concerned(&one.said.about));
        let decisions = decisions.map(|one| Row {
            index: one.index,
            sort: "decision",
            id: one.id.to_string(),
            at: one.at.to_string(),
            what: one.said.decision.clone(),
            reason: one.said.reason.clone(),
            about: ids(&one.said.about),
            counts: String::new(),
        });
        let deviations = record.deviations.iter().map(|one| {
            let mut about = vec![one.said.departs_from];
            about.extend(&one.said.affected);
            (one, about)
        });
        let deviations = deviations.filter(|(_, about)| self.is_concerned(about));
        let deviations = deviations.map(|(one, about)| Row {
            index: one.index,
            sort: "deviation",
            id: one.id.to_string(),
            at: one.at.to_string(),
            what: one.said.differed.clone(),
            reason: one.said.reason.clone(),
            about: ids(&about),
            counts: String::new(),
        });
        let late = self.projection.late_preregistrations(self.name);
        let late = late.into_iter().map(|(index, id)| Row {
            index,
            sort: "late_preregistration",
            id: id.to_string(),
            at: String::new(),
            what: format!("{}: preregistered after its first game", self.name),
            reason: String::new(),
            about: self.schedule.id.to_string(),
            counts: false.to_string(),
        });
        decisions.chain(deviations).chain(late).collect()
    }

    /// Corrections, and bills that say another total than was recorded.
    fn corrected(&self) -> Vec<Row> {
        let corrections = self.projection.corrections.iter().filter(|correction| {
            let mut about = correction.recorded.targets.clone();
            about.extend(self.projection.corrections.reach(&correction.id));
            // A result goes by the event that gave it.
            let reached = about.iter().copied().collect();
            let schedules = self.projection.schedules_of(&reached);
            about.extend(schedules);
            self.is_concerned(&about)
        });
        let corrections = corrections.map(|correction| Row {
            index: correction.index,
            sort: sort_of(correction),
            id: correction.id.to_string(),
            at: correction.at.to_string(),
            what: what_of(correction),
            reason: correction.recorded.reason.clone(),
            about: ids(&correction.recorded.targets),
            counts: correction.is_in_effect.to_string(),
        });
        let bills = self.projection.costs.bills().iter().map(|(id, bill)| {
            let corrected = &bill.corrected;
            Row {
                index: bill.index,
                sort: "billing_correction",
                id: id.to_string(),
                at: bill.day.to_string(),
                what: format!(
                    "{}: recorded {} USD, the bill says {} USD",
                    corrected.part.as_str(),
                    corrected.recorded_usd,
                    corrected.corrected_usd
                ),
                reason: corrected.note.clone(),
                about: corrected.system.iter().map(ToString::to_string).collect(),
                counts: bill.counting.is_some().to_string(),
            }
        });
        corrections.chain(bills).collect()
    }

    /// Manifests and releases that later ones supersede.
    fn superseded(&self) -> Vec<Row> {
        let frozen = self.projection.frozen.iter();
        let frozen: Vec<_> = frozen
            .filter(|one| one.frozen.schedule == self.schedule.id)
            .collect();
        let earlier = frozen.iter().rev().skip(1);
        let manifests = earlier.map(|one| Row {
            index: one.index,
            sort: "superseded_manifest",
            id: String::new(),
            at: String::new(),
            what: format!("{}: manifest {}", self.name, one.frozen.manifest),
            reason: String::new(),
            about: self.schedule.id.to_string(),
            counts: false.to_string(),
        });
        let releases = self.projection.published.iter().rev().skip(1);
        let releases = releases.map(|one| Row {
            index: one.index,
            sort: "superseded_release",
            id: one.id.to_string(),
            at: String::new(),
            what: format!("{}: bundle {}", one.published.release, one.published.bundle),
            reason: String::new(),
            about: String::new(),
            counts: false.to_string(),
        });
        manifests.chain(releases).collect()
    }

    /// Claims that say what was not found.
    fn negative(&self) -> Vec<Row> {
        let claims = self.projection.record.claims.iter();
        let claims = claims.filter(|claim| {
            let said = claim.said();
            said.is_negative == Some(true)
                && (said.cohorts.is_empty() || claim.is_on(self.name.as_str()))
        });
        claims
            .map(|claim| Row {
                index: claim.recorded.index,
                sort: "negative_result",
                id: claim.recorded.id.to_string(),
                at: claim.recorded.at.to_string(),
                what: claim.said().statement.clone(),
                reason: String::new(),
                about: self.schedule.id.to_string(),
                counts: self.projection.standing_of(claim).is_made().to_string(),
            })
            .collect()
    }
}

const fn sort_of(correction: &Correction) -> &'static str {
    match correction.recorded.change {
        CorrectionChange::Annotate => "annotation",
        CorrectionChange::Exclude => "exclusion",
        CorrectionChange::Supersede => "superseded_value",
        CorrectionChange::Reverse => "reversal",
    }
}

fn what_of(correction: &Correction) -> String {
    let values = correction.recorded.values.iter();
    let values: Vec<_> = values
        .map(|value| format!("{}={}", value.name, value.value))
        .collect();
    [
        &[correction.recorded.change.as_str().to_owned()],
        &values[..],
    ]
    .concat()
    .join(" ")
}

fn ids(ids: &[EventId]) -> String {
    let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
    ids.join(" ")
}
