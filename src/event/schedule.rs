//! The registered cells of a cohort.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::event::kinds::{Fact, Meaningless};
use crate::event::schema::Blob;
use crate::event::{EventId, Name, Opening, Reference, Start};

/// `schedule.committed`: the registered cells of a cohort, in their frozen order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = { "properties": { "rule": { "enum": ["anchor_ladder", "anchored", "mini_matches"] } }, "required": ["rule"] },
    "then" = {
        "properties": { "era": false },
        "required": ["anchors", "run_file", "starts"],
        "if": { "properties": { "rule": { "const": "anchor_ladder" } }, "required": ["rule"] },
        "then": { "required": ["allocation"] },
        "else": { "properties": { "allocation": false } },
    },
    "else" = {
        "properties": { "allocation": false, "anchors": false, "starts": false, "systems": { "minItems": 2 } },
        "if": { "properties": { "rule": { "const": "newcomer" } }, "required": ["rule"] },
        "then": { "required": ["era"] },
        "else": { "properties": { "era": false }, "required": ["run_file"] },
    },
))]
pub struct ScheduleCommitted {
    /// How opponents follow from earlier results. Stands with the rule
    /// `anchor_ladder`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocation: Option<AnchorLadder>,
    /// The fixed opponents, all different, in the order that the rule takes
    /// them in. Stand with the rules `anchor_ladder`, `anchored` and `mini_matches`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1, max = 64), extend("uniqueItems" = true))]
    pub anchors: Vec<AnchorSeat>,
    /// The cohort that these cells are; unique among schedules.
    pub cohort: Name,
    /// The era that a newcomer is admitted to. Stands with the rule `newcomer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<EventId>,
    /// The promise that the cohort was made under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preregistration: Option<EventId>,
    /// The protocol of every cell.
    pub protocol: EventId,
    /// The rule that gives the cells.
    pub rule: ScheduleRule,
    /// The run file that asked for the schedule. Absent: a person admitted a
    /// newcomer by hand.
    #[schemars(with = "Option<Blob>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_file: Option<Digest>,
    /// Where the games start, in order: the same for every system. Stand with
    /// the rules `anchor_ladder`, `anchored` and `mini_matches`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub starts: Vec<CellStart>,
    /// The systems, all different, in the order that the rule takes them in; two
    /// or more, unless they play anchors.
    #[schemars(length(min = 1, max = 128), extend("uniqueItems" = true))]
    pub systems: Vec<EventId>,
}

/// How the opponents of a schedule follow from results, in mini-matches of two
/// games from one start. The rungs are the anchors, by increasing rating.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct AnchorLadder {
    /// How often each system goes through all starts, one mini-match from each.
    #[schemars(extend("minimum" = 1, "maximum" = ROUNDS_MAX))]
    pub rounds: Count,
    /// The rung on which every system begins: the place of its anchor, from 0.
    pub start_rung: Count,
    /// What moves a system. 1, the only one there is: both games of a mini-match
    /// won is one rung up, both lost one down, and anything else leaves it where
    /// it is; the ends are never left.
    #[schemars(extend("const" = 1))]
    pub version: Count,
}

impl AnchorLadder {
    /// The only version of the rule.
    pub const VERSION: u32 = 1;
}

/// A fixed opponent of a schedule.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct AnchorSeat {
    /// Its `anchor.registered`, which fixes its rating.
    pub anchor: EventId,
    /// The system that it is.
    pub system: EventId,
}

/// Where a cell starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellStart {
    /// The frozen prefix of moves that nobody chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// The position before them.
    pub start: Start,
}

/// A documented rule that turns a list of systems into cells in a fixed order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleRule {
    /// The circle method (Berger tables) twice, the second time with colors
    /// reversed, from the standard start position.
    DoubleRoundRobin,
    /// The first system against each of the others in turn, with White against
    /// every other one of them; then all once more with colors reversed.
    Newcomer,
    /// From each start in turn, each system against each anchor once; the anchors
    /// backwards from every other start, and White in every other game.
    Anchored,
    /// From each start in turn, each system against each anchor twice: with White,
    /// then with Black.
    MiniMatches,
    /// From each start in turn, each system against one anchor twice: with White,
    /// then with Black. Which anchor follows from its earlier results. All starts
    /// so many times over.
    AnchorLadder,
}

impl ScheduleRule {
    /// Whether systems play anchors, and not one another.
    pub const fn has_anchors(self) -> bool {
        matches!(self, Self::Anchored) || self.is_in_matches()
    }

    /// Whether two games that stand together are a mini-match.
    pub const fn is_in_matches(self) -> bool {
        matches!(self, Self::MiniMatches | Self::AnchorLadder)
    }
}

/// The most systems of a round robin: it has about as many cells as their square.
const SYSTEMS_MAX: usize = 128;

/// The most anchors of a schedule.
const ANCHORS_MAX: usize = 64;

/// The most cells of a schedule with anchors, counted with both colors.
const CELLS_MAX: usize = 100_000;

/// The most rounds of an anchor ladder: each of them has two games or more.
const ROUNDS_MAX: u32 = 50_000;

