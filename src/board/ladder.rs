use serde_json::json;

use crate::board::placement::{label, take_conduct};
use crate::board::render::{figures_of, overview_of};
use crate::board::{Accounting, Conduct, Coverage, Estimate, Format, Row, Sample, Table, Wdl};
use crate::chess::Color;
use crate::event::{EventId, EvidenceStatus};
use crate::finding::counted;
use crate::measure::NotFinite;
use crate::projection::{
    Cohort, CohortCounts, CostPerGame, CostState, Era, Game, GameState, Projection, Resources,
    Source, Status,
};

/// The ladder of an era: its rows, and what a reader must know of them.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderBoard {
    /// The era.
    pub era: String,
    /// The name of the protocol.
    pub protocol: String,
    /// The status of the evidence.
    pub evidence_status: EvidenceStatus,
    /// Whether the first batch is complete. Until then nobody is ranked.
    pub is_placed: bool,
    /// How far the first batch is.
    pub first_batch: CohortCounts,
    /// Games of the first batch that are still to be played.
    pub open: usize,
    /// Whether it was closed.
    pub is_closed: bool,
    /// Whether the seed of its draws was revealed.
    pub has_seed: bool,
    /// How many draws its ladder made.
    pub draws: usize,
    /// Games that changed ratings after the first batch.
    pub rated: usize,
    /// Games that corrections take out of every figure.
    pub excluded: usize,
    /// One row an identity, in the order of rank positions, then the unranked.
    pub rows: Vec<LadderRow>,
    /// Identities that left, with how.
    pub left: Vec<(String, Status)>,
    /// What it was computed from.
    pub source: Source,
}

/// One identity on the ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderRow {
    /// Its figures.
    pub row: Row,
    /// Whether it plays.
    pub status: Status,
    /// What its side of a game costs, over completed games with complete pricing.
    pub cost_per_game: Option<CostPerGame>,
}

const SCALE: &str = "Glicko-2: the first batch as one rating period from equal starts, then game by game; the interval is rating +- 1.96 RD";

const LIMITS: &str = "These ratings compare the systems of this era under its protocol. They are no FIDE, Lichess or Chess.com ratings. Glicko-2 gives every record a finite rating, a perfect score too; live ratings depend on the order of games.";

impl LadderBoard {
    /// Returns the ladder of an era as it stands.
    pub fn of(projection: &Projection, era: &Era, source: Source) -> Self {
        let games = Games::of(projection, era);
        let first = projection.schedules.schedule(&era.started.placement);
        let first = first.map(|schedule| Cohort::of(schedule, &projection.games));
        let status = first
            .as_ref()
            .map_or(EvidenceStatus::Pilot, Cohort::evidence_status);
        let standings = projection.standings(era);
        let ranked = standings.iter().map(|one| (one.identity, Some(one.rank)));
        let is_unranked = |identity: &EventId| {
            !standings.iter().any(|one| one.identity == *identity)
                && !projection.identities.status(identity).has_left()
        };
        let members = era.ladder.members().map(|(identity, _)| *identity);
        let unranked = members.filter(is_unranked).map(|identity| (identity, None));
        let rows = ranked
            .chain(unranked)
            .filter_map(|(identity, rank)| games.row(projection, era, identity, rank, status))
            .collect();
        let protocol = projection.systems.protocol(&era.started.protocol);
        Self {
            era: era.started.name.to_string(),
            protocol: protocol.map_or_else(String::new, |one| one.published.name.to_string()),
            evidence_status: status,
            is_placed: era.is_placed,
            first_batch: first.as_ref().map(Cohort::counts).unwrap_or_default(),
            open: first.map_or(0, |first| first.open_cells().len()),
            is_closed: era.is_closed,
            has_seed: era.seed.is_some(),
            draws: era.draws.len(),
            rated: era.ladder.rated().len(),
            excluded: games.excluded,
            rows,
            left: left(projection, era),
            source,
        }
    }

