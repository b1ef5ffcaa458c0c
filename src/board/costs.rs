use std::collections::BTreeMap;

use crate::board::account_level::observed_accounts;
use crate::board::{DayRange, intervals};
use crate::canonical::Day;
use crate::chess::Color;
use crate::event::{AccountObserved, CostPart, EventId, SystemRegistered};
use crate::finding::visible;
use crate::projection::{CostFigures, CostGroup, CostPerGame, CostSlot, Projection, Source};

/// The Cost Breakdown: what everything cost, in rows and along the days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostBoard {
    /// What the rows are.
    pub by: CostsBy,
    /// The UTC days that it covers; nothing where there is nothing to cover.
    pub range: Option<DayRange>,
    /// The columns of its timeline.
    pub intervals: Vec<DayRange>,
    /// The rows, the total last.
    pub lines: Vec<CostLine>,
    /// Calls of games that people pay for themselves; their money is in no row.
    pub byok_calls: u64,
    /// What benchmark games took of each identity.
    pub systems: Vec<SystemCosts>,
    /// What accounts were seen to spend in days of the range asked for: in no row
    /// and no sum.
    pub accounts: Vec<AccountObserved>,
    /// What it was computed from.
    pub source: Source,
}

/// What the rows of a breakdown are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostsBy {
    /// The parts: placement, continuous benchmark, human games, expenses.
    Part,
    /// Identities, each a model version with its thinking setup.
    System,
}

impl CostsBy {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Part => "part",
            Self::System => "system",
        }
    }
}

/// A row of a breakdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostLine {
    /// What it is of, for people.
    pub label: String,
    /// The thinking setup, where it is of an identity.
    pub setup: Option<String>,
    /// The word for it, or the id of its identity.
    pub key: String,
    /// Whether it adds to the total.
    pub kind: LineKind,
    /// Over the whole range.
    pub all: CostFigures,
    /// Over each interval of the timeline.
    pub each: Vec<CostFigures>,
}

/// What a row of a breakdown is to the total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// One of those that add up to it.
    Entry,
    /// Some of those together, never added again.
    Subtotal,
    /// The total itself.
    Total,
}

impl LineKind {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Subtotal => "subtotal",
            Self::Total => "total",
        }
    }
}

/// What benchmark games took of an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemCosts {
    /// The name of its first registration.
    pub name: String,
    /// Its thinking setup, in words.
    pub setup: String,
    /// The id of its first registration.
    pub identity: EventId,
    /// Of its calls and attempts in benchmark games of any state.
    pub figures: CostFigures,
    /// Over completed benchmark games with complete pricing.
    pub cost_per_game: CostPerGame,
    /// Sides of completed benchmark games, with complete pricing or not.
    pub completed: u64,
}

/// What the parts are called.
const fn label(group: CostGroup) -> &'static str {
    match group {
        CostGroup::Part(CostPart::Placement) => "Placement games",
        CostGroup::Part(CostPart::Continuous) => "Continuous benchmark",
        CostGroup::Part(CostPart::Human) => "Human games",
        CostGroup::Part(CostPart::Operating) => "Operating expenses",
        CostGroup::Outside => "Outside games",
        CostGroup::Byok => "Paid by players (BYOK)",
    }
}

const SUBTOTAL: &str = "Benchmark LLM cost";

/// Returns the breakdown of all costs before the end of a prefix, over the UTC
/// days from the first to the last one given, else to the ends of what there is.
pub fn costs(
    projection: &Projection,
    by: CostsBy,
    from: Option<Day>,
    until: Option<Day>,
    source: Source,
) -> CostBoard {
    let mut figures = projection.costs.figures();
    figures.retain(|slot, _| {
        from.is_none_or(|from| from <= slot.day) && until.is_none_or(|until| slot.day <= until)
    });
    let first = figures.keys().next().map(|slot| slot.day);
    let last = figures.keys().next_back().map(|slot| slot.day);
    let ends = from.or(first).or(until).zip(until.or(last).or(from));
    let range = ends.map(|(from, until)| DayRange { from, until });
    let mut board = CostBoard {
        by,
        range,
        intervals: range.map_or_else(Vec::new, intervals),
        lines: Vec::new(),
        byok_calls: 0,
        systems: systems(projection, &figures, range),
        accounts: observed_accounts(projection, from, until),
        source,
    };
    let byok = figures
        .iter()
        .filter(|(slot, _)| slot.group == CostGroup::Byok);
    board.byok_calls = byok.map(|(_, figures)| figures.ended).sum();
    figures.retain(|slot, _| slot.group != CostGroup::Byok);
    match by {
        CostsBy::Part => board.take_parts(&figures),
        CostsBy::System => board.take_systems(projection, &figures),
    }
    board.push("Total", None, "total", LineKind::Total, &figures, |_| true);
    board
}

impl CostBoard {
    fn take_parts(&mut self, figures: &BTreeMap<CostSlot, CostFigures>) {
        for group in CostGroup::ALL {
            let is_there = figures.keys().any(|slot| slot.group == group);
            if group == CostGroup::Byok || (group == CostGroup::Outside && !is_there) {
                continue;
            }
            let (name, key) = (label(group), group.as_str());
            let has = |slot: &CostSlot| slot.group == group;
            self.push(name, None, key, LineKind::Entry, figures, has);
            if group == CostGroup::Part(CostPart::Continuous) {
                self.push_subtotal(figures);
            }
        }
    }

