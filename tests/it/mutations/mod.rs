//! What people do to a release that holds, by mistake or on purpose, and the
//! code that says so. A rule more is a line more.
//!
//! Each mutation begins with a copy of the smallest published project, which
//! passes. Afterwards it is audited in publication mode.

mod completeness;
mod compositions;
mod hashes;
mod hostile;
pub(crate) mod meaning;
mod paths;
mod provenance;
mod secrets;
pub(crate) mod verdict;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use scoresheet::finding::{Code, Severity};
use serde_json::Value;

use crate::bundle::Bundle;

/// The last number of the catalogue that has its lines here.
const LAST: usize = 95;
const PUBLICATION: &str = "release/audits/publication.json";

/// One line of the catalogue.
#[derive(Clone, Copy)]
pub(crate) struct Mutation {
    /// Its number in the catalogue, such as `M05`; one number may have several lines.
    pub(crate) id: &'static str,
    /// What it does.
    pub(crate) what: &'static str,
    pub(crate) mutate: fn(&Bundle),
    pub(crate) expects: Expects,
}

/// What an audit in publication mode says afterwards.
#[derive(Clone, Copy)]
pub(crate) enum Expects {
    /// This blocker, in a manifest that refuses.
    Blocker(Code),
    /// Nothing: it is no fault.
    Passes,
    /// That it cannot look. No manifest on the disk says that it passed.
    Stops,
    /// There is nothing that could be changed so, for this reason.
    NotApplicable(&'static str),
}

/// A mutation that an audit refuses with this code.
pub(crate) const fn blocks(
    id: &'static str,
    what: &'static str,
    code: Code,
    mutate: fn(&Bundle),
) -> Mutation {
    let expects = Expects::Blocker(code);
    Mutation {
        id,
        what,
        mutate,
        expects,
    }
}

/// A mutation that is no fault.
pub(crate) const fn passes(id: &'static str, what: &'static str, mutate: fn(&Bundle)) -> Mutation {
    let expects = Expects::Passes;
    Mutation {
        id,
        what,
        mutate,
        expects,
    }
}

/// A mutation after which nothing can be looked at.
pub(crate) const fn stops(id: &'static str, what: &'static str, mutate: fn(&Bundle)) -> Mutation {
    let expects = Expects::Stops;
    Mutation {
        id,
        what,
        mutate,
        expects,
    }
}

/// A mutation for which there is no place here.
pub(crate) const fn not_applicable(
    id: &'static str,
    what: &'static str,
    why: &'static str,
) -> Mutation {
    let expects = Expects::NotApplicable(why);
    Mutation {
        id,
        what,
        mutate: |_| {},
        expects,
    }
}

/// The whole catalogue, in the order of its numbers.
pub(crate) fn all() -> Vec<Mutation> {
    [
        paths::mutations(),
        completeness::mutations(),
        hashes::mutations(),
        provenance::mutations(),
        secrets::mutations(),
        hostile::mutations(),
        verdict::mutations(),
        meaning::mutations(),
    ]
    .concat()
}

impl Mutation {
    /// What is wrong with the audit of a copy that was changed so, where something is.
    fn complaint(&self) -> Option<String> {
        if matches!(self.expects, Expects::NotApplicable(_)) {
            return None;
        }
        let bundle = Bundle::new();
        let mutate = AssertUnwindSafe(|| (self.mutate)(&bundle));
        if catch_unwind(mutate).is_err() {
            return Some(format!("{} {}: cannot be done", self.id, self.what));
        }
        let outcome = bundle.run(&["audit", "--format", "json"]);
        let manifest = fs::read(bundle.at(PUBLICATION)).unwrap_or_default();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap_or_default();
        let verdict = manifest["verdict"].as_str().unwrap_or("none");
        let codes = blockers(&manifest);
        let is_right = match self.expects {
            Expects::Blocker(code) => {
                (outcome.code, verdict) == (1, "refused") && codes.contains(code.as_str())
            }
            Expects::Passes => (outcome.code, verdict) == (0, "passed") && codes.is_empty(),
            Expects::Stops => outcome.code == 2 && verdict != "passed",
            Expects::NotApplicable(_) => true,
        };
        let found = || format!("exit {}, {verdict}, {codes:?}", outcome.code);
        (!is_right).then(|| format!("{} {}: {}", self.id, self.what, found()))
    }
}

/// The codes of the blockers in a manifest.
fn blockers(manifest: &Value) -> BTreeSet<String> {
    let findings = manifest["findings"].as_array().into_iter().flatten();
    let blockers = findings.filter(|it| it["severity"] == Severity::Blocker.as_str());
    let codes = blockers.filter_map(|it| it["code"].as_str());
    codes.map(str::to_owned).collect()
}

#[test]
fn every_mutation_is_refused_with_its_code() {
    assert_eq!(Bundle::new().run(&["audit"]).code, 0);
    let mutations = all();
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(mutation) = mutations.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // What cannot be made keeps no other from being looked at.
                    let complaint = catch_unwind(|| mutation.complaint());
                    let complaint = complaint.unwrap_or_else(|_| {
                        Some(format!("{} {}: not made", mutation.id, mutation.what))
                    });
                    complaints.lock().unwrap().extend(complaint);
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_number_of_the_catalogue_has_a_line() {
    let numbers: BTreeSet<_> = all().iter().map(|mutation| mutation.id).collect();
    let wanted: Vec<_> = (1..=LAST).map(|number| format!("M{number:02}")).collect();
    let missing: Vec<_> = wanted
        .iter()
        .filter(|id| !numbers.contains(id.as_str()))
        .collect();
    assert!(missing.is_empty(), "without a line: {missing:?}");
    assert_eq!(numbers.len(), wanted.len(), "{numbers:?}");
}

#[test]
fn the_catalogue_says_what_it_said() {
    let mut text = String::new();
    for mutation in all() {
        let (id, what) = (mutation.id, mutation.what);
        match mutation.expects {
            Expects::Blocker(code) => writeln!(text, "{id} {what}\n    {code}"),
            Expects::Passes => writeln!(text, "{id} {what}\n    passes"),
            Expects::Stops => writeln!(text, "{id} {what}\n    cannot be looked at"),
            Expects::NotApplicable(why) => writeln!(text, "{id} {what}\n    not applicable: {why}"),
        }
        .unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutations.txt");
    if crate::tool::environment("SCORESHEET_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == text,
        "tests/mutations.txt says other than the catalogue; SCORESHEET_BLESS=1 rewrites it"
    );
}
