use schemars::JsonSchema;
use serde::Deserialize;

use crate::canonical::Decimal;
use crate::chess::Rules;
use crate::event::{
    AssistanceKind, ColorRule, Context, Conversation, EventId, FailedRequest, FailedRequestPolicy,
    Glicko2Rule, LadderRule, Name, Pairing, ProtocolPublished, ScheduleRule, StartRule,
};
use crate::run::allocator_part::{AllocatorPart, AnchorLadderPart};
use crate::run::anchored_part::{AdjudicationPart, AnchoredPart, GradingPart};
use crate::run::file::{RunFileError, wrong};

/// The rules of a round robin between engines, and of the ladder after it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProtocolPart {
    /// The name, unique in the ledger.
    pub name: Name,
    /// Rules that are known by a name, instead of most of the others.
    pub preset: Option<Preset>,
    /// Accepted plies after which a game is drawn.
    pub ply_cap: Option<u32>,
    /// Answers a turn; after the last rejected one the game is forfeit. One,
    /// unless it is said or a preset says it.
    pub attempts: Option<u32>,
    /// What follows when no answer came.
    pub failed_request: Option<FailedRequestPart>,
    /// How often a cell is played again after a provider failure. Three, or
    /// without end where failed games are scheduled again.
    pub replays_max: Option<u32>,
    /// How often one request is sent again after a wait, where what kept the answer
    /// may pass. Three where models play, else never.
    pub retries_max: Option<u32>,
    /// Who gets White. It follows from whether there is a ladder.
    pub colors: Option<ColorRule>,
    /// How the ladder chooses. Absent: there is none.
    pub ladder: Option<LadderPart>,
    /// How ratings against anchors are fitted. Absent: there are no anchors.
    pub anchored: Option<AnchoredPart>,
    /// How opponents are allotted in mini-matches. Absent: by a fixed schedule.
    pub allocator: Option<AllocatorPart>,
    /// When the analyst's measurements end a game. Absent: never.
    pub adjudication: Option<AdjudicationPart>,
    /// How moves are graded. Absent: they are not.
    pub grading: Option<GradingPart>,
    /// Where ratings start, and the system constant.
    #[serde(default)]
    pub glicko2: Glicko2Part,
}

/// Rules that are known by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Preset {
    /// The rules of play, rating and scheduling of `chessbench-v3`. Not what models
    /// are sent: an engine has no conversation and is told no legal moves.
    #[serde(rename = "chessbench-v3")]
    ChessbenchV3,
    /// Systems against anchors, colors alternating, three attempts, games cut off
    /// at 300 plies and adjudicated before, failed games not counted.
    #[serde(rename = "anchored")]
    Anchored,
    /// Systems against anchors in mini-matches of two games from one start, each
    /// color once; failed games are replayed in frozen order.
    #[serde(rename = "mini-matches")]
    MiniMatches,
}

/// The name that only games of models may bear.
const CHESSBENCH: &str = "chessbench-v3";
/// Half-moves of both sides together, and a lower saved limit may be set.
const CHESSBENCH_PLIES: u32 = 150;
const CHESSBENCH_ATTEMPTS: u32 = 3;
const CHESSBENCH_LADDER: LadderPart = LadderPart {
    reach: 5,
    window_hours: 48,
};
const REPLAYS: u32 = 3;
const ANCHORED_PLIES: u32 = 300;
const ANCHORED_ATTEMPTS: u32 = 3;

/// What follows when no answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailedRequestPart {
    /// The cell is played again, before any later one.
    ReplayCell,
    /// The cell is played again, after whatever else is ready.
    ScheduleAgain,
}

/// How the ladder chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderPart {
    /// How many rank positions up and down an opponent may stand.
    pub reach: u32,
    /// The hours before a draw in which games are counted.
    pub window_hours: u32,
}

/// Parameters of Glicko-2, as exact decimals.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Glicko2Part {
    /// The rating that everyone starts with.
    pub rating: Decimal,
    /// The deviation that everyone starts with.
    pub deviation: Decimal,
    /// The volatility that everyone starts with.
    pub volatility: Decimal,
    /// The system constant.
    pub tau: Decimal,
    /// Whether an update for one game first lets the deviation grow. It does.
    pub grows_each_game: Option<bool>,
}

