//! What a candidate oracle shows, as it follows from the events before.

use crate::digest::Digest;
use crate::event::{Assistance, CallSent, EventId, GameStarted, ShownCandidates};
use crate::finding::{Code, Finding, Place};
use crate::projection::{
    Candidates, CandidatesError, Game, GameState, MeasuredContent, Presentation, Projection, System,
};

/// The candidates that a system is shown in the position on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The `position.measured` that they are taken from.
    pub measured: EventId,
    /// The moves.
    pub candidates: Candidates,
}

/// Why there are no candidates where some are to be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unshown {
    /// Nothing is measured yet.
    #[error("the oracle has not measured the position")]
    Unmeasured(MeasuredContent),
    /// What was measured does not do.
    #[error(transparent)]
    Unfit(#[from] CandidatesError),
}

impl Shown {
    /// What an event says of it.
    pub fn event(&self) -> ShownCandidates {
        ShownCandidates {
            measured: self.measured,
            moves: self.candidates.shown().to_vec(),
        }
    }
}

impl Projection {
    /// Returns the candidates that this system is shown in the position on the board
    /// of its game. They follow from the record of the position, the protocol, the
    /// cohort and the prompts of the system alone.
    ///
    /// Nothing where it is shown none: the protocol of the game has no oracle, or the
    /// system is sent no prompts.
    pub fn shown(&self, game: &Game, system: &EventId) -> Option<Result<Shown, Unshown>> {
        let rule = self.protocol_of(game)?.oracle.as_ref()?;
        let prompt = prompt_of(self.systems.system(system)?)?;
        let board = game.board()?;
        let presentation = Presentation {
            experiment: self.schedule_of(game)?.committed.cohort.as_str(),
            condition: rule.condition.as_str(),
            repetition: rule.repetition.get(),
            prompt,
        };
        let content = MeasuredContent {
            analyst: rule.advisor,
            fen: board.fen(),
            variant: board.variant(),
        };
        let Some(record) = self.measurements.of(&content) else {
            return Some(Err(Unshown::Unmeasured(content)));
        };
        let width = usize::try_from(rule.width.get()).unwrap_or(usize::MAX);
        let candidates = Candidates::of(board.position(), record.ranked(), width, &presentation);
        let measured = record.id;
        Some(
            candidates
                .map(|candidates| Shown {
                    measured,
                    candidates,
                })
                .map_err(Unshown::from),
        )
    }

    /// What a call shows must be what the events before it give.
    pub(crate) fn check_candidates(&self, id: EventId, sent: &CallSent) -> Option<Finding> {
        let game = self.games.game(&sent.game?)?;
        let ply = game.board()?.ply().next();
        // A call for another turn is found with its answer.
        if game.state != GameState::Playing || sent.ply != Some(ply) {
            return None;
        }
        let expected = match self.shown(game, &sent.system) {
            None => None,
            Some(Ok(shown)) => Some(shown.event()),
            Some(Err(unshown)) => {
                let expected = match unshown {
                    Unshown::Unmeasured(content) => format!(
                        "a measurement by {} before the call, of {}",
                        content.analyst, content.fen
                    ),
                    Unshown::Unfit(error) => format!("no call, because of {error}"),
                };
                return Some(differ(id, expected, in_words(sent.candidates.as_ref())));
            }
        };
        (expected != sent.candidates).then(|| {
            let words = in_words(expected.as_ref());
            differ(id, words, in_words(sent.candidates.as_ref()))
        })
    }

    /// An oracle is fit for a game when its engine stops after so many nodes, and each
    /// system that it helps is registered as helped in just that way.
    pub(crate) fn check_oracle(&self, id: EventId, started: &GameStarted) -> Option<Finding> {
        let protocol = self.systems.protocol(&started.protocol)?;
        let rule = protocol.published.oracle.as_ref()?;
        let unfit = |expected: String, found: String| {
            let place = Place::event(*id.digest());
            Some(Finding::new(Code::OracleUnfit, place, expected, found))
        };
        let advisor = self.systems.system(&rule.advisor)?;
        let engine = advisor.registered.engine.as_ref();
        if engine.is_none_or(|engine| engine.limit.nodes.is_none()) {
            let expected = "an engine with a limit of nodes as the oracle".to_owned();
            return unfit(expected, advisor.registered.name.to_string());
        }
        let seats = [started.seats.white, started.seats.black];
        let seated = seats.iter().filter_map(|seat| self.systems.system(seat));
        let is_prompted = |system: &&System| prompt_of(system).is_some();
        let mut helped = seated.filter(is_prompted);
        let declared = Assistance::candidates(rule.width);
        let system = helped.find(|system| system.registered.assistance != declared)?;
        let registered = &system.registered;
        unfit(
            format!(
                "{} registered with {} candidates, ranks and scores hidden",
                registered.name, rule.width
            ),
            format!(
                "the assistance {}",
                assistance_in_words(&registered.assistance)
            ),
        )
    }
}

/// The prompts of a system that is sent some: nobody else can be shown candidates.
fn prompt_of(system: &System) -> Option<Digest> {
    system.registered.model.as_ref()?.prompt
}

fn differ(id: EventId, expected: String, found: String) -> Finding {
    let place = Place::event(*id.digest());
    Finding::new(Code::CandidatesDiffer, place, expected, found)
}

fn in_words(shown: Option<&ShownCandidates>) -> String {
    let Some(ShownCandidates { measured, moves }) = shown else {
        return "no candidates".to_owned();
    };
    let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
    format!("{} from {measured}", moves.join(" "))
}

fn assistance_in_words(assistance: &Assistance) -> String {
    let visible = |what: &str, is: Option<bool>| match is {
        Some(true) => format!(", {what} shown"),
        Some(false) => format!(", {what} hidden"),
        None => String::new(),
    };
    format!(
        "{assistance}{}{}",
        visible("ranks", assistance.ranks_visible),
        visible("scores", assistance.scores_visible),
    )
}
