//! A cohort against anchors, in memory: games of every ending, moves measured,
//! calls priced. Ids and times depend on what a game is and on nothing else.

use std::collections::BTreeMap;

use scoresheet::canonical::Count;
use scoresheet::chess::{Fen, GameResult, Ply, RejectionClass, Rules, Termination, Variant};
use scoresheet::digest::Digest;
use scoresheet::event::{
    AbortCause, AnchorRegistered, CallAnswered, CallSent, Event, EventId, GameAborted,
    GameFinished, GameStarted, MoveRejected, PositionMeasured, PriceRecorded, ProtocolPublished,
    ScheduleCommitted, Stage, SystemRegistered, Verified, What,
};
use scoresheet::projection::{Cell, Projection, Schedule, cells_of};
use serde_json::{Value, json};

use crate::story::{RUN_FILE, TIME, accepted, body, event_at, system};

/// Events as they come, and what follows from them.
pub(crate) struct Contest {
    pub(crate) events: Vec<Verified<Event>>,
    pub(crate) projection: Projection,
    pub(crate) analyst: EventId,
    pub(crate) schedule: EventId,
    pub(crate) cells: Vec<Cell>,
    pub(crate) names: BTreeMap<EventId, String>,
    committed: ScheduleCommitted,
    /// When things happen that are part of a game.
    time: String,
}

/// How a game goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Course {
    WhiteMates,
    BlackMates,
    Repetition,
    PlyLimit,
    WhiteForfeits,
    BlackForfeits,
}

impl Course {
    pub(crate) const ALL: [Self; 6] = [
        Self::WhiteMates,
        Self::BlackMates,
        Self::Repetition,
        Self::PlyLimit,
        Self::WhiteForfeits,
        Self::BlackForfeits,
    ];

    /// The moves, and what they come to.
    const fn script(self) -> (&'static str, GameResult, Termination) {
        use GameResult::{BlackWins, Draw, WhiteWins};
        match self {
            Self::WhiteMates => (
                "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7",
                WhiteWins,
                Termination::Checkmate,
            ),
            Self::BlackMates => ("f2f3 e7e5 g2g4 d8h4", BlackWins, Termination::Checkmate),
            Self::Repetition => (
                "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
                Draw,
                Termination::ThreefoldRepetition,
            ),
            Self::PlyLimit => (
                "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",
                Draw,
                Termination::PlyLimit,
            ),
            Self::WhiteForfeits => ("", BlackWins, Termination::RejectedMoves),
            Self::BlackForfeits => ("e2e4", WhiteWins, Termination::RejectedMoves),
        }
    }
}

fn engine(name: &str, limit: &Value) -> SystemRegistered {
    body(json!({
        "assistance": {"kind": "none"},
        "engine": {
            "files": [{"bytes": 1, "name": name, "sha256": Digest::of(name.as_bytes())}],
            "limit": limit, "name": format!("{name} 1.0"), "options": [],
        },
        "name": name,
    }))
}

/// What a contest is between, and under which rules.
pub(crate) struct Setting<'a> {
    pub(crate) rule: &'a str,
    pub(crate) anchors: &'a [(&'a str, u32)],
    pub(crate) systems: &'a [&'a str],
    pub(crate) starts: usize,
    /// What the protocol says of the fit, beside its scale.
    pub(crate) terms: Value,
}

impl Contest {
    /// From the standard position, and from prefixes of it.
    pub(crate) fn new(setting: &Setting<'_>) -> Self {
        let starts: Vec<_> = (0..setting.starts).map(start).collect();
        Self::from(&starts, setting)
    }

    /// On a ladder of its anchors, so many times through its starts from this rung on;
    /// every start is the standard position.
    pub(crate) fn on_a_ladder(setting: &Setting<'_>, rounds: usize, start_rung: usize) -> Self {
        let starts = vec![start(0); setting.starts];
        let ladder = json!({"rounds": rounds, "start_rung": start_rung, "version": 1});
        Self::allotted(&starts, setting, Some(ladder))
    }

    /// From these starts, however many the setting says.
    pub(crate) fn from(starts: &[Value], setting: &Setting<'_>) -> Self {
        Self::allotted(starts, setting, None)
    }

