//! What a correction would move, found by comparing the world before with the
//! world after.

use std::collections::{BTreeMap, BTreeSet};

use crate::canonical::{Time, Total};
use crate::event::{EventId, ExpenseCategory};
use crate::measure::decimal;
use crate::projection::{Cohort, CostGroup, Placement, Projection, Schedule, Tally};

/// What would move, in lines for people: the world as it stands before and after.
/// The windows of ladders are those of this time.
pub(crate) fn consequences(before: &Projection, after: &Projection, at: Time) -> Vec<String> {
    [
        eras(before, after),
        windows(before, after, at),
        cohorts(before, after),
        people(before, after),
        money(before, after),
        bills(before, after),
        findings(before, after),
        frozen(before, after),
    ]
    .concat()
}

/// A figure, with a word for those that are not there.
fn figure(value: Option<f64>) -> String {
    let text = value.and_then(|value| decimal(value, 2).ok());
    text.unwrap_or_else(|| "none".to_owned())
}

fn place(rank: Option<u64>) -> String {
    rank.map_or_else(|| "unranked".to_owned(), |rank| rank.to_string())
}

/// A rating and a rank, before and after; nothing where neither moves.
type Standing = (Option<f64>, Option<u64>);

fn moved(name: &str, before: Standing, after: Standing) -> Option<String> {
    let is_same = before.0.map(f64::to_bits) == after.0.map(f64::to_bits) && before.1 == after.1;
    (!is_same).then(|| {
        format!(
            "{name}: rating {} -> {}, rank {} -> {}",
            figure(before.0),
            figure(after.0),
            place(before.1),
            place(after.1)
        )
    })
}

fn eras(before: &Projection, after: &Projection) -> Vec<String> {
    let mut lines = Vec::new();
    for era in after.eras.iter() {
        let standings = |projection: &Projection| -> BTreeMap<EventId, Standing> {
            let Some(era) = projection.eras.era(&era.id) else {
                return BTreeMap::new();
            };
            let ranks = projection.standings(era).into_iter();
            let ranks: BTreeMap<_, _> = ranks.map(|one| (one.identity, one.rank)).collect();
            let members = era.ladder.members();
            members
                .map(|(id, member)| {
                    let rank = ranks.get(id).copied();
                    (*id, (Some(member.rating.rating), rank))
                })
                .collect()
        };
        let (old, new) = (standings(before), standings(after));
        let identities: BTreeSet<_> = old.keys().chain(new.keys()).collect();
        lines.extend(identities.into_iter().filter_map(|id| {
            let name = format!("era {}, {}", era.started.name, after.name_of(id));
            let standing = |of: &BTreeMap<_, Standing>| of.get(id).copied().unwrap_or_default();
            moved(&name, standing(&old), standing(&new))
        }));
    }
    lines.sort();
    lines
}

/// What ladders count: rated games, and the games of the window by which they
/// choose.
fn windows(before: &Projection, after: &Projection, at: Time) -> Vec<String> {
    let mut lines = Vec::new();
    for era in after.eras.iter() {
        let Some(old) = before.eras.era(&era.id) else {
            continue;
        };
        let name = &era.started.name;
        let (was, is) = (old.ladder.rated().len(), era.ladder.rated().len());
        if was != is {
            lines.push(format!(
                "era {name}: rated games after the first batch {was} -> {is}"
            ));
        }
        let hours = era.rule.window_hours;
        let mut counts: Vec<_> = era
            .ladder
            .members()
            .filter_map(|(identity, _)| {
                let (was, is) = (old.recent(identity, at), era.recent(identity, at));
                (was != is).then(|| {
                    format!(
                        "era {name}, {}: games of the last {hours} hours {} -> {}, with White {} -> {}",
                        after.name_of(identity),
                        was.0,
                        is.0,
                        was.1,
                        is.1
                    )
                })
            })
            .collect();
        counts.sort();
        lines.extend(counts);
    }
    lines
}

/// Bills that were held against a recorded total that is another one now: what
/// is corrected under a bill counts beside its difference.
fn bills(before: &Projection, after: &Projection) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, bill) in before.costs.bills() {
        let is_same = after.costs.bills().get(id) == Some(bill);
        let (Some(difference), true) = (bill.difference(), is_same) else {
            continue;
        };
        let mut billed = before.billed(&bill.corrected);
        // A bill without an end covers what was there before it.
        billed.until = billed.until.or(Some(bill.day));
        let (was, is) = (
            before.costs.recorded(&billed),
            after.costs.recorded(&billed),
        );
        if was != is {
            lines.push(format!(
                "bill {} of {}, {}: its difference of {difference} USD stands beside this, {was} USD -> {is} USD with it; where the bill covers what is corrected, correct it too: scoresheet correct {} --set corrected_usd=USD",
                id.digest().short(),
                bill.day,
                bill.corrected.part.as_str(),
                id.digest().short()
            ));
        }
    }
    lines
}

/// The placement ratings of a cohort, where its protocol rates, by system.
fn placement(projection: &Projection, schedule: &EventId) -> BTreeMap<EventId, Standing> {
    let placement = projection
        .schedules
        .schedule(schedule)
        .and_then(|schedule| {
            let protocol = projection.systems.protocol(&schedule.committed.protocol)?;
            let cohort = Cohort::of(schedule, &projection.games);
            Placement::of(&cohort, protocol.published.glicko2.as_ref()?).ok()
        });
    let standings = placement
        .into_iter()
        .flat_map(|placement| placement.standings);
    standings
        .map(|one| (one.system, (Some(one.rating.rating), one.rank)))
        .collect()
}

