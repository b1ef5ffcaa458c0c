use crate::chess::{Color, Fen, Variant};
use crate::event::{EventId, Name, ProtocolPublished, Seats, Start};
use crate::projection::{Cell, Cohort, Game, Projection, Resources};
use crate::run::RunError;
use crate::run::asked::PlannedCell;
use crate::run::budget::{BudgetPart, BudgetShare, taken_by};
use crate::run::estimate::{Estimate, Length};
use crate::run::file::RunFile;
use crate::run::ladder_file::LadderFile;
use crate::run::player_part::PlayerPart;
use crate::run::position_file::PositionFile;
use crate::run::position_run::Positions;
use crate::run::prompting::Prompting;
use crate::run::prompts::PuzzlePrompt;
use crate::run::puzzle_file::PuzzleFile;
use crate::run::puzzle_run::Puzzles;
use crate::run::questions::Questions;
use crate::run::talker::{FirstRequest, Talker};
use crate::run::thought_game::ThoughtGame;
use crate::run::voice::Voice;

/// What a run comes to, as far as that can be told before anybody is asked.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    /// Who plays how often. Nothing where a ladder chooses, or for puzzles and positions.
    pub attendances: Vec<Attendance>,
    /// What each model and program is sent first.
    pub openings: Vec<Opening>,
    /// How long a game is taken to be, where games are estimated.
    pub length: Option<Length>,
    /// What each model and program is expected to take.
    pub estimates: Vec<Estimate>,
    /// What of the budget that takes.
    pub shares: Vec<BudgetShare>,
}

/// How often somebody plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attendance {
    /// The player.
    pub name: String,
    /// Games in the schedule.
    pub games: usize,
    /// How many of them with White.
    pub with_white: usize,
    /// How many of them have no result yet.
    pub open: usize,
}

/// What a model or program is sent first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The player.
    pub name: String,
    /// What it is sent for: its color and game, a puzzle, or a position.
    pub occasion: String,
    /// The request, word for word. Nothing where the protocol has no prompts: a
    /// program is told of the game alone then.
    pub request: Option<FirstRequest>,
}

impl Outlook {
    /// The outlook of a cohort: on the cells that are open.
    pub fn of_cohort(projection: &Projection, file: &RunFile) -> Self {
        let cells = file.cells();
        let cohort = projection.cohort(file.cohort.as_str());
        let open = cohort.as_ref().map(Cohort::open_cells);
        let is_open = |number: usize| open.as_ref().is_none_or(|open| open.contains(&number));
        let rules = file.protocol(None, None);
        let length = Length::of(projection, &rules.name, rules.ply_cap.get());
        let everybody = file.everybody();
        let mut outlook = Self {
            // How often an anchor plays nobody knows where results choose it.
            attendances: everybody
                .iter()
                .take(match file.allocation() {
                    Some(_) => file.n_players(),
                    None => everybody.len(),
                })
                .map(|part| Attendance::of(part.name(), &cells, &is_open))
                .filter(|attendance| 0 < attendance.games)
                .collect(),
            ..Self::default()
        };
        let prompting = file.prompting();
        for talker in Talker::among(&everybody) {
            let mut all = Thought::default();
            for color in [Color::White, Color::Black] {
                let own = cells.iter().enumerate();
                let own = own.filter(|(_, planned)| planned.seat(color).as_str() == talker.name());
                let n_open = own.clone().filter(|(number, _)| is_open(*number)).count();
                if let Some((number, first)) = own.clone().next() {
                    let game = format!("in game {}", number + 1);
                    let seat = (&first.cell, color);
                    all.take(
                        outlook.think(talker, prompting, seat, (&game, &length)),
                        n_open,
                    );
                }
            }
            outlook.estimates.push(all.estimate(projection, talker));
        }
        outlook.length = (!outlook.estimates.is_empty()).then_some(length);
        let schedule = cohort.map(|cohort| cohort.schedule.id);
        let is_ours =
            |game: &&Game| schedule.is_some() && game.cell().map(|cell| cell.schedule) == schedule;
        let taken = taken_by(projection, projection.games.iter().filter(is_ours));
        outlook.shares = file.budget.shares(&taken, &outlook.estimates);
        outlook
    }

