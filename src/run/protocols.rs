//! The protocols under which models are measured, as data.

use std::fmt::Write as _;

use crate::event::{
    AnchoredRule, ColorRule, Context, Conversation, EventId, FailedRequest, FailedRequestPolicy,
    Name, Pairing, ProtocolPublished, StartRule, Stretch,
};
use crate::run::prompting::Prompting;
use crate::run::prompts::{
    Anchored, Chessbench, PuzzlePrompt, Template, TrackA, identities, set_digest,
};
use crate::run::protocol_part::{Preset, ProtocolPart};
use crate::run::reply::Reading;

/// A protocol for models: what is published of it, and how replies are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelProtocol {
    /// The rules as they are published.
    pub published: ProtocolPublished,
    /// How a reply is read. Absent: it is a line of moves, not one.
    pub reading: Option<Reading>,
}

/// The plies of the longest line of a puzzle.
const PUZZLE_PLIES: u32 = 3;

impl ModelProtocol {
    /// `chessbench-v3`: models play one another, each in a conversation of its own.
    pub fn chessbench_v3(name: Name, prompts: Chessbench) -> Self {
        let rules = of_preset(name, Preset::ChessbenchV3, None, None);
        Self::of(Prompting::Chessbench(prompts), prompts.attempts, rules)
    }

    /// Models play anchors, in a fresh request a move, and this engine measures
    /// during play.
    pub fn anchored(name: Name, prompts: Anchored, rule: AnchoredRule, analyst: EventId) -> Self {
        let rules = ProtocolPublished {
            anchored: Some(rule),
            ..of_preset(name, Preset::Anchored, None, Some(analyst))
        };
        Self::of(Prompting::Anchored(prompts), prompts.attempts, rules)
    }

    /// Track A: mini-matches from frozen openings, with what the system declares.
    pub fn track_a(name: Name, prompts: TrackA, rule: AnchoredRule, ply_cap: u32) -> Self {
        let rules = ProtocolPublished {
            anchored: Some(rule),
            ..of_preset(name, Preset::MiniMatches, Some(ply_cap), None)
        };
        Self::of(Prompting::TrackA(prompts), prompts.attempts, rules)
    }

    fn of(prompting: Prompting, attempts: u64, rules: ProtocolPublished) -> Self {
        Self {
            published: prompting.applied(ProtocolPublished {
                attempts: saturating(attempts),
                ..rules
            }),
            reading: Some(prompting.reading()),
        }
    }

    /// Puzzles: one request each.
    pub fn puzzles(name: Name, prompts: &PuzzlePrompt) -> Self {
        // What is said of games stands in no puzzle.
        let rules = of_preset(name, Preset::MiniMatches, Some(PUZZLE_PLIES), None);
        Self {
            published: ProtocolPublished {
                attempts: 1_u32.into(),
                colors: ColorRule::None,
                context: Context::FreshRequest,
                conversation: Conversation::Kept,
                failed_request: FailedRequest {
                    policy: FailedRequestPolicy::CountWrong,
                    replays_max: None,
                    retries_max: None,
                },
                pairing: Pairing::None,
                start: StartRule::PuzzlePosition,
                ..rules
            },
            reading: None,
        }
        .with_prompts(&prompts.templates())
    }

    /// Listed positions: one move each, in fresh requests with the prompts of Track A.
    pub fn positions(name: Name, prompts: TrackA, retries_max: u32) -> Self {
        let rules = of_preset(name, Preset::MiniMatches, Some(1), None);
        let rules = ProtocolPublished {
            colors: ColorRule::None,
            failed_request: FailedRequest {
                policy: FailedRequestPolicy::NoAnswer,
                replays_max: None,
                retries_max: Some(retries_max.into()),
            },
            pairing: Pairing::None,
            start: StartRule::ListedPosition,
            ..rules
        };
        Self::of(Prompting::TrackA(prompts), prompts.attempts, rules)
    }

    /// Returns the protocol with these prompts in the place of its own, for a
    /// system that is sent texts of its own. How replies are read stays among them.
    #[must_use]
    pub fn with_prompts(mut self, templates: &[Template]) -> Self {
        let answer = self.reading.map(Reading::declaration);
        let all: Vec<_> = templates.iter().cloned().chain(answer).collect();
        self.published.prompts = identities(&all);
        self
    }

    /// Every field with its value in words, in the order of the table in which
    /// protocols stand side by side.
    fn rows(&self) -> Vec<(&'static str, String)> {
        let rules = &self.published;
        let yes = |is| if is { "yes" } else { "no" }.to_owned();
        let reading = self.reading;
        let answer = reading.map_or("line of moves", |reading| reading.form.as_str());
        let folds = reading.map_or_else(|| "-".to_owned(), |reading| yes(reading.folds_case));
        vec![
            ("who plays whom", pairing(rules.pairing).to_owned()),
            ("start", start(rules.start).to_owned()),
            ("context", context(rules.context).to_owned()),
            ("legal moves listed", yes(rules.legal_moves_listed)),
            ("attempts", rules.attempts.to_string()),
            ("ply cap", rules.ply_cap.to_string()),
            ("adjudication", adjudication(rules)),
            ("colors", colors(rules.colors).to_owned()),
            ("failed request", failed_request(rules.failed_request)),
            ("conversation", conversation(rules.conversation).to_owned()),
            ("candidate help", rules.candidate_help.as_str().to_owned()),
            ("rejected %", rejected(rules).to_owned()),
            ("rating", rating(rules)),
            ("answer", answer.to_owned()),
            ("case folded", folds),
            ("prompts", set_digest(&rules.prompts).short()),
        ]
    }
}

