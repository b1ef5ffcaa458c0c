use serde::Serialize;
use serde_json::{Value, json};

use crate::board::{AnchoredBoard, anchored_figures};
use crate::canonical::Count;
use crate::event::{AssistanceKind, EventId, ModelIdentity, Name};
use crate::projection::{Projection, Resources, Source, Tally};
use crate::submission::reading::QUESTION;
use crate::submission::subject::Subject;
use crate::submission::{
    AllocationRule, AssistancePart, Bearing, CallCounts, CostBasis, Covered, EnginePart,
    EngineRole, Exposed, LegalActions, Observed, OptionPart, Text,
};

/// What the raw events give of a submission: the document, with a question in each
/// place of which they say nothing.
///
/// `new` hands it to the submitter, and `check` compares it with what came back, so
/// that the two cannot differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// The document. What is about files and code is not in it.
    pub document: Value,
    /// What the evidence can bear.
    pub bearing: Bearing,
    /// The endpoints that were promised.
    pub endpoints: Vec<String>,
}

/// The events do not give a submission.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Underived {
    /// There is no such cohort.
    #[error("no cohort is called {0}")]
    NoCohort(Name),
    /// The system has no cell in it.
    #[error("the system {0} has no cell in the cohort")]
    NoSystem(EventId),
    /// The cohort is not measured against anchors.
    #[error("the board of the cohort cannot be made: {0}")]
    NoBoard(String),
    /// No call of the system is recorded.
    #[error("no call of the system is recorded in the cohort")]
    NoCalls,
}

/// A question in the place of a value.
pub(crate) fn question(text: &str) -> Value {
    format!("{QUESTION}{text}").into()
}

impl Derived {
    /// Returns what a prefix of a ledger gives of a system in a cohort. `cosigned` are
    /// the sizes of checkpoints that witnesses co-signed.
    ///
    /// # Errors
    ///
    /// When there is no such cohort or system in it, it has no anchors, or no call.
    pub fn of(
        projection: &Projection,
        source: &Source,
        observed: &Observed,
        (name, id): (&Name, &EventId),
        cosigned: &[u64],
    ) -> Result<Self, Underived> {
        let cohort = projection.cohort(name.as_str());
        let cohort = cohort.ok_or_else(|| Underived::NoCohort(name.clone()))?;
        let mut records = cohort.against_anchors().into_iter();
        let record = records.find(|record| record.system == *id);
        let system = projection.systems.system(id);
        let protocol = projection
            .systems
            .protocol(&cohort.schedule.committed.protocol);
        let (Some(record), Some(system), Some(protocol)) = (record, system, protocol) else {
            return Err(Underived::NoSystem(*id));
        };
        let subject = Subject {
            projection,
            cohort: &cohort,
            record: &record,
            system,
            protocol: &protocol.published,
        };
        let engines = subject.engines();
        let bearing = Bearing::of(&subject, &engines, cosigned);
        let promise = cohort.schedule.preregistration.as_ref();
        let endpoints = promise.map_or_else(Vec::new, |promise| promise.primary_endpoints.clone());
        let document = json!({
            "benchmark_version": "0.1-draft",
            "engines": engines,
            "evidence": {
                "checkpoint": source.checkpoint(),
                "cohort": name,
                "ledger": source.origin,
                "system": id,
            },
            "evidence_status": bearing.status,
            "protocol": subject.protocol_part(),
            "resources": subject.resources_part(),
            "results": {
                "coverage": subject.coverage(),
                "games": subject.games(),
                "primary": subject.primary(source, &endpoints)?,
                "units": subject.units(),
            },
            "system": subject.system_part(observed)?,
        });
        Ok(Self {
            document,
            bearing,
            endpoints,
        })
    }
}