    fn take_systems(&mut self, projection: &Projection, figures: &BTreeMap<CostSlot, CostFigures>) {
        for identity in in_order(projection, figures) {
            let (name, setup) = named(projection, &identity);
            let key = identity.to_string();
            let has = |slot: &CostSlot| slot.identity == Some(identity);
            self.push(&name, Some(setup), &key, LineKind::Entry, figures, has);
        }
        let operating = CostGroup::Part(CostPart::Operating);
        let has = |slot: &CostSlot| slot.group == operating;
        let (name, key) = (label(operating), operating.as_str());
        self.push(name, None, key, LineKind::Entry, figures, has);
        let has = |slot: &CostSlot| slot.identity.is_none() && slot.group != operating;
        if figures.keys().any(has) {
            let name = "Bills of no single system";
            self.push(name, None, "bills", LineKind::Entry, figures, has);
        }
        self.push_subtotal(figures);
    }

    fn push_subtotal(&mut self, figures: &BTreeMap<CostSlot, CostFigures>) {
        let has = |slot: &CostSlot| slot.group.is_benchmark();
        let key = "benchmark_llm_cost";
        self.push(SUBTOTAL, None, key, LineKind::Subtotal, figures, has);
    }

    fn push(
        &mut self,
        label: &str,
        setup: Option<String>,
        key: &str,
        kind: LineKind,
        figures: &BTreeMap<CostSlot, CostFigures>,
        has: impl Fn(&CostSlot) -> bool,
    ) {
        let mut line = CostLine {
            label: label.to_owned(),
            setup,
            key: key.to_owned(),
            kind,
            all: CostFigures::default(),
            each: vec![CostFigures::default(); self.intervals.len()],
        };
        for (slot, figures) in figures.iter().filter(|(slot, _)| has(slot)) {
            line.all.join(figures);
            let after = self.intervals.partition_point(|one| one.until < slot.day);
            if let Some(sum) = line.each.get_mut(after) {
                sum.join(figures);
            }
        }
        self.lines.push(line);
    }
}

/// The identities that anything is of, in the order of their registration.
fn in_order(projection: &Projection, figures: &BTreeMap<CostSlot, CostFigures>) -> Vec<EventId> {
    let mut there: Vec<_> = figures.keys().filter_map(|slot| slot.identity).collect();
    there.sort_by_key(|id| {
        let identity = projection.identities.identity(id);
        (identity.map_or(u64::MAX, |identity| identity.index), *id)
    });
    there.dedup();
    there
}

/// The name of an identity, and its thinking setup.
fn named(projection: &Projection, identity: &EventId) -> (String, String) {
    let system = projection.systems.system(identity);
    let setup = system.map_or_else(String::new, |system| setup(&system.registered));
    (projection.name_of(identity), setup)
}

/// What sets a version of a model apart from itself, in words.
fn setup(system: &SystemRegistered) -> String {
    let mut words = Vec::new();
    if let Some(model) = &system.model {
        let effort = model.reasoning_effort.as_deref();
        words.push(effort.unwrap_or("no effort set").to_owned());
        let values = model.parameters.iter();
        words.extend(values.map(|one| format!("{}={}", one.name, one.value)));
    } else if let Some(baseline) = &system.baseline {
        words.push(baseline.as_str().to_owned());
    } else if let Some(engine) = &system.engine {
        let limit = engine.limit;
        let limits = [
            ("depth", limit.depth),
            ("nodes", limit.nodes),
            ("ms", limit.movetime_ms),
        ];
        let limits = limits.into_iter();
        words.extend(limits.filter_map(|(name, limit)| Some(format!("{name}={}", limit?))));
    }
    // Texts of strangers stay on their line.
    visible(&words.join(", "))
}

fn systems(
    projection: &Projection,
    figures: &BTreeMap<CostSlot, CostFigures>,
    range: Option<DayRange>,
) -> Vec<SystemCosts> {
    let mut systems: BTreeMap<EventId, SystemCosts> = BTreeMap::new();
    let benchmark = figures.iter().filter(|(slot, _)| slot.group.is_benchmark());
    for (slot, figures) in benchmark {
        if let Some(identity) = slot.identity {
            let system = systems.entry(identity).or_insert_with(|| {
                let (name, setup) = named(projection, &identity);
                SystemCosts {
                    name,
                    setup,
                    identity,
                    figures: CostFigures::default(),
                    cost_per_game: CostPerGame::default(),
                    completed: 0,
                }
            });
            system.figures.join(figures);
        }
    }
    for game in projection.games.iter().filter(|game| game.counts()) {
        let at = game.finished_at();
        let is_within = at.is_some_and(|at| range.is_some_and(|range| range.has(Day::of(at))));
        if !is_within || !projection.cost_group(Some(&game.id)).is_benchmark() {
            continue;
        }
        for color in [Color::White, Color::Black] {
            let identity = projection.payer_of(game.seat(color));
            if let Some(system) = systems.get_mut(&identity) {
                system.completed += 1;
                system.cost_per_game.take(game.resources.get(color));
            }
        }
    }
    let order = in_order(projection, figures);
    order.iter().filter_map(|id| systems.remove(id)).collect()
}
