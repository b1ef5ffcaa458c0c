use serde_json::{Value, json};

use crate::board::anchored::{
    AnchoredBoard, AnchoredRow, Control, REPLICATES, SEED, anchored_figures, nominal_in_words,
};
use crate::board::page::Page;
use crate::board::{Format, Wdl};
use crate::event::ScheduleRule;
use crate::measure::NotFinite;
use crate::projection::VERDICT_CP;

/// What the numbers do not say.
const LIMITS: &str = "These ratings are no FIDE, Lichess or Chess.com ratings, and say nothing of ability in general. Ratings of two scales are not compared.";

const ALONE: &str = "Each system is fitted alone, to its own games against anchors of fixed rating: another system moves none of its figures.";

const READINGS: &str = "Cut-off games ended by adjudication or ply limit. The rating keeps the protocol's result; beside it stand the reading by the last position measured at fixed nodes, the reading by endgame tables of the position in which the game ended (a game without one keeps its result) and the rating without those games. Nothing picks the kinder one.";

const TABLES: &str = "Endgame tables: a win that the fifty-move rule makes a draw (cursed win, blessed loss) is read as a draw, and so is one that comes too late for what that rule has counted; where one ply decides or no table says how soon a win comes, nothing is read.";

const ENDPOINTS: &str = "The rating is that of the complete system: forfeits are losses. Without forfeits leaves out those of the system and those of its anchors. Provider failures have no result, are left out, and their cells are played again where the protocol says so. A mini-match with one game missing is used with the game there is (halves).";

const MOVES: &str = "Illegal/invalid: rejected of answered attempts, retries included, in finished games; transport failures are left out. A move is graded where the positions before and after it were measured; accuracy (Lichess's, of a move) is over open moves alone.";

const RESOURCES: &str = "API-equivalent cost: the tokens of answered calls of finished games at the saved list price, rejected attempts included; n/a: nobody has a price for them. Time is from request to answer, queues included: compare it within a route. In brackets: so many of so many calls say it.";

/// Returns the board as bytes that end in a newline.
///
/// # Errors
///
/// When a rating is no finite number, which is never printed.
pub fn render_anchored(board: &AnchoredBoard, format: Format) -> Result<Vec<u8>, NotFinite> {
    match format {
        Format::Text => Ok(board.page()?.text().into_bytes()),
        Format::Markdown => Ok(board.page()?.markdown().into_bytes()),
        Format::Csv => Ok(anchored_figures(board)?.csv()),
        Format::Json => board.json().map(String::into_bytes),
    }
}

impl AnchoredBoard {
    fn heading(&self) -> Vec<String> {
        let (cohort, protocol) = (&self.cohort, &self.protocol);
        let counts = &self.counts;
        let anchors = self.anchors.iter();
        let anchors: Vec<_> = anchors
            .map(|one| format!("{} {} ({})", one.name, one.rating, one.basis))
            .collect();
        let mut heading = vec![
            format!("Anchored board of cohort {cohort}, protocol {protocol}"),
            format!("Scale: {}.", self.scale.in_words()),
            format!("Anchors: {}.", anchors.join(", ")),
            format!(
                "Evidence: {}. {} of {} registered games have a result.",
                self.evidence_status.as_str(),
                counts.finished,
                counts.cells
            ),
            format!(
                "From the first {} events of {}, root {}",
                self.source.size, self.source.origin, self.source.root
            ),
        ];
        if self.ladder.is_some() {
            heading.insert(3, format!("Allocation: {}.", self.allocation()));
        }
        heading
    }

    /// The rule by which games were chosen.
    fn allocation(&self) -> String {
        self.ladder.map_or_else(
            || "fixed schedule".to_owned(),
            |ladder| format!("adaptive: anchor ladder v{}", ladder.version),
        )
    }

    fn allocation_in_words(&self) -> String {
        let Some(ladder) = self.ladder else {
            return "Allocation: a fixed schedule, the same starts in the same order for every system; no game was chosen by a result.".to_owned();
        };
        let rung = usize::try_from(ladder.start_rung.get()).ok();
        let first = rung.and_then(|rung| self.anchors.get(rung));
        let first = first.map_or("?", |anchor| anchor.name.as_str());
        let rounds = match ladder.rounds.get() {
            1 => "once".to_owned(),
            rounds => format!("{rounds} times"),
        };
        format!(
            "Allocation: a declared adaptive rule, anchor ladder v{}. Every system goes {rounds} through the same starts in the same order; its first mini-match is against {first}, and each next one a rung up where both games were won, a rung down where both were lost, else on the same rung. Nothing but its own earlier results chooses an opponent, and every game was checked against that when it started.",
            ladder.version
        )
    }

    /// What is drawn together, and how.
    fn resampling(&self) -> String {
        let unit = match self.rule {
            ScheduleRule::MiniMatches => {
                "the two games of one start and anchor, within each anchor"
            }
            ScheduleRule::AnchorLadder => {
                "the mini-matches, within each anchor; which anchor each was against followed from the results before it, and the draws keep that as it happened, so that an interval does not say how else the ladder could have gone"
            }
            _ => "all games from one start",
        };
        format!(
            "Intervals: 95 %, from a bootstrap over clusters ({unit}), {REPLICATES} replicates of SplitMix64 with seed {SEED} for every system, expanded percentiles; p marks the profile interval, where resampling says nothing. A record in which everything was won or lost has an exact one-sided 95 % bound and no rating."
        )
    }