impl Fact for ScheduleCommitted {
    fn references(&self) -> Vec<Reference<'_>> {
        let systems = self
            .systems
            .iter()
            .map(|system| Reference::new("systems", system, &["system.registered"]));
        let anchors = self.anchors.iter().flat_map(|seat| {
            [
                Reference::new("anchors.anchor", &seat.anchor, &["anchor.registered"]),
                Reference::new("anchors.system", &seat.system, &["system.registered"]),
            ]
        });
        let era = self.era.iter();
        let promise = self.preregistration.iter();
        let eras = era.map(|era| Reference::new("era", era, &["era.started"]));
        anchors
            .chain(eras)
            .chain(
                promise.map(|id| {
                    Reference::new("preregistration", id, &["preregistration.committed"])
                }),
            )
            .chain([Reference::new(
                "protocol",
                &self.protocol,
                &["protocol.published"],
            )])
            .chain(systems)
            .collect()
    }

    fn blobs(&self) -> Vec<&Digest> {
        self.run_file.iter().collect()
    }

    fn check_meaning(&self) -> Result<(), Meaningless> {
        if self.run_file.is_none() && self.rule != ScheduleRule::Newcomer {
            let expected = "the run file, unless the rule is `newcomer`";
            return Err(Meaningless::new("run_file", expected, "none"));
        }
        if self.era.is_some() != (self.rule == ScheduleRule::Newcomer) {
            return Err(Meaningless::new(
                "era",
                "an era beside the rule `newcomer`, and beside no other",
                if self.era.is_some() { "one" } else { "none" },
            ));
        }
        if SYSTEMS_MAX < self.systems.len() {
            return Err(Meaningless::new(
                "systems",
                format!("at most {SYSTEMS_MAX} systems"),
                format!("{}", self.systems.len()),
            ));
        }
        let distinct: std::collections::BTreeSet<_> = self.systems.iter().collect();
        let least = if self.rule.has_anchors() { 1 } else { 2 };
        if self.systems.len() < least || distinct.len() != self.systems.len() {
            return Err(Meaningless::new(
                "systems",
                format!("{least} or more systems, all different"),
                format!(
                    "{} listed, {} of them different",
                    self.systems.len(),
                    distinct.len()
                ),
            ));
        }
        self.check_allocation()?;
        self.check_anchors()
    }
}

impl ScheduleCommitted {
    fn check_allocation(&self) -> Result<(), Meaningless> {
        let is_adaptive = self.rule == ScheduleRule::AnchorLadder;
        if self.allocation.is_some() != is_adaptive {
            return Err(Meaningless::new(
                "allocation",
                "one beside the rule `anchor_ladder`, and beside no other",
                if is_adaptive { "none" } else { "one" },
            ));
        }
        let Some(ladder) = self.allocation else {
            return Ok(());
        };
        if ladder.version != AnchorLadder::VERSION.into() {
            let expected = format!("version {} of the anchor ladder", AnchorLadder::VERSION);
            let found = ladder.version.to_string();
            return Err(Meaningless::new("allocation", expected, found));
        }
        if !(1..=ROUNDS_MAX.into()).contains(&ladder.rounds.get()) {
            let expected = format!("1 to {ROUNDS_MAX} rounds");
            let found = ladder.rounds.to_string();
            return Err(Meaningless::new("allocation", expected, found));
        }
        let n_rungs = Count::saturating(self.anchors.len());
        if n_rungs <= ladder.start_rung {
            let expected = format!("a first rung below {n_rungs}");
            let found = ladder.start_rung.to_string();
            return Err(Meaningless::new("allocation", expected, found));
        }
        Ok(())
    }

    fn check_anchors(&self) -> Result<(), Meaningless> {
        let (anchors, starts) = (self.anchors.len(), self.starts.len());
        if !self.rule.has_anchors() {
            if anchors == 0 && starts == 0 {
                return Ok(());
            }
            return Err(Meaningless::new(
                "anchors",
                "anchors and starts beside rules against anchors alone",
                format!("{anchors} and {starts}"),
            ));
        }
        let seats = self.anchors.iter().map(|seat| &seat.system);
        let distinct: std::collections::BTreeSet<_> = seats.chain(&self.systems).collect();
        if distinct.len() != anchors + self.systems.len() {
            return Err(Meaningless::new(
                "anchors",
                "anchors that are all different, and none of the systems",
                "one twice",
            ));
        }
        if ANCHORS_MAX < anchors {
            let expected = format!("at most {ANCHORS_MAX} anchors");
            return Err(Meaningless::new("anchors", expected, anchors.to_string()));
        }
        // Each start once against each anchor, or as often as there are rounds.
        let rounds = self.allocation.map(|ladder| ladder.rounds.get());
        let times = rounds.map(|rounds| usize::try_from(rounds).unwrap_or(usize::MAX));
        let times = times.unwrap_or(anchors);
        let cells = [times, starts, self.systems.len(), 2].map(|count| count.max(1));
        let cells = cells
            .iter()
            .try_fold(1_usize, |cells, count| cells.checked_mul(*count));
        if anchors == 0 || starts == 0 || cells.is_none_or(|cells| CELLS_MAX < cells) {
            return Err(Meaningless::new(
                "anchors",
                format!("anchors and starts, and at most {CELLS_MAX} cells"),
                format!("{anchors} and {starts} for {} systems", self.systems.len()),
            ));
        }
        for CellStart { opening, start } in &self.starts {
            start.check_meaning(opening.as_ref())?;
        }
        Ok(())
    }
}
