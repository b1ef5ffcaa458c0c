//! What a submission says against itself, whatever the evidence says.

use std::collections::BTreeSet;

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::AssistanceKind;
use crate::finding::{Code, Finding};
use crate::submission::{
    AssistancePart, Covered, Marked, Primary, Reading, ResourcesPart, Submission, Units,
};

/// Returns what a submission says against itself.
pub fn contradictions(reading: &Reading, submission: &Submission) -> Vec<Marked> {
    let mut said = Said {
        reading,
        marked: Vec::new(),
    };
    said.system(submission);
    said.units(submission);
    said.primary(submission);
    said.resources(&submission.resources);
    said.artifacts(submission);
    said.marked
}

struct Said<'a> {
    reading: &'a Reading,
    marked: Vec<Marked>,
}

impl Said<'_> {
    fn say(
        &mut self,
        code: Code,
        pointer: &str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        let expected = format!("{pointer}: {}", expected.into());
        let marked = self
            .reading
            .mark(pointer, |place| Finding::new(code, place, expected, found));
        self.marked.push(marked);
    }

    fn contradicted(
        &mut self,
        pointer: &str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        self.say(Code::SubmissionContradicted, pointer, expected, found);
    }

    fn system(&mut self, submission: &Submission) {
        let window = submission.system.observation_window;
        if window.until < window.from {
            let expected = "a time that is not before the window begins";
            self.contradicted(
                "/system/observation_window/until",
                expected,
                window.until.to_string(),
            );
        }
        self.assistance(&submission.system.assistance);
        if let Some(baseline) = &submission.baseline
            && baseline.submission_id == submission.submission_id
        {
            let expected = "another submission";
            self.contradicted("/baseline/submission_id", expected, "this one");
        }
        if submission.code.dirty_diff_sha256.as_ref() == Some(&Digest::of(b"")) {
            let expected = "null where nothing differs from the commit";
            self.contradicted("/code/dirty_diff_sha256", expected, "the digest of nothing");
        }
    }

    fn assistance(&mut self, assistance: &AssistancePart) {
        let has_candidates = assistance.kind == AssistanceKind::CandidateOracle;
        let AssistancePart {
            candidate_count,
            ranks_visible,
            scores_visible,
            ..
        } = assistance;
        for (key, is_said) in [
            ("candidate_count", candidate_count.0.is_some()),
            ("ranks_visible", ranks_visible.0.is_some()),
            ("scores_visible", scores_visible.0.is_some()),
        ] {
            if is_said != has_candidates {
                let (expected, found) = if has_candidates {
                    ("a value beside the kind `candidate_oracle`", "null")
                } else {
                    ("null beside a kind without candidates", "a value")
                };
                let pointer = format!("/system/assistance/{key}");
                self.contradicted(&pointer, expected, found);
            }
        }
    }

    fn units(&mut self, submission: &Submission) {
        let units = submission.results.units;
        let at_most = |count: Count, most: Count| most < count;
        let Units {
            finished,
            registered,
            ..
        } = units;
        for (key, count, most, of) in [
            ("finished", finished, registered, "registered"),
            ("excluded", units.excluded, finished, "finished"),
            ("censored", units.censored, finished, "finished"),
            ("forfeits", units.forfeits, finished, "finished"),
        ] {
            if at_most(count, most) {
                let pointer = format!("/results/units/{key}");
                self.contradicted(
                    &pointer,
                    format!("at most the {most} of `{of}`"),
                    count.to_string(),
                );
            }
        }
        let coverage = submission.results.coverage;
        let covered = coverage.white.get().saturating_add(coverage.black.get());
        if let Some(games) = submission.results.games {
            let played = [games.wins, games.draws, games.losses].map(Count::get);
            let played = played.into_iter().fold(0, u64::saturating_add);
            if finished.get() < played {
                let expected = format!("at most {finished} results, as many as are finished");
                self.contradicted("/results/games", expected, played.to_string());
            }
            if covered != played {
                let expected = format!("a color for each of the {played} results");
                self.contradicted("/results/coverage", expected, covered.to_string());
            }
        }
        if let Some(positions) = submission.results.positions
            && positions.answered < positions.legal
        {
            let expected = format!("at most the {} answers", positions.answered);
            let found = positions.legal.to_string();
            self.contradicted("/results/positions/legal", expected, found);
        }
    }

    fn primary(&mut self, submission: &Submission) {
        let Primary {
            estimate,
            high,
            low,
            ..
        } = &submission.results.primary;
        let games = submission.results.games;
        let is_saturated = games.is_some_and(|games| {
            let [wins, draws, losses] = [games.wins, games.draws, games.losses].map(Count::get);
            draws == 0 && (wins == 0) != (losses == 0)
        });
        if is_saturated && estimate.0.is_some() {
            let expected = "null: a record in which everything was won, or everything lost, bounds a rating on one side";
            let found = "a number";
            self.say(
                Code::SubmissionBound,
                "/results/primary/estimate",
                expected,
                found,
            );
        }
        if is_saturated && low.0.is_some() && high.0.is_some() {
            let expected = "one end of the interval open, where everything was won or lost";
            self.say(
                Code::SubmissionBound,
                "/results/primary",
                expected,
                "both ends closed",
            );
        }
        let ends = [low.0, estimate.0, high.0];
        let ends: Vec<_> = ends.into_iter().flatten().collect();
        if !ends.is_sorted() {
            let expected = "an estimate between `low` and `high`";
            self.contradicted("/results/primary", expected, "another order");
        }
    }

    fn resources(&mut self, resources: &ResourcesPart) {
        let calls = resources.calls;
        let ended = calls.answered.get().saturating_add(calls.failed.get());
        if calls.sent.get() < ended {
            let expected = format!("at most the {} calls that were sent", calls.sent);
            self.contradicted("/resources/calls", expected, format!("{ended} that ended"));
        }
        for (key, covered) in [
            ("completion_tokens", resources.completion_tokens),
            ("engine_nodes", resources.engine_nodes),
            ("prompt_tokens", resources.prompt_tokens),
            ("time_ms", resources.time_ms),
        ] {
            self.covered(&format!("/resources/{key}"), covered);
        }
        let mut bases = BTreeSet::new();
        for (at, cost) in resources.costs.iter().enumerate() {
            if !bases.insert(cost.basis) {
                let expected = "one entry a basis: what two sources say is never added up";
                let found = format!("`{}` again", cost.basis.as_str());
                self.say(
                    Code::SubmissionCost,
                    &format!("/resources/costs/{at}/basis"),
                    expected,
                    found,
                );
            }
            if cost.of < cost.covered {
                let expected = format!("at most the {} calls that could have a cost", cost.of);
                let pointer = format!("/resources/costs/{at}/covered");
                self.say(
                    Code::SubmissionCost,
                    &pointer,
                    expected,
                    cost.covered.to_string(),
                );
            }
        }
    }

    fn covered(&mut self, pointer: &str, covered: Covered) {
        if covered.of < covered.covered {
            let expected = format!("at most the {} calls that could say it", covered.of);
            let found = covered.covered.to_string();
            self.contradicted(&format!("{pointer}/covered"), expected, found);
        }
        if covered.sum.0.is_some() != (covered.covered != Count::ZERO) {
            let (expected, found) = match covered.sum.0 {
                Some(_) => (
                    "null, where no call says it: absent is not zero",
                    "a number",
                ),
                None => ("the sum over the calls that say it", "null"),
            };
            self.contradicted(&format!("{pointer}/sum"), expected, found);
        }
    }

    fn artifacts(&mut self, submission: &Submission) {
        let mut paths = BTreeSet::new();
        for (at, artifact) in submission.artifacts.iter().enumerate() {
            if !paths.insert(artifact.path.as_str()) {
                let pointer = format!("/artifacts/{at}/path");
                self.contradicted(
                    &pointer,
                    "each file once",
                    "a path that stands above already",
                );
            }
        }
    }
}