    /// What the anchors' levels are worth.
    fn levels_in_words(&self) -> String {
        let are = |wanted: &'static str| self.anchors.iter().any(|one| one.basis == wanted);
        let pinned = self.anchors.iter().filter(|one| one.basis == "nominal");
        let words = nominal_in_words(pinned.map(|one| one.has_own_level));
        let unproven = "nobody validated them at this limit, or in Chess960";
        let nominal = format!("{words}: {unproven}");
        match (are("nominal"), are("fitted")) {
            (true, true) => format!(
                "The anchors' levels marked nominal are {nominal}. Those marked fitted were fitted to games against such levels and are worth no more; see scoresheet anchor list."
            ),
            (false, true) => format!(
                "The anchors' levels were fitted to games against nominal values: {unproven}; see scoresheet anchor list."
            ),
            (_, false) => format!("The anchors' levels are {nominal}."),
        }
    }

    fn notes(&self) -> Result<Vec<String>, NotFinite> {
        let limits = format!("{} {LIMITS}", self.levels_in_words());
        let mut notes = vec![limits, ALONE.to_owned()];
        notes.push(format!(
            "{} Model: E = 1/(1 + 10^(-(theta - r + gamma c)/400)), with Davidson's draw law.",
            self.scale.terms_in_words()
        ));
        notes.push(self.allocation_in_words());
        notes.push(self.resampling());
        notes.push(ENDPOINTS.to_owned());
        notes.push(READINGS.to_owned());
        notes.push(format!(
            "A last measured position is a win from the centipawns on at which the protocol adjudicates wins, else from {VERDICT_CP}, or with a mate in sight; else a draw."
        ));
        notes.push(TABLES.to_owned());
        notes.push(MOVES.to_owned());
        notes.push(match &self.grading {
            None => "The protocol names nobody who grades moves.".to_owned(),
            Some(grader) => format!(
                "Moves are graded by {}; open: within {} centipawns of level and no forced mate.",
                grader.name, grader.open_cp
            ),
        });
        notes.push(RESOURCES.to_owned());
        for row in &self.rows {
            if let Err(no_fit) = &row.row.estimate().complete {
                notes.push(format!("No fit of {}: {no_fit}.", row.row.system().name));
            }
        }
        for control in &self.controls {
            notes.push(control.in_words()?);
        }
        let excluded: u64 = self.rows.iter().map(|row| row.excluded).sum();
        if excluded != 0 {
            notes.push(format!(
                "Excluded by correction: {excluded}. They have a result, stay in every record, and count in no figure above; see scoresheet corrections."
            ));
        }
        for (what, names) in [
            ("Withdrawn, their games in no calculation", &self.withdrawn),
            ("Without a game that counts", &self.without_games),
        ] {
            if !names.is_empty() {
                notes.push(format!("{what}: {}.", names.join(", ")));
            }
        }
        Ok(notes)
    }

    fn page(&self) -> Result<Page, NotFinite> {
        Ok(Page {
            heading: self.heading(),
            tables: self.tables()?,
            notes: self.notes()?,
        })
    }

    fn json(&self) -> Result<String, NotFinite> {
        let figures = anchored_figures(self)?.objects();
        let rows = figures.into_iter().zip(&self.rows).map(|(mut row, one)| {
            row.insert("per_anchor".to_owned(), self.per_anchor(one));
            Value::Object(row)
        });
        let rows: Vec<_> = rows.collect();
        let anchors = self
            .anchors
            .iter()
            .map(|one| json!({ "basis": one.basis, "name": one.name, "rating": one.rating }));
        let controls = self.controls.iter().map(Control::json);
        let document = json!({
            "allocation": self.allocation(),
            "anchors": anchors.collect::<Vec<_>>(),
            "board": "anchored",
            "bootstrap": { "replicates": REPLICATES, "seed": SEED },
            "cohort": self.cohort,
            "controls": controls.collect::<Result<Vec<_>, _>>()?,
            "color_effect": self.scale.color_effect.as_deref().unwrap_or("fitted"),
            "draw_rate": self.scale.draw_rate.as_deref().unwrap_or("fitted"),
            "evidence_status": self.evidence_status.as_str(),
            "finished": self.counts.finished,
            "games": self.counts.cells,
            "is_complete": self.is_complete,
            "is_primary_scale": self.scale.is_primary,
            "notes": self.notes()?,
            "origin": self.source.origin.as_str(),
            "protocol": self.protocol,
            "root": self.source.root.to_string(),
            "rows": rows,
            "scale": self.scale.name,
            "scale_in_words": self.scale.in_words(),
            "size": self.source.size,
            "v": 1,
            "without_games": self.without_games,
            "withdrawn": self.withdrawn,
        });
        // A document of texts and small integers is always JSON.
        Ok(format!("{document:#}\n"))
    }

    fn per_anchor(&self, row: &AnchoredRow) -> Value {
        let wdl = |wdl: Wdl| json!({ "d": wdl.draws, "l": wdl.losses, "w": wdl.wins });
        let each = self
            .anchors
            .iter()
            .zip(&row.anchors)
            .map(|(anchor, score)| {
                json!({
                    "anchor": anchor.name, "black": wdl(score.black), "rating": anchor.rating,
                    "white": wdl(score.white),
                })
            });
        Value::Array(each.collect())
    }
}