    fn allotted(starts: &[Value], setting: &Setting<'_>, ladder: Option<Value>) -> Self {
        let nothing = EventId::of(b"");
        let mut contest = Self {
            events: Vec::new(),
            projection: Projection::default(),
            analyst: nothing,
            schedule: nothing,
            cells: Vec::new(),
            names: BTreeMap::new(),
            committed: body(json!({
                "cohort": "c", "protocol": nothing, "rule": "double_round_robin",
                "systems": [], "run_file": Digest::of(RUN_FILE),
            })),
            time: TIME.to_owned(),
        };
        contest.analyst = contest.say(engine("referee", &json!({"nodes": 1000})));
        let is_paired = setting.rule != "anchored";
        let mut terms = setting.terms.clone();
        terms["scale"] = "test-scale".into();
        let protocol = contest.say(body::<ProtocolPublished>(json!({
            "anchored": terms, "attempts": 1, "candidate_help": "none",
            "colors": if is_paired { "once_each" } else { "alternate" },
            "context": "fresh_request", "conversation": "kept",
            "failed_request": {"policy": "replay_cell"},
            "grading": {"analyst": contest.analyst, "open_cp": 500},
            "legal_moves_listed": false, "name": "p",
            "pairing": if is_paired { "mini_matches" } else { "anchors_only" },
            "ply_cap": 8, "rules": "chessjs-1.4",
            "start": if is_paired { "opening_prefix" } else { "same_positions" },
        })));
        let anchors: Vec<_> = setting
            .anchors
            .iter()
            .map(|(name, rating)| {
                let system = contest.say(engine(name, &json!({"nodes": 100})));
                let anchor = contest.say(body::<AnchorRegistered>(json!({
                    "basis": "nominal", "rating": rating.to_string(), "system": system,
                })));
                contest.names.insert(system, (*name).to_owned());
                json!({"anchor": anchor, "system": system})
            })
            .collect();
        let systems: Vec<_> = setting
            .systems
            .iter()
            .map(|name| {
                let id = contest.say(system(name, "m"));
                contest.names.insert(id, (*name).to_owned());
                id
            })
            .collect();
        let mut committed = json!({
            "anchors": anchors, "cohort": "c", "protocol": protocol, "rule": setting.rule,
            "run_file": Digest::of(RUN_FILE), "starts": starts, "systems": systems,
        });
        if let Some(ladder) = ladder {
            committed["allocation"] = ladder;
        }
        contest.committed = body(committed);
        contest.cells = cells_of(&contest.committed);
        contest.schedule = contest.say(contest.committed.clone());
        contest
    }

    pub(crate) fn say(&mut self, what: impl Into<What>) -> EventId {
        let event = event_at(&self.time, what);
        self.projection.apply(&event);
        let id = event.id();
        self.events.push(event);
        id
    }

    /// Goes on at this day of December.
    pub(crate) fn on(&mut self, day: usize) {
        self.time = format!("2026-12-{day:02}T12:00:00.000Z");
    }

    /// The schedule as it stands.
    pub(crate) fn schedule(&self) -> &Schedule {
        let schedules = &self.projection.schedules;
        schedules.schedule(&self.schedule).unwrap()
    }

    pub(crate) fn start(&mut self, cell: usize) -> EventId {
        let registered = self.schedule().cells[cell].clone();
        let started: GameStarted = body(json!({
            "cell": {"index": cell, "schedule": self.schedule},
            "protocol": self.committed.protocol,
            "seats": registered.seats, "stage": Stage::Anchored,
            "start": registered.start,
        }));
        let started = GameStarted {
            opening: registered.opening,
            ..started
        };
        self.say(started)
    }

    /// Plays the game of a cell to its end.
    pub(crate) fn play(&mut self, cell: usize, course: Course) -> EventId {
        self.play_out(cell, course.script())
    }

    /// Plays these moves in the game of a cell, and ends it so.
    pub(crate) fn play_out(
        &mut self,
        cell: usize,
        script: (&str, GameResult, Termination),
    ) -> EventId {
        let game = self.start(cell);
        self.go_through(game, script);
        game
    }

    /// Ends a game that was started, in this way.
    pub(crate) fn end(&mut self, game: EventId, course: Course) {
        self.go_through(game, course.script());
    }

    fn go_through(
        &mut self,
        game: EventId,
        (moves, result, termination): (&str, GameResult, Termination),
    ) {
        let started = &self.projection.games.game(&game).unwrap().started;
        let opening = started.opening.as_ref();
        let before = opening.map_or(0, |opening| opening.moves.len());
        let before = u32::try_from(before).unwrap();
        let mut plies = 0_u32;
        for uci in moves.split_whitespace() {
            plies += 1;
            self.say(accepted(game, before + plies, uci));
        }
        if termination == Termination::RejectedMoves {
            self.say(MoveRejected {
                attempt: 1_u32.into(),
                bodies: Vec::new(),
                call: None,
                class: RejectionClass::Unparseable,
                extracted: "I resign".to_owned(),
                game,
                ply: Ply(before + plies + 1),
            });
        }
        self.say(GameFinished {
            game,
            plies: plies.into(),
            result,
            termination,
        });
    }

