use serde::Deserialize;

use crate::canonical::Decimal;
use crate::chess::Rules;
use crate::event::{
    AssistanceKind, ColorRule, Context, Conversation, FailedRequest, FailedRequestPolicy,
    Glicko2Rule, LadderRule, Name, Pairing, ProtocolPublished, StartRule,
};
use crate::run::file::{RunFileError, wrong};

/// The rules of a round robin between engines, and of the ladder after it.
#[derive(Clone, Debug, Deserialize)]
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
    /// Who gets White. It follows from whether there is a ladder.
    pub colors: Option<ColorRule>,
    /// How the ladder chooses. Absent: there is none.
    pub ladder: Option<LadderPart>,
    /// Where ratings start, and the system constant.
    #[serde(default)]
    pub glicko2: Glicko2Part,
}

/// Rules that are known by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Preset {
    /// The rules of play, rating and scheduling of `chessbench-v3`. Not what models
    /// are sent: an engine has no conversation and is told no legal moves.
    #[serde(rename = "chessbench-v3")]
    ChessbenchV3,
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

/// What follows when no answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailedRequestPart {
    /// The cell is played again, before any later one.
    ReplayCell,
    /// The cell is played again, after whatever else is ready.
    ScheduleAgain,
}

/// How the ladder chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderPart {
    /// How many rank positions up and down an opponent may stand.
    pub reach: u32,
    /// The hours before a draw in which games are counted.
    pub window_hours: u32,
}

/// Parameters of Glicko-2, as exact decimals.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
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
    pub(crate) fn check(&self) -> Result<(), RunFileError> {
        if let Some(preset) = self.preset {
            return self.check_preset(preset);
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

    fn check_preset(&self, Preset::ChessbenchV3: Preset) -> Result<(), RunFileError> {
        if self.name.as_str() == CHESSBENCH {
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
            None => self.ladder,
        }
    }

    const fn colors_that_follow(&self) -> ColorRule {
        match self.ladder() {
            Some(_) => ColorRule::LowerWhiteShare,
            None => ColorRule::OnceEach,
        }
    }

    fn failed_request(&self) -> FailedRequest {
        let again = match (self.preset, self.failed_request) {
            (Some(Preset::ChessbenchV3), _) => FailedRequestPart::ScheduleAgain,
            (None, policy) => policy.unwrap_or(FailedRequestPart::ReplayCell),
        };
        let (policy, replays) = match again {
            FailedRequestPart::ReplayCell => (FailedRequestPolicy::ReplayCell, Some(REPLAYS)),
            FailedRequestPart::ScheduleAgain => (FailedRequestPolicy::ScheduleAgain, None),
        };
        FailedRequest {
            policy,
            replays_max: self.replays_max.or(replays).map(Into::into),
        }
    }

    /// The protocol as it is published. Engines are told the moves of the game,
    /// keep no conversation, and are told no legal moves.
    pub fn published(&self) -> ProtocolPublished {
        let rating = &self.glicko2;
        let (attempts, ply_cap) = match self.preset {
            Some(Preset::ChessbenchV3) => (CHESSBENCH_ATTEMPTS, CHESSBENCH_PLIES),
            // No cap at all was refused when the file was read.
            None => (1, 0),
        };
        ProtocolPublished {
            attempts: self.attempts.unwrap_or(attempts).into(),
            candidate_help: AssistanceKind::None,
            colors: self.colors_that_follow(),
            context: Context::GameMoves,
            conversation: Conversation::None,
            failed_request: self.failed_request(),
            glicko2: Some(Glicko2Rule {
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
            pairing: Pairing::Pool,
            ply_cap: self.ply_cap.unwrap_or(ply_cap).into(),
            rules: Rules::ChessJs14,
            start: StartRule::Standard,
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
        part.check()?;
        Ok(part.published())
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
                replays_max: None
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