impl Default for Glicko2Part {
    /// The start values of `chessbench-v3`: 1500, 350, 0.06 and tau 0.5.
    fn default() -> Self {
        let decimal = |text: &str| text.parse().unwrap_or(Decimal::ZERO);
        Self {
            rating: decimal("1500"),
            deviation: decimal("350"),
            volatility: decimal("0.06"),
            tau: decimal("0.5"),
            grows_each_game: None,
        }
    }
}

impl ProtocolPart {
    /// Checks what types cannot say.
    pub(crate) fn check(&self, has_models: bool) -> Result<(), RunFileError> {
        self.adjudication.map_or(Ok(()), AdjudicationPart::check)?;
        if self.adjudication.is_some() && self.ladder.is_some() {
            let expected = "no `adjudication` beside a `ladder`: its games are not measured";
            return Err(wrong(expected, "both"));
        }
        if self.allocator.is_some() && self.preset != Some(Preset::MiniMatches) {
            let expected = "`allocator` beside the preset \"mini-matches\" alone";
            return Err(wrong(expected, "another preset, or none"));
        }
        match self.preset {
            Some(Preset::ChessbenchV3) => return self.check_chessbench(has_models),
            Some(Preset::Anchored | Preset::MiniMatches) => return self.check_anchored(),
            None => {}
        }
        if self.anchored.is_some() {
            let expected = "`anchored` beside the presets \"anchored\" and \"mini-matches\" alone";
            return Err(wrong(expected, "no such preset"));
        }
        if self.ply_cap.is_none() {
            return Err(wrong("a `ply_cap` under [protocol]", "none"));
        }
        let follows = self.colors_that_follow();
        match self.colors {
            Some(colors) if colors != follows => Err(wrong(
                "`colors` of \"lower_white_share\" beside a `ladder`, and \"once_each\" without",
                "others",
            )),
            _ => Ok(()),
        }
    }

    /// The two presets with anchors leave the rest to the file.
    fn check_anchored(&self) -> Result<(), RunFileError> {
        let needed = [
            ("`anchored` with its scale", self.anchored.is_some()),
            (
                "a `ply_cap`",
                self.ply_cap.is_some() || self.preset == Some(Preset::Anchored),
            ),
        ];
        if let Some((part, _)) = needed.iter().find(|(_, is_there)| !is_there) {
            return Err(wrong(format!("{part} beside this preset"), "none"));
        }
        let set = [
            ("failed_request", self.failed_request.is_some()),
            ("colors", self.colors.is_some()),
            ("ladder", self.ladder.is_some()),
            ("glicko2", self.glicko2 != Glicko2Part::default()),
        ];
        match set.iter().find(|(_, is_set)| *is_set) {
            None => Ok(()),
            Some((field, _)) => Err(wrong(
                "beside a preset with anchors none of `failed_request`, `colors`, `ladder` and `glicko2`",
                *field,
            )),
        }
    }

    fn check_chessbench(&self, has_models: bool) -> Result<(), RunFileError> {
        if self.name.as_str() == CHESSBENCH && !has_models {
            return Err(wrong(
                "another name beside this preset: the protocol chessbench-v3 sends models a conversation and their legal moves, and engines get neither",
                CHESSBENCH,
            ));
        }
        if let Some(cap) = self.ply_cap.filter(|cap| CHESSBENCH_PLIES < *cap) {
            let expected = format!("a `ply_cap` of at most {CHESSBENCH_PLIES} beside this preset");
            return Err(wrong(expected, cap.to_string()));
        }
        let rating = Glicko2Part {
            grows_each_game: self.glicko2.grows_each_game,
            ..Glicko2Part::default()
        };
        let set = [
            ("failed_request", self.failed_request.is_some()),
            ("replays_max", self.replays_max.is_some()),
            ("colors", self.colors.is_some()),
            ("ladder", self.ladder.is_some()),
            ("anchored", self.anchored.is_some()),
            ("adjudication", self.adjudication.is_some()),
            ("other values of glicko2", self.glicko2 != rating),
        ];
        match set.iter().find(|(_, is_set)| *is_set) {
            None => Ok(()),
            Some((field, _)) => Err(wrong(
                "beside a preset only `name`, `ply_cap`, `attempts` and `glicko2.grows_each_game`",
                *field,
            )),
        }
    }

    const fn ladder(&self) -> Option<LadderPart> {
        match self.preset {
            Some(Preset::ChessbenchV3) => Some(CHESSBENCH_LADDER),
            Some(Preset::Anchored | Preset::MiniMatches) => None,
            None => self.ladder,
        }
    }