impl Subject<'_> {
    fn system_part(&self, observed: &Observed) -> Result<Value, Underived> {
        let registered = &self.system.registered;
        let model = registered.model.as_ref();
        let assistance = registered.assistance;
        let parameter = |name: &str| model.and_then(|model| parameter(model, name));
        let name = registered.name.as_str();
        let actions = match assistance.kind {
            AssistanceKind::LegalMask => LegalActions::Masked,
            _ if self.protocol.legal_moves_listed => LegalActions::Listed,
            _ => LegalActions::Unlisted,
        };
        Ok(json!({
            "assistance": AssistancePart {
                candidate_count: assistance.candidate_count.into(),
                kind: assistance.kind,
                ranks_visible: assistance.ranks_visible.into(),
                scores_visible: assistance.scores_visible.into(),
            },
            "chess_corpora": {
                "retrieval": question("Which chess corpora can the system look up? A list of texts; empty for none, null where nobody knows."),
                "training": question("Which chess corpora was the model trained on? A list of texts; empty for none, null where nobody knows."),
            },
            "inference_budget": {
                "attempts": self.protocol.attempts,
                "context_tokens": parameter("runner.context_window"),
                "output_tokens": parameter("runner.output_tokens"),
                "time_ms": question("How many milliseconds may one answer take? A number; null for no bound."),
            },
            "legal_action_interface": actions,
            "observation_window": observed.window().ok_or(Underived::NoCalls)?,
            "prompt_sha256": model.and_then(|model| model.prompt),
            "provider": model.map_or("local", |model| model.route.as_str()),
            "reasoning_effort": model.and_then(|model| model.reasoning_effort.clone()),
            "requested_model": model.map_or(name, |model| model.requested_model.as_str()),
            "returned_model": observed.returned_models(),
            "search": question("Which search, by which program and with which limit, stands around the model? A text; null for none."),
            "state_representation": question("What does the system see of the position and of earlier turns? A text."),
            "tools": question("Which tools may the model call? A list of names; empty for none."),
        }))
    }

    fn protocol_part(&self) -> Value {
        let committed = &self.cohort.schedule.committed;
        let promise = self.cohort.schedule.preregistration.as_ref();
        let allocation = match committed.allocation {
            Some(_) => AllocationRule::AnchorLadder,
            None => AllocationRule::Fixed,
        };
        let exclusions = promise.map(|promise| match promise.exclusions.trim() {
            "" => "none".into(),
            words => Value::from(words),
        });
        let stopping_rule = promise.map(|promise| promise.stopping_rule.as_str().into());
        json!({
            "allocation": allocation,
            "dataset_sha256": null,
            "exclusions": exclusions.unwrap_or_else(|| question("Which outcomes are left out? A text; none where none are.")),
            "opponents": self.opponents(),
            "partition": null,
            "preregistration_sha256": committed.preregistration,
            "protocol_version": self.protocol.name,
            "schedule_sha256": self.cohort.schedule.id,
            "stopping_rule": stopping_rule.unwrap_or_else(|| question("When did the collection end, and by which rule? A text.")),
            "track": "full_game",
        })
    }

    /// The fixed opponents with their ratings, in the order of the schedule.
    fn opponents(&self) -> String {
        let seats = self.cohort.anchors().iter();
        let words = seats.map(|seat| {
            let name = self.projection.name_of(&seat.system);
            match self.projection.anchors.anchor(&seat.anchor) {
                Some(anchor) => {
                    let registered = &anchor.registered;
                    let (rating, basis) = (registered.rating, registered.basis.as_str());
                    format!("{name} at {rating} ({basis})")
                }
                None => name,
            }
        });
        words.collect::<Vec<_>>().join(", ")
    }

    fn engines(&self) -> Vec<EnginePart> {
        let opponents = self.cohort.anchors().iter();
        let mut roles: Vec<_> = opponents
            .map(|seat| (EngineRole::Opponent, seat.system))
            .collect();
        let advisor = self.protocol.oracle.as_ref().map(|rule| rule.advisor);
        roles.extend(advisor.map(|id| (EngineRole::Advisor, id)));
        let adjudication = self.protocol.adjudication.map(|rule| rule.analyst);
        let grading = self.protocol.grading.map(|rule| rule.analyst);
        for id in [adjudication, grading].into_iter().flatten() {
            if !roles.contains(&(EngineRole::Scorer, id)) {
                roles.push((EngineRole::Scorer, id));
            }
        }
        let part = |(role, id): (EngineRole, EventId)| {
            let system = self.projection.systems.system(&id)?;
            let engine = system.registered.engine.as_ref()?;
            let options = engine.options.iter();
            Some(EnginePart {
                limit: engine.limit,
                name: Text(engine.name.clone()),
                options: options
                    .map(|option| OptionPart {
                        name: Text(option.name.clone()),
                        value: option.value.clone(),
                    })
                    .collect(),
                role,
                sha256: engine.files.first()?.sha256,
                system: id,
            })
        };
        roles.into_iter().filter_map(part).collect()
    }

    fn resources_part(&self) -> Value {
        let resources = self.resources();
        let mut costs = Vec::new();
        let mut cost = |basis: CostBasis, usd: String, covered: u64, of: u64| {
            if covered != 0 {
                costs.push(json!({
                    "basis": basis, "covered": covered, "of": of, "usd": usd,
                }));
            }
        };
        let Resources {
            cost_usd: reported,
            estimated_usd: estimated,
            ..
        } = &resources;
        let [usd, guess] = [reported.sum, estimated.sum].map(|sum| sum.to_string());
        cost(CostBasis::Reported, usd, reported.reported, reported.base);
        cost(
            CostBasis::Estimated,
            guess,
            estimated.reported,
            estimated.base,
        );
        json!({
            "calls": CallCounts {
                answered: Count::saturating(resources.answered),
                failed: Count::saturating(resources.failures()),
                sent: Count::saturating(resources.sent),
            },
            "completion_tokens": covered(&resources.completion_tokens),
            "costs": costs,
            "engine_nodes": covered(&resources.nodes),
            "prompt_tokens": covered(&resources.prompt_tokens),
            "time_ms": covered(&resources.time_ms),
        })
    }

    /// The rating, or its bound, as the board of the cohort has it.
    fn primary(&self, source: &Source, endpoints: &[String]) -> Result<Value, Underived> {
        let name = self.cohort.schedule.committed.cohort.as_str();
        let no_board = |why: String| Underived::NoBoard(why);
        let board = AnchoredBoard::of(self.projection, name, source.clone());
        let board = board.map_err(|error| no_board(error.to_string()))?;
        let figures = anchored_figures(&board).map_err(|error| no_board(error.to_string()))?;
        let rows = figures.objects();
        let id = self.system.id.to_string();
        let mut rows = rows.iter();
        let row = rows.find(|row| row.get("system_id") == Some(&id.as_str().into()));
        let row = row.ok_or(Underived::NoSystem(self.system.id))?;
        let figure = |key: &str| row.get(key).and_then(Value::as_str);
        let number = |key: &str| figure(key).and_then(plain);
        let kind = figure("rating_kind").unwrap_or_default();
        let (estimate, low, high) = match kind {
            "at_least" => (None, number("bound"), None),
            "at_most" => (None, None, number("bound")),
            _ => (
                number("rating"),
                number("interval_low"),
                number("interval_high"),
            ),
        };
        let method = match kind {
            "at_least" | "at_most" => "one-sided bound of the joint W-D-L fit".to_owned(),
            _ => format!(
                "joint W-D-L fit, interval by {}",
                figure("interval_basis").unwrap_or("none")
            ),
        };
        let endpoint = match endpoints {
            [only] => only.as_str().into(),
            [] => question("Which endpoint is this? A text."),
            several => question(&format!(
                "Which endpoint is this? One of: {}.",
                several.join("; ")
            )),
        };
        let scale = self.protocol.anchored.as_ref().map(|rule| &rule.scale);
        Ok(json!({
            "endpoint": endpoint,
            "estimate": estimate,
            "high": high,
            "level": "0.95",
            "low": low,
            "method": method,
            "scale": scale,
        }))
    }
}

/// A figure of a table in the one spelling of a decimal; nothing where it has no end.
fn plain(figure: &str) -> Option<String> {
    let trimmed = match figure.split_once('.') {
        Some(_) => figure.trim_end_matches('0').trim_end_matches('.'),
        None => figure,
    };
    (!trimmed.contains("inf")).then(|| trimmed.to_owned())
}

fn parameter(model: &ModelIdentity, name: &str) -> Option<u64> {
    let mut parameters = model.parameters.iter();
    let parameter = parameters.find(|parameter| parameter.name == name)?;
    parameter.value.parse().ok()
}

fn covered(tally: &Tally<u64>) -> impl Serialize {
    Covered {
        covered: Count::saturating(tally.reported),
        of: Count::saturating(tally.base),
        sum: Exposed(tally.known().map(Count::saturating)),
    }
}