    /// The outlook of a ladder: on two games of each player, one with each color,
    /// because nobody knows yet who plays how often.
    pub fn of_ladder(
        projection: &Projection,
        file: &LadderFile,
        rules: &ProtocolPublished,
        prompting: Option<Prompting>,
    ) -> Self {
        let length = Length::of(projection, &rules.name, rules.ply_cap.get());
        let mut outlook = Self::default();
        let nobody = EventId::of(b"");
        let cell = Cell {
            seats: Seats {
                black: nobody,
                white: nobody,
            },
            start: Start {
                fen: Fen::standard_start(),
                variant: Variant::Standard,
            },
            opening: None,
        };
        for talker in Talker::among(&file.everybody()) {
            let mut all = Thought::default();
            for color in [Color::White, Color::Black] {
                let game = ("in a game", &length);
                all.take(outlook.think(talker, prompting, (&cell, color), game), 1);
            }
            outlook.estimates.push(all.estimate(projection, talker));
        }
        outlook.length = (!outlook.estimates.is_empty()).then_some(length);
        outlook
    }

    /// The outlook of puzzles: on those that are left to be asked.
    ///
    /// # Errors
    ///
    /// When there is no such dataset.
    pub fn of_puzzles(
        projection: &Projection,
        file: &PuzzleFile,
        prompt: &PuzzlePrompt,
    ) -> Result<Self, RunError> {
        let name = file.puzzles.to_string();
        let dataset = projection.puzzles.dataset_named(&name);
        let dataset = dataset.ok_or(RunError::NoDataset { name })?;
        // Where nobody is registered yet, nothing was asked.
        let nobody = EventId::of(b"");
        let rules = file.protocol(prompt);
        let protocol = projection.systems.protocol_named(&rules.name);
        let protocol = protocol.map_or(nobody, |protocol| protocol.id);
        let puzzles = Puzzles {
            dataset: dataset.id,
            protocol,
            prompt: prompt.clone(),
        };
        let everybody = file.everybody();
        let talkers = Talker::among(&everybody);
        let mut outlook = Self::of_questions(projection, &puzzles, &talkers, "puzzle");
        outlook.share(projection, &file.budget, &everybody);
        Ok(outlook)
    }

    /// The outlook of positions: on those that are left to be asked.
    ///
    /// # Errors
    ///
    /// When there is no such list.
    pub fn of_positions(projection: &Projection, file: &PositionFile) -> Result<Self, RunError> {
        let name = file.positions.to_string();
        let list = projection.positions.list_named(&name);
        let list = list.ok_or(RunError::NoPositions { name })?;
        let rules = file.protocol();
        let protocol = projection.systems.protocol_named(&rules.name);
        let positions = Positions {
            dataset: list.id,
            protocol: protocol.map_or(EventId::of(b""), |protocol| protocol.id),
            condition: file.condition.clone(),
            attempts: rules.attempts.get(),
            voices: vec![Voice::Fresh(file.prompting())],
        };
        let everybody = file.everybody();
        let talkers = Talker::among(&everybody);
        let mut outlook = Self::of_questions(projection, &positions, &talkers, "position");
        outlook.share(projection, &file.budget, &everybody);
        Ok(outlook)
    }