    const fn colors_that_follow(&self) -> ColorRule {
        match (self.preset, self.ladder()) {
            (Some(Preset::Anchored), _) => ColorRule::Alternate,
            (_, Some(_)) => ColorRule::LowerWhiteShare,
            (_, None) => ColorRule::OnceEach,
        }
    }

    /// Whether systems play anchors.
    pub(crate) const fn has_anchors(&self) -> bool {
        matches!(self.preset, Some(Preset::Anchored | Preset::MiniMatches))
    }

    /// The rule that gives the cells.
    pub(crate) const fn schedule_rule(&self) -> ScheduleRule {
        match self.preset {
            Some(Preset::Anchored) => ScheduleRule::Anchored,
            Some(Preset::MiniMatches) if self.anchor_ladder().is_some() => {
                ScheduleRule::AnchorLadder
            }
            Some(Preset::MiniMatches) => ScheduleRule::MiniMatches,
            Some(Preset::ChessbenchV3) | None => ScheduleRule::DoubleRoundRobin,
        }
    }

    /// The ladder on which opponents follow from results, where they do.
    pub(crate) const fn anchor_ladder(&self) -> Option<&AnchorLadderPart> {
        match &self.allocator {
            Some(AllocatorPart::AnchorLadder(ladder)) => Some(ladder),
            Some(AllocatorPart::Fixed) | None => None,
        }
    }

    /// Whether positions are measured, during play or for grades.
    pub(crate) const fn needs_analyst(&self) -> bool {
        self.adjudication().is_some() || self.grading().is_some()
    }

    const fn adjudication(&self) -> Option<AdjudicationPart> {
        match (self.adjudication, self.preset) {
            (Some(part), _) => Some(part),
            (None, Some(Preset::Anchored)) => Some(AdjudicationPart::ANCHORED),
            (None, _) => None,
        }
    }

    const fn grading(&self) -> Option<GradingPart> {
        match (self.grading, self.preset) {
            (Some(part), _) => Some(part),
            (None, Some(Preset::Anchored)) => Some(GradingPart::ANCHORED),
            (None, _) => None,
        }
    }

    fn failed_request(&self) -> FailedRequest {
        if self.preset == Some(Preset::Anchored) {
            return FailedRequest {
                policy: FailedRequestPolicy::AbortUncounted,
                replays_max: Some(self.replays_max.unwrap_or(REPLAYS).into()),
                retries_max: self.retries_max.map(Into::into),
            };
        }
        let again = match (self.preset, self.failed_request) {
            (Some(Preset::ChessbenchV3), _) => FailedRequestPart::ScheduleAgain,
            (_, policy) => policy.unwrap_or(FailedRequestPart::ReplayCell),
        };
        let (policy, replays) = match again {
            FailedRequestPart::ReplayCell => (FailedRequestPolicy::ReplayCell, Some(REPLAYS)),
            FailedRequestPart::ScheduleAgain => (FailedRequestPolicy::ScheduleAgain, None),
        };
        FailedRequest {
            policy,
            replays_max: self.replays_max.or(replays).map(Into::into),
            retries_max: self.retries_max.map(Into::into),
        }
    }