    /// Returns the board as bytes that end in a newline.
    ///
    /// # Errors
    ///
    /// When a rating is no finite number, which is never printed.
    pub fn render(&self, format: Format) -> Result<Vec<u8>, NotFinite> {
        let rows = || self.rows.iter().map(|row| &row.row);
        let lines = |lines: Vec<String>, between: &str| lines.join(between);
        match format {
            Format::Text => {
                let table = overview_of(rows(), Accounting::in_words)?.markdown();
                let (heading, notes) = (self.heading(), self.notes());
                let [heading, notes] = [heading, notes].map(|text| lines(text, "\n"));
                Ok(format!("{heading}\n\n{table}\n{notes}\n").into_bytes())
            }
            Format::Markdown => {
                let table = overview_of(rows(), Accounting::in_words)?.markdown();
                let [heading, notes] =
                    [self.heading(), self.notes()].map(|text| lines(text, "\n\n"));
                Ok(format!("# {heading}\n\n{table}\n{notes}\n").into_bytes())
            }
            Format::Csv => Ok(self.figures()?.csv()),
            Format::Json => {
                let document = json!({
                    "board": "ladder",
                    "draws": self.draws,
                    "era": self.era,
                    "evidence_status": self.evidence_status.as_str(),
                    "excluded": self.excluded,
                    "first_batch": {
                        "finished": self.first_batch.finished,
                        "games": self.first_batch.cells,
                        "open": self.open,
                    },
                    "is_closed": self.is_closed,
                    "is_seed_revealed": self.has_seed,
                    "is_placed": self.is_placed,
                    "left": self.left.iter().map(|(name, status)| json!({
                        "status": status.as_str(), "system": name,
                    })).collect::<Vec<_>>(),
                    "limits": LIMITS,
                    "origin": self.source.origin.as_str(),
                    "protocol": self.protocol,
                    "rated": self.rated,
                    "root": self.source.root.to_string(),
                    "rows": self.figures()?.objects(),
                    "scale": SCALE,
                    "size": self.source.size,
                    "v": 1,
                });
                Ok(format!("{document:#}\n").into_bytes())
            }
        }
    }

    /// Returns the board's whole table: every figure that its CSV holds.
    ///
    /// # Errors
    ///
    /// When a rating is no finite number.
    pub fn figures(&self) -> Result<Table, NotFinite> {
        let table = figures_of(self.rows.iter().map(|row| &row.row))?;
        let columns = [
            "status",
            "cost_usd_per_game",
            "cost_state",
            "cost_per_game_games",
        ];
        let more = self.rows.iter().map(|row| {
            let cost = row.cost_per_game;
            let average = cost.and_then(|cost| cost.average());
            vec![
                row.status.as_str().to_owned(),
                average.map_or_else(String::new, |usd| usd.to_string()),
                match (average, row.row.system().is_billed) {
                    (Some(_), _) => CostState::Known,
                    (None, true) => CostState::Unknown,
                    (None, false) => CostState::NotApplicable,
                }
                .as_str()
                .to_owned(),
                cost.map_or(0, |cost| cost.games).to_string(),
            ]
        });
        Ok(table.beside(&columns, more.collect()))
    }

    fn heading(&self) -> Vec<String> {
        let standing = match (self.is_placed, self.is_closed) {
            (false, _) => format!(
                "first batch: {} of {} have a result, {} open; nobody is ranked before it is complete",
                self.first_batch.finished,
                counted(self.first_batch.cells, "game"),
                self.open
            ),
            (true, closed) => format!(
                "{} after the first batch, {}, {}",
                counted(self.rated, "rated game"),
                counted(self.draws, "draw"),
                match (closed, self.has_seed) {
                    (true, true) => "the seed revealed",
                    (true, false) => "the seed lost: no draw can be checked",
                    (false, _) => "the seed not yet revealed",
                }
            ),
        };
        vec![
            format!("Ladder of era {}, protocol {}", self.era, self.protocol),
            format!("Evidence: {}. {standing}.", self.evidence_status.as_str()),
            format!(
                "From the first {} events of {}, root {}",
                self.source.size, self.source.origin, self.source.root
            ),
        ]
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![format!("Scale: {SCALE}."), LIMITS.to_owned()];
        let named = |which: &dyn Fn(&&LadderRow) -> bool| -> Vec<String> {
            let rows = self.rows.iter().filter(which);
            rows.map(|row| row.row.system().name.clone()).collect()
        };
        let mut note = |what: &str, names: Vec<String>| {
            if !names.is_empty() {
                notes.push(format!("{what}: {}.", names.join(", ")));
            }
        };
        note(
            "Paused, keeping its position",
            named(&|row| row.status == Status::Paused),
        );
        let is_unranked = |row: &&LadderRow| row.row.estimate().rank.is_none();
        note("Unranked until placed", named(&is_unranked));
        let left = self.left.iter();
        note(
            "Left the ladder",
            left.map(|(name, how)| format!("{name} ({})", how.as_str()))
                .collect(),
        );
        let is_flagged = |row: &&LadderRow| !row.row.estimate().rating.flags().is_empty();
        note("Beyond sane limits", named(&is_flagged));
        if self.excluded != 0 {
            notes.push(format!(
                "Games that corrections exclude: {}.",
                self.excluded
            ));
        }
        notes
    }
}