    /// The outlook on what these are still to be asked, one after another.
    fn of_questions<Q: Questions>(
        projection: &Projection,
        questions: &Q,
        talkers: &[Talker<'_>],
        noun: &str,
    ) -> Self {
        let mut outlook = Self::default();
        // Where nobody is registered yet, nothing was asked.
        let nobody = EventId::of(b"");
        for talker in talkers {
            let system = projection.systems.system_named(talker.registered_name());
            let system = system.map_or(nobody, |system| system.id);
            let left = questions.left(projection, &[system]);
            let mut all = Thought::default();
            for (number, (_, question)) in left.iter().enumerate() {
                let prompt = questions.request(question).prompt;
                let request = prompt.map(|prompt| talker.request(&prompt));
                all.take((1, request.as_ref().map(FirstRequest::n_characters)), 1);
                if number == 0 {
                    outlook.openings.push(Opening {
                        name: talker.name().to_owned(),
                        occasion: format!("for {noun} {}", questions.name(question)),
                        request,
                    });
                }
            }
            outlook.estimates.push(all.estimate(projection, *talker));
        }
        outlook
    }

    /// Says what of the budget these took before, and will.
    fn share(&mut self, projection: &Projection, budget: &BudgetPart, all: &[PlayerPart<'_>]) {
        let mut taken = Resources::default();
        for part in all {
            if let Some(system) = projection.systems.system_named(part.name()) {
                taken.join(&system.resources);
            }
        }
        self.shares = budget.shares(&taken, &self.estimates);
    }

    /// Thinks of one game of a player, keeps its first request, and returns the calls
    /// of the game and their characters.
    fn think(
        &mut self,
        talker: Talker<'_>,
        prompting: Option<Prompting>,
        (cell, color): (&Cell, Color),
        (game, length): (&str, &Length),
    ) -> (u64, Option<u64>) {
        let mut open = |occasion, request| {
            let name = talker.name().to_owned();
            self.openings.push(Opening {
                name,
                occasion,
                request,
            });
        };
        let seat = format!("with {} {game}", in_words(color));
        let plies = length.plies();
        let Some(prompting) = prompting else {
            // Without prompts games start where White moves.
            open(seat, None);
            let n_calls = match color {
                Color::White => plies.div_ceil(2),
                Color::Black => plies / 2,
            };
            return (n_calls, None);
        };
        let Some(thought) = ThoughtGame::of(talker, prompting, cell, color, plies) else {
            return (0, Some(0));
        };
        let moves: Vec<_> = thought.moves.iter().map(ToString::to_string).collect();
        let seat = match moves.as_slice() {
            [] => seat,
            moves => format!("{seat}, here after {}", moves.join(" ")),
        };
        let seat = if prompting.candidates().is_some() {
            format!("{seat} (the candidates are made up: the oracle is not asked)")
        } else {
            seat
        };
        open(seat, Some(thought.first));
        (thought.n_calls, Some(thought.n_characters))
    }
}

const fn in_words(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

impl Attendance {
    fn of(name: &Name, cells: &[PlannedCell<'_>], is_open: &dyn Fn(usize) -> bool) -> Self {
        let own = cells.iter().enumerate();
        let own = own.filter(|(_, planned)| planned.white == name || planned.black == name);
        Self {
            name: name.to_string(),
            games: own.clone().count(),
            with_white: own.clone().filter(|(_, cell)| cell.white == name).count(),
            open: own.filter(|(number, _)| is_open(*number)).count(),
        }
    }
}

/// Calls that are expected, and the characters that are sent with them where they
/// are known.
struct Thought {
    n_calls: u64,
    n_characters: Option<u64>,
}

impl Default for Thought {
    fn default() -> Self {
        Self {
            n_calls: 0,
            n_characters: Some(0),
        }
    }
}

impl Thought {
    /// Takes in so many games with these calls and characters each.
    fn take(&mut self, (calls, characters): (u64, Option<u64>), games: usize) {
        let games = u64::try_from(games).unwrap_or(u64::MAX);
        let more = |sum: u64, each: u64| sum.saturating_add(each.saturating_mul(games));
        self.n_calls = more(self.n_calls, calls);
        let known = self.n_characters.zip(characters);
        self.n_characters = known.map(|(sum, each)| more(sum, each));
    }

    fn estimate(&self, projection: &Projection, talker: Talker<'_>) -> Estimate {
        Estimate::of(projection, talker, self.n_calls, self.n_characters)
    }
}
