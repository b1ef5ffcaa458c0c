use crate::board::Coverage;
use crate::event::{AssistanceKind, EvidenceStatus};
use crate::submission::subject::Subject;
use crate::submission::{EnginePart, EngineRole};

/// The status that evidence can bear, and what keeps it from bearing a higher one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bearing {
    /// The status.
    pub status: EvidenceStatus,
    /// Why it is no higher, in words. Empty: it is confirmatory.
    pub reasons: Vec<String>,
}

impl Bearing {
    /// Returns what the games of a system in a cohort can bear.
    ///
    /// Confirmatory takes a promise that was co-signed before the first outcome, all
    /// registered cells, both colors, several openings, engines that stop after so
    /// many nodes, and candidates that are nested. `cosigned` are the sizes of
    /// checkpoints that witnesses co-signed.
    pub(in crate::submission) fn of(
        subject: &Subject<'_>,
        engines: &[EnginePart],
        cosigned: &[u64],
    ) -> Self {
        let promise = subject.cohort.schedule.preregistration.as_ref();
        let claimed = promise.map_or(EvidenceStatus::Pilot, |promise| promise.evidence_status);
        let mut reasons = Vec::new();
        if promise.is_none() {
            reasons.push("nothing was preregistered".to_owned());
        } else if claimed < EvidenceStatus::Confirmatory {
            let claimed = claimed.as_str();
            reasons.push(format!("the preregistration promises {claimed} evidence"));
        }
        reasons.extend(promise.and_then(|_| lack_of_promise(subject, cosigned)));
        reasons.extend(lacks_of_games(subject));
        reasons.extend(engines.iter().filter_map(lack_of_engine));
        let help = subject.system.registered.assistance.kind;
        if help == AssistanceKind::CandidateOracle && subject.protocol.oracle.is_none() {
            reasons.push("nothing records that the candidates are nested".to_owned());
        }
        let most = if reasons.is_empty() {
            EvidenceStatus::Confirmatory
        } else {
            EvidenceStatus::Provisional
        };
        Self {
            status: claimed.min(most),
            reasons,
        }
    }
}

/// What the preregistration lacks: a place before the first game that others saw.
fn lack_of_promise(subject: &Subject<'_>, cosigned: &[u64]) -> Option<String> {
    let projection = subject.projection;
    let committed = &subject.cohort.schedule.committed;
    let is_of_schedule = |id| Some(id) == committed.preregistration;
    let late = projection.late_preregistrations(&committed.cohort);
    if late.into_iter().any(|(_, id)| is_of_schedule(id)) {
        return Some("the preregistration stands behind the first game".to_owned());
    }
    let mut promises = projection.schedules.preregistrations_of(&committed.cohort);
    let promise = promises.find(|(_, id)| is_of_schedule(*id));
    let games = subject.cohort.schedule.games.iter().flatten();
    let games = games.filter_map(|id| projection.games.game(id));
    let first = games.map(|game| game.index).min();
    // A checkpoint that holds the promise and no game of the cohort.
    let holds = |size: &u64| {
        let is_promised = promise.is_some_and(|(index, _)| index < *size);
        is_promised && first.is_none_or(|first| *size <= first)
    };
    let words = "nothing shows that a witness co-signed the preregistration before the first game";
    (!cosigned.iter().any(holds)).then(|| words.to_owned())
}

fn lacks_of_games(subject: &Subject<'_>) -> Vec<String> {
    let cohort = subject.cohort;
    let games = cohort.counting();
    let games = games.filter_map(|game| Some((game, game.color_of(&subject.system.id)?)));
    let coverage = Coverage::of(games);
    let lacks = [
        (!cohort.is_terminal(), "registered cells have no result"),
        (
            coverage.white == 0 || coverage.black == 0,
            "the system has one color only",
        ),
        (coverage.openings < 2, "there is one opening only"),
    ];
    let lacks = lacks.into_iter().filter(|(is_lacking, _)| *is_lacking);
    lacks.map(|(_, words)| words.to_owned()).collect()
}

/// An engine that helps or judges does the same work on every machine.
fn lack_of_engine(engine: &EnginePart) -> Option<String> {
    let is_judge = matches!(engine.role, EngineRole::Advisor | EngineRole::Scorer);
    let (role, name) = (engine.role.as_str(), engine.name.as_str());
    let words = || format!("the {role} {name} does not stop after so many nodes");
    (is_judge && engine.limit.nodes.is_none()).then(words)
}