/// Identities that left the ladder, in the order of ids.
fn left(projection: &Projection, era: &Era) -> Vec<(String, Status)> {
    let first = projection.schedules.schedule(&era.started.placement);
    let systems = first.into_iter().flat_map(|first| &first.committed.systems);
    let of_first = systems.filter_map(|system| projection.identities.of_system(system));
    let members = era.ladder.members().map(|(identity, _)| *identity);
    let all: std::collections::BTreeSet<_> = of_first.chain(members).collect();
    all.into_iter()
        .map(|identity| (identity, projection.identities.status(&identity)))
        .filter(|(_, status)| status.has_left())
        .map(|(identity, status)| (projection.name_of(&identity), status))
        .collect()
}

/// The games of an era between systems.
struct Games<'a> {
    counting: Vec<&'a Game>,
    aborted: Vec<&'a Game>,
    excluded: usize,
}

impl<'a> Games<'a> {
    fn of(projection: &'a Projection, era: &Era) -> Self {
        let first = projection.schedules.schedule(&era.started.placement);
        let first = first.map(|schedule| Cohort::of(schedule, &projection.games));
        let of_first = first.iter().flat_map(Cohort::counting);
        let mut counting: Vec<_> = of_first.collect();
        let aborted = first.iter().flat_map(|first| first.aborted.iter().copied());
        let mut aborted: Vec<_> = aborted.collect();
        let of_first = first.iter().flat_map(Cohort::finished);
        let mut excluded = of_first.filter(|game| game.is_excluded).count();
        for game in projection
            .games
            .iter()
            .filter(|game| game.era == Some(era.id))
        {
            let is_later = game.started.stage.is_between_systems()
                && game
                    .cell()
                    .is_none_or(|cell| cell.schedule != era.started.placement);
            match game.state {
                GameState::Finished { .. } if is_later && game.is_excluded => excluded += 1,
                GameState::Finished { .. } if is_later => counting.push(game),
                GameState::Aborted { .. } if is_later => aborted.push(game),
                _ => {}
            }
        }
        Self {
            counting,
            aborted,
            excluded,
        }
    }

    fn row(
        &self,
        projection: &Projection,
        era: &Era,
        identity: EventId,
        rank: Option<u64>,
        evidence_status: EvidenceStatus,
    ) -> Option<LadderRow> {
        let color_of = |game: &Game| {
            let seats = game.seats().into_iter();
            let is_this = |system| projection.identities.of_system(system) == Some(identity);
            seats
                .filter(|(_, system)| is_this(system))
                .map(|(color, _)| color)
                .next()
        };
        let games: Vec<(&Game, Color)> = self
            .counting
            .iter()
            .filter_map(|game| Some((*game, color_of(game)?)))
            .collect();
        let (mut wdl, mut conduct) = (Wdl::default(), Conduct::default());
        let mut resources = Resources::default();
        for (game, color) in &games {
            if let Some(result) = game.result() {
                wdl.take(result, *color);
            }
            take_conduct(&mut conduct, game, *color);
            resources.join(game.resources.get(*color));
        }
        let aborted = self.aborted.iter().filter(|game| color_of(game).is_some());
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let label = label(projection, &identity);
        let accounting = Accounting::new(
            resources,
            count(games.len()),
            count(aborted.count()),
            label.is_billed,
        );
        let rating = era.ladder.member(&identity)?.rating;
        Some(LadderRow {
            row: Row::new(
                label,
                Estimate::new(rank, rating),
                Sample::new(wdl)?,
                conduct,
                Coverage::of(games.iter().copied()),
                evidence_status,
                accounting,
            ),
            status: projection.identities.status(&identity),
            cost_per_game: projection.cost_per_game(era, identity),
        })
    }
}