    /// The protocol as it is published. Engines are told the moves of the game,
    /// keep no conversation, and are told no legal moves.
    ///
    /// The analyst is the one that measures, where something is measured.
    pub fn published(&self, analyst: Option<EventId>) -> ProtocolPublished {
        let rating = &self.glicko2;
        let has_anchors = self.has_anchors();
        let (attempts, ply_cap) = match self.preset {
            Some(Preset::ChessbenchV3) => (CHESSBENCH_ATTEMPTS, CHESSBENCH_PLIES),
            Some(Preset::Anchored) => (ANCHORED_ATTEMPTS, ANCHORED_PLIES),
            // No cap at all was refused when the file was read.
            Some(Preset::MiniMatches) => (ANCHORED_ATTEMPTS, 0),
            None => (1, 0),
        };
        ProtocolPublished {
            adjudication: self
                .adjudication()
                .zip(analyst)
                .map(|(part, id)| part.rule(id)),
            anchored: self.anchored.as_ref().map(AnchoredPart::rule),
            grading: self.grading().zip(analyst).map(|(part, id)| part.rule(id)),
            attempts: self.attempts.unwrap_or(attempts).into(),
            candidate_help: AssistanceKind::None,
            colors: self.colors_that_follow(),
            context: Context::GameMoves,
            conversation: Conversation::None,
            failed_request: self.failed_request(),
            glicko2: (!has_anchors).then_some(Glicko2Rule {
                deviation: rating.deviation,
                grows_each_game: rating.grows_each_game,
                rating: rating.rating,
                tau: rating.tau,
                volatility: rating.volatility,
            }),
            ladder: self.ladder().map(|ladder| LadderRule {
                reach: ladder.reach.into(),
                window_hours: ladder.window_hours.into(),
            }),
            legal_moves_listed: false,
            name: self.name.clone(),
            oracle: None,
            pairing: match self.preset {
                Some(Preset::Anchored) => Pairing::AnchorsOnly,
                Some(Preset::MiniMatches) => Pairing::MiniMatches,
                Some(Preset::ChessbenchV3) | None => Pairing::Pool,
            },
            ply_cap: self.ply_cap.unwrap_or(ply_cap).into(),
            prompts: Vec::new(),
            rules: Rules::ChessJs14,
            start: match self.preset {
                Some(Preset::Anchored) => StartRule::SamePositions,
                Some(Preset::MiniMatches) => StartRule::OpeningPrefix,
                Some(Preset::ChessbenchV3) | None => StartRule::Standard,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::Count;

    fn read(text: &str) -> Result<ProtocolPublished, RunFileError> {
        let part: ProtocolPart =
            toml::from_str(text).map_err(|error| RunFileError::Toml(error.to_string()))?;
        part.check(false)?;
        Ok(part.published(None))
    }

    #[test]
    fn the_preset_has_the_rules_of_chessbench_and_says_what_engines_are_told() {
        let preset = "name = \"mine\"\npreset = \"chessbench-v3\"\n";
        let rules = read(preset).unwrap();
        let figures = [rules.attempts, rules.ply_cap].map(Count::get);
        assert_eq!(figures, [3, 150]);
        let ladder = rules.ladder.unwrap();
        assert_eq!((ladder.reach.get(), ladder.window_hours.get()), (5, 48));
        assert_eq!(rules.colors, ColorRule::LowerWhiteShare);
        assert_eq!(
            rules.failed_request,
            FailedRequest {
                policy: FailedRequestPolicy::ScheduleAgain,
                replays_max: None,
                retries_max: None
            }
        );
        assert_eq!(rules.context, Context::GameMoves);
        assert_eq!(rules.conversation, Conversation::None);
        assert!(!rules.legal_moves_listed);
        let lower = read(&format!("{preset}ply_cap = 40\nattempts = 2\n")).unwrap();
        assert_eq!([lower.ply_cap.get(), lower.attempts.get()], [40, 2]);
        for more in [
            "ply_cap = 151",
            "replays_max = 2",
            "ladder = { reach = 4, window_hours = 48 }",
            "colors = \"lower_white_share\"",
            "failed_request = \"schedule_again\"",
            "glicko2 = { tau = \"0.6\" }",
        ] {
            assert!(read(&format!("{preset}{more}\n")).is_err(), "{more}");
        }
        assert!(read(&preset.replace("mine", CHESSBENCH)).is_err());
        let grows = read(&format!(
            "{preset}glicko2 = {{ grows_each_game = false }}\n"
        ));
        assert_eq!(grows.unwrap().glicko2.unwrap().grows_each_game, Some(false));
    }

    #[test]
    fn without_a_preset_rules_are_said_one_by_one_and_fit_one_another() {
        let plain = "name = \"mine\"\nply_cap = 100\n";
        let rules = read(plain).unwrap();
        assert_eq!(rules.colors, ColorRule::OnceEach);
        assert_eq!(rules.failed_request.replays_max, Some(3_u32.into()));
        assert!(rules.ladder.is_none());
        let ladder = format!("{plain}ladder = {{ reach = 1, window_hours = 2 }}\n");
        assert_eq!(read(&ladder).unwrap().colors, ColorRule::LowerWhiteShare);
        assert!(read(&format!("{ladder}colors = \"lower_white_share\"\n")).is_ok());
        assert!(read(&format!("{ladder}colors = \"once_each\"\n")).is_err());
        assert!(read(&format!("{plain}colors = \"lower_white_share\"\n")).is_err());
        assert!(read(&format!("{plain}failed_request = \"count_wrong\"\n")).is_err());
        let again = read(&format!("{plain}failed_request = \"schedule_again\"\n")).unwrap();
        assert_eq!(again.failed_request.replays_max, None);
        assert!(read("name = \"mine\"\n").is_err());
    }
}