    /// A game that its provider ended. What comes next comes an hour later, so
    /// that the game is not the next one of its cell.
    pub(crate) fn abort(&mut self, cell: usize) {
        let game = self.start(cell);
        self.say(GameAborted {
            call: None,
            cause: AbortCause::ProviderFailure,
            game,
            reason: "no answer".to_owned(),
        });
        self.time = self.time.replace("T12", "T13");
    }

    /// The cell of a system against an anchor from a start, with White or not.
    pub(crate) fn cell(&self, system: &str, anchor: &str, start: usize, is_white: bool) -> usize {
        let a_start = self.cells.len() / self.committed.starts.len();
        let name = |id: &EventId| self.names[id].as_str();
        let mut found = self.cells.iter().enumerate().filter(|(index, cell)| {
            let seats = (name(&cell.seats.white), name(&cell.seats.black));
            let wanted = if is_white {
                (system, anchor)
            } else {
                (anchor, system)
            };
            index / a_start == start && seats == wanted
        });
        found.next().unwrap().0
    }

    /// Measures every position of a game after it, each once: White gains
    /// ten centipawns a ply.
    pub(crate) fn measure(&mut self, game: EventId) {
        let played = self.projection.games.game(&game).unwrap().clone();
        let opening = played.started.opening.iter().flat_map(|one| &one.moves);
        let moves: Vec<_> = opening
            .copied()
            .chain(played.moves.iter().map(|one| one.uci))
            .collect();
        let start = &played.started.start;
        let mut board =
            scoresheet::chess::Game::new(&start.fen, start.variant, Rules::ChessJs14).unwrap();
        for (ply, uci) in (0_i32..).zip(moves.iter().map(Some).chain([None])) {
            let legal = board.legal_moves();
            let cp = if ply % 2 == 0 { 10 * ply } else { -10 * ply };
            let lines: Vec<_> = legal
                .iter()
                .take(3)
                .map(|best| json!({"cp": cp, "pv": [best], "wdl": {"w": 300, "d": 400, "l": 300}}))
                .collect();
            let best = legal.first();
            if best.is_some() {
                let measured = measured(self.analyst, &board.fen(), start.variant, &lines);
                let event = event_at(&self.time, measured);
                if self.events.iter().all(|one| one.id() != event.id()) {
                    self.say(event.what.clone());
                }
            }
            if let Some(uci) = uci {
                board.play(*uci).unwrap();
            }
        }
    }

    /// Says that a side asked once in a game, with its tokens.
    pub(crate) fn ask(&mut self, game: EventId, system: EventId, ply: u32, tokens: [u32; 2]) {
        let call = self.say(body::<CallSent>(json!({
            "attempt": 1, "game": game, "ply": ply, "requested_model": "m", "route": "r",
            "system": system,
        })));
        let [prompt, completion] = tokens;
        self.say(body::<CallAnswered>(json!({
            "call": call, "cost_usd": "9", "time": {"queue_ms": 500, "total_ms": 2000},
            "tokens": {"completion": completion, "prompt": prompt},
        })));
    }

    pub(crate) fn price(&mut self, prompt: &str, completion: &str) {
        self.say(body::<PriceRecorded>(json!({
            "completion_usd_per_million": completion, "prompt_usd_per_million": prompt,
            "requested_model": "m", "route": "r", "source": "the list",
        })));
    }

    pub(crate) fn codes(&self) -> Vec<&'static str> {
        let findings = self.projection.findings.iter();
        findings.map(|finding| finding.code.as_str()).collect()
    }
}

fn measured(analyst: EventId, fen: &Fen, variant: Variant, lines: &[Value]) -> PositionMeasured {
    body(json!({
        "analyst": analyst, "best": lines[0]["pv"][0], "fen": fen, "lines": lines,
        "nodes": Count::from(1000_u32), "variant": variant,
    }))
}

/// The standard position, and prefixes of it in which both push a rook's pawn.
fn start(number: usize) -> Value {
    let start = json!({"fen": Fen::standard_start(), "variant": Variant::Standard});
    let white = ["a2a3", "a2a4", "h2h3", "h2h4"];
    let black = ["a7a6", "a7a5", "h7h6"];
    match number.checked_sub(1) {
        None => json!({"start": start}),
        Some(number) => json!({
            "opening": {
                "moves": [white[number % 4], black[number / 4]],
                "name": format!("prefix-{number}"),
            },
            "start": start,
        }),
    }
}