fn cohorts(before: &Projection, after: &Projection) -> Vec<String> {
    let mut lines = Vec::new();
    for schedule in after.schedules.iter() {
        let name = &schedule.committed.cohort;
        let (old, new) = (
            placement(before, &schedule.id),
            placement(after, &schedule.id),
        );
        let systems: BTreeSet<_> = old.keys().chain(new.keys()).collect();
        lines.extend(systems.into_iter().filter_map(|id| {
            let name = format!("cohort {name}, {}", after.name_of(id));
            let standing = |of: &BTreeMap<_, Standing>| of.get(id).copied().unwrap_or_default();
            moved(&name, standing(&old), standing(&new))
        }));
        let counts = |projection: &Projection, schedule: &Schedule| {
            let cohort = Cohort::of(schedule, &projection.games);
            (cohort.counting().count(), cohort.counts().excluded)
        };
        let old = before.schedules.schedule(&schedule.id);
        let (old, new) = (old.map(|old| counts(before, old)), counts(after, schedule));
        if let Some(old) = old.filter(|old| *old != new) {
            lines.push(format!(
                "cohort {name}: games that count {} -> {}, excluded by correction {} -> {}",
                old.0, new.0, old.1, new.1
            ));
        }
    }
    lines.sort();
    lines
}

fn people(before: &Projection, after: &Projection) -> Vec<String> {
    let moved = after.people.iter().filter_map(|person| {
        let old = before.people.person(&person.id)?;
        (old.elo.to_bits() != person.elo.to_bits() || old.games.len() != person.games.len()).then(
            || {
                format!(
                    "person {}: Elo {} -> {}, rated games {} -> {}",
                    person.id,
                    figure(Some(old.elo)),
                    figure(Some(person.elo)),
                    old.games.len(),
                    person.games.len()
                )
            },
        )
    });
    moved.collect()
}

/// A sum of money with what it covers.
fn dollars(tally: &Tally<Total>) -> String {
    let sum = tally.known();
    let sum = sum.map_or_else(|| "unknown".to_owned(), |sum| format!("{sum} USD"));
    format!("{sum} ({} of {} calls)", tally.reported, tally.base)
}

fn money(before: &Projection, after: &Projection) -> Vec<String> {
    let mut lines = Vec::new();
    for category in ExpenseCategory::ALL {
        let sum = |of: &Projection| -> Total {
            let expenses = of.costs.expenses().values();
            let counting = expenses.filter_map(|expense| expense.counting);
            let of_this = counting.filter(|(of, _)| *of == category);
            of_this.map(|(_, amount)| Total::from(amount)).sum()
        };
        let (old, new) = (sum(before), sum(after));
        if old != new {
            let name = category.as_str();
            lines.push(format!("expenses, {name}: {old} USD -> {new} USD"));
        }
    }
    for group in CostGroup::ALL {
        let sum = |of: &Projection| {
            let figures = of.costs.figures();
            let of_group = figures.iter().filter(|(slot, _)| slot.group == group);
            let known = of_group.filter_map(|(_, figures)| figures.known_usd());
            known.reduce(|sum, part| sum + part)
        };
        let (old, new) = (sum(before), sum(after));
        if old != new {
            let words = |sum: Option<Total>| {
                sum.map_or_else(|| "unknown".to_owned(), |usd| format!("{usd} USD"))
            };
            let name = group.as_str();
            lines.push(format!("costs, {name}: {} -> {}", words(old), words(new)));
        }
    }
    for system in after.systems.systems() {
        let Some(old) = before.systems.system(&system.id) else {
            continue;
        };
        let (old, new) = (&old.resources, &system.resources);
        let name = &system.registered.name;
        if old.cost_usd != new.cost_usd {
            let (old, new) = (dollars(&old.cost_usd), dollars(&new.cost_usd));
            lines.push(format!("cost of {name}: {old} -> {new}"));
        }
        let tokens = [
            ("prompt", &old.prompt_tokens, &new.prompt_tokens),
            ("completion", &old.completion_tokens, &new.completion_tokens),
        ];
        lines.extend(tokens.into_iter().filter(|(_, old, new)| old != new).map(
            |(word, old, new)| format!("{word} tokens of {name}: {} -> {}", old.sum, new.sum),
        ));
    }
    lines
}

fn findings(before: &Projection, after: &Projection) -> Vec<String> {
    let (old, new) = (before.answered.len(), after.answered.len());
    let mut lines = Vec::new();
    if old != new {
        lines.push(format!("findings answered by corrections: {old} -> {new}"));
    }
    let (old, new) = (before.findings.len(), after.findings.len());
    if old != new {
        lines.push(format!("findings that stand: {old} -> {new}"));
    }
    lines
}

/// Frozen cohorts that are touched, and the releases that were computed from a
/// prefix in which they are frozen. Neither ever changes.
fn frozen(before: &Projection, after: &Projection) -> Vec<String> {
    let mut lines = Vec::new();
    for schedule in before.schedules.iter() {
        let Some(freeze) = before.standing_freeze(&schedule.id) else {
            continue;
        };
        if after.standing_freeze(&schedule.id).is_some() {
            continue;
        }
        let cohort = &freeze.frozen.cohort;
        lines.push(format!(
            "frozen cohort {cohort} is superseded and not changed: manifest {}; scoresheet freeze {cohort} makes a new one",
            freeze.frozen.manifest
        ));
        let releases = before.published.iter().map(|one| &one.published);
        let resting = releases.filter(|release| freeze.index < release.checkpoint.size.get());
        lines.extend(resting.map(|release| {
            format!(
                "release {} was computed from {} events, with {cohort} frozen among them: it stands as it was published, and a new release supersedes it",
                release.release, release.checkpoint.size
            )
        }));
    }
    lines
}