/// The rules that a preset gives to engines.
fn of_preset(
    name: Name,
    preset: Preset,
    ply_cap: Option<u32>,
    analyst: Option<EventId>,
) -> ProtocolPublished {
    let part = ProtocolPart {
        name,
        preset: Some(preset),
        ply_cap,
        attempts: None,
        failed_request: None,
        replays_max: None,
        retries_max: None,
        colors: None,
        ladder: None,
        anchored: None,
        allocator: None,
        adjudication: None,
        grading: None,
        glicko2: crate::run::Glicko2Part::default(),
    };
    part.published(analyst)
}

fn saturating(attempts: u64) -> crate::canonical::Count {
    crate::canonical::Count::saturating(attempts)
}

/// Returns protocols side by side: a line a field, a column a protocol.
pub fn side_by_side(protocols: &[ModelProtocol]) -> String {
    let names = protocols
        .iter()
        .map(|protocol| protocol.published.name.to_string());
    let mut lines = vec![
        std::iter::once("field".to_owned())
            .chain(names)
            .collect::<Vec<_>>(),
    ];
    let columns: Vec<_> = protocols.iter().map(ModelProtocol::rows).collect();
    for (row, (field, _)) in columns.first().into_iter().flatten().enumerate() {
        let values = columns.iter().filter_map(|rows| rows.get(row));
        let values = values.map(|(_, value)| value.clone());
        lines.push(std::iter::once((*field).to_owned()).chain(values).collect());
    }
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<_> = (0..=protocols.len()).map(width).collect();
    let mut table = String::new();
    for line in &lines {
        for (cell, width) in line.iter().zip(&widths) {
            // Writing to a string does not fail.
            _ = write!(table, "| {cell:width$} ");
        }
        table.push_str("|\n");
    }
    table
}

const fn pairing(pairing: Pairing) -> &'static str {
    match pairing {
        Pairing::Pool => "models one another",
        Pairing::AnchorsOnly => "model v anchors only",
        Pairing::MiniMatches => "system v anchors, mini-matches",
        Pairing::None => "-",
    }
}

const fn start(start: StartRule) -> &'static str {
    match start {
        StartRule::Standard => "standard",
        StartRule::SamePositions => "same positions, same order for all",
        StartRule::OpeningPrefix => "frozen opening prefix",
        StartRule::PuzzlePosition => "puzzle position",
        StartRule::ListedPosition => "listed position",
    }
}

const fn context(context: Context) -> &'static str {
    match context {
        Context::GameMoves => "moves of the game",
        Context::OwnConversation => "own conversation, pruned",
        Context::FreshRequest => "fresh request",
        Context::Declared => "declared",
    }
}

const fn colors(colors: ColorRule) -> &'static str {
    match colors {
        ColorRule::OnceEach => "each once a start",
        ColorRule::Alternate => "alternate",
        ColorRule::LowerWhiteShare => "lower White share",
        ColorRule::None => "-",
    }
}

const fn conversation(conversation: Conversation) -> &'static str {
    match conversation {
        Conversation::None => "none",
        Conversation::Kept => "kept",
        Conversation::Erased => "erased when the game ends",
    }
}

const fn rejected(rules: &ProtocolPublished) -> &'static str {
    match rules.pairing {
        Pairing::None if matches!(rules.start, StartRule::ListedPosition) => "answers by class",
        Pairing::None => "table of reply formats",
        Pairing::Pool | Pairing::AnchorsOnly | Pairing::MiniMatches => {
            "rejected / answered attempts"
        }
    }
}

fn failed_request(rule: FailedRequest) -> String {
    let policy = match rule.policy {
        FailedRequestPolicy::ReplayCell => "replay the cell in frozen order",
        FailedRequestPolicy::ScheduleAgain => "abort, schedule again",
        FailedRequestPolicy::AbortUncounted => "abort, does not count",
        FailedRequestPolicy::CountWrong => "counts as wrong",
        FailedRequestPolicy::NoAnswer => "no answer, neither right nor wrong",
    };
    match rule.replays_max {
        Some(max) => format!("{policy}, at most {max} times"),
        None => policy.to_owned(),
    }
}

fn adjudication(rules: &ProtocolPublished) -> String {
    let stretch = |word: &str, stretch: Option<Stretch>| {
        stretch.map(|Stretch { cp, positions }| format!("{word} {cp} cp x {positions}"))
    };
    let rule = rules.adjudication.map(|rule| {
        let parts = [stretch("win", rule.win), stretch("level", rule.level)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    });
    rule.unwrap_or_else(|| "none".to_owned())
}

fn rating(rules: &ProtocolPublished) -> String {
    match (&rules.anchored, rules.glicko2, rules.pairing) {
        (_, Some(_), _) => "Glicko-2 pool".to_owned(),
        (Some(rule), None, Pairing::MiniMatches) => format!("joint W-D-L fit, {}", rule.scale),
        (Some(rule), None, _) => format!("each alone, {}", rule.scale),
        (None, None, _) if rules.start == StartRule::ListedPosition => "none".to_owned(),
        (None, None, _) => "solved / n".to_owned(),
    }
}
