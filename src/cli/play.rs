use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};

use crate::chess::{Color, Position, UciMove};
use crate::cli::clock::WallClock;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::interrupt::Interrupt;
use crate::cli::player;
use crate::cli::run::{Ground, RUN_FILE_BYTES_MAX, meet};
use crate::cli::screen::Screen;
use crate::event::{By, Name};
use crate::ledger::Disk;
use crate::run::{
    Answer, Deadlines, EnginePart, Entrant, HumanGame, Order, PlayerPart, ProtocolPart, Tape,
};

/// Play a game against an engine at this terminal, move by move.
///
/// Moves are typed in UCI (e2e4) or SAN (Nf3); the ledger has them in UCI. Nothing
/// is taken back, and no evaluation is shown. `resign` loses the game, `quit`
/// aborts it, `help` lists the legal moves. Where the input ends the game stays
/// open, and the same command goes on with it.
///
/// Exit codes: 0 the game ended or stays open; 1 the engine failed; 2 it could not
/// start or go on.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// An engine of this run file.
    #[arg(
        long,
        value_name = "FILE",
        requires = "against",
        conflicts_with = "engine"
    )]
    run_file: Option<PathBuf>,

    /// The name of that engine.
    #[arg(long, value_name = "NAME", requires = "run_file")]
    against: Option<Name>,

    /// The command of an engine.
    #[arg(long, value_name = "COMMAND", required_unless_present = "run_file")]
    engine: Option<String>,

    /// An argument of that command; may be repeated.
    #[arg(
        long,
        value_name = "ARG",
        requires = "engine",
        allow_hyphen_values = true
    )]
    engine_arg: Vec<String>,

    /// Nodes a move of that engine.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// The name of that engine in the ledger; `engine-` and its nodes where nothing
    /// is said.
    #[arg(long, value_name = "NAME", requires = "engine")]
    name: Option<Name>,

    /// Who plays: the id of a registered person, or its beginning; see scoresheet
    /// player. Whoever sits at this terminal where nobody is named.
    #[arg(long, value_name = "ID")]
    player: Option<String>,

    /// The color of the person.
    #[arg(long, value_enum, default_value = "white")]
    color: Side,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Side {
    White,
    Black,
}

/// The rules of every game that is played here.
const PROTOCOL: &str = "name = \"terminal-board-1\"\nply_cap = 600\n";

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let ground = Ground::survey(disk, Interrupt::deaf())?;
    let (part, deadlines) = opponent(args, &ground)?;
    let entrants = meet(
        &[PlayerPart::Engine(&part)],
        &[],
        deadlines,
        &Tape::None,
        &ground.interrupt,
    )?;
    let Some(entrant) = entrants.first() else {
        return Err(CliError::Input("no engine".to_owned()));
    };
    let named = args.player.as_deref();
    let named = named.map(|digits| player::find(&ground.projection, digits).map(|one| one.id));
    let person = match named.transpose()? {
        Some(person) => person,
        None => player::somebody(disk, &by()?)?,
    };
    let protocol: ProtocolPart = toml::from_str(PROTOCOL)
        .map_err(|error| CliError::Input(format!("the rules of the board: {error}")))?;
    let protocol = protocol.published(None);
    let color = match args.color {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let (record, _) = ground.record(&WallClock, &by()?)?;
    let game = HumanGame::sit_down(record, person, color, entrant, protocol, deadlines)?;
    at_the_board(game, entrant, screen)
}

fn by() -> Result<By, CliError> {
    let by = "runner/scoresheet".parse::<By>();
    by.map_err(|_| CliError::Input("who writes has no name".to_owned()))
}

/// The engine to play against.
fn opponent(args: &Args, ground: &Ground<'_>) -> Result<(EnginePart, Deadlines), CliError> {
    let Some(path) = &args.run_file else {
        return by_command(args).map(|part| (part, Deadlines::default()));
    };
    of_run_file(path, args.against.as_ref(), ground)
}

fn of_run_file(
    path: &Path,
    against: Option<&Name>,
    ground: &Ground<'_>,
) -> Result<(EnginePart, Deadlines), CliError> {
    let bytes = read_input(path, RUN_FILE_BYTES_MAX)?;
    let order = Order::parse(&bytes, &ground.waivers);
    let order = order.map_err(|error| CliError::Input(error.to_string()))?;
    let (engines, deadlines) = match order {
        Order::Cohort(file) => {
            let engines = file.engine.into_iter().chain(file.anchor);
            (engines.collect::<Vec<_>>(), file.deadlines)
        }
        Order::Ladder(file) => (file.engine, file.deadlines),
        Order::Puzzles(file) => (Vec::new(), file.deadlines),
        Order::Positions(file) => (Vec::new(), file.deadlines),
    };
    let names: Vec<_> = engines.iter().map(|part| part.name.to_string()).collect();
    let mut engines = engines.into_iter();
    let found = engines.find(|part| Some(&part.name) == against);
    let missing = || {
        let names = names.join(", ");
        CliError::Input(format!(
            "expected an engine of the run file after --against: {names}"
        ))
    };
    Ok((found.ok_or_else(missing)?, deadlines))
}

fn by_command(args: &Args) -> Result<EnginePart, CliError> {
    let by_nodes = || {
        let name = format!("engine-{}", args.nodes).parse::<Name>();
        name.map_err(|error| CliError::Input(error.to_string()))
    };
    let name = args.name.clone().map_or_else(by_nodes, Ok)?;
    Ok(EnginePart {
        name,
        rating: None,
        fitted: false,
        command: args.engine.clone().unwrap_or_default(),
        args: args.engine_arg.clone(),
        options: std::collections::BTreeMap::new(),
        nodes: Some(args.nodes),
        depth: None,
        movetime_ms: None,
        measures: false,
    })
}

/// What a person typed.
enum Typed {
    Move(UciMove),
    Resign,
    Quit,
    Help,
    /// Nothing that can be played, for this reason.
    Nothing(String),
}

fn at_the_board(
    mut game: HumanGame<'_>,
    entrant: &Entrant,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let color = game.color()?;
    let name = &entrant.system.name;
    let begins = if game.is_resumed() {
        "goes on"
    } else {
        "begins"
    };
    screen.line(&format!("game {} {begins}", game.id()));
    screen.line(&format!("you have {color} against {name}"));
    show(&game, color, screen);
    let mut input = io::stdin().lock();
    loop {
        if let Some((result, termination)) = game.end()? {
            screen.line(&format!("{result}: {termination}"));
            return Ok(Exit::Clean);
        }
        if game.board().side_to_move() != color {
            match game.ask()? {
                Answer::Played(san) => screen.line(&format!("{name} plays {san}")),
                Answer::Forfeited => screen.line(&format!("{name} answered no legal move")),
                Answer::Failed(reason) => {
                    screen.line(&format!("the game is aborted: {reason}"));
                    return Ok(Exit::Blocked);
                }
            }
            show(&game, color, screen);
            continue;
        }
        screen.line("your move:");
        screen.flush();
        let mut line = String::new();
        let read = input.read_line(&mut line);
        if read.map_err(CliError::io("read what is typed"))? == 0 {
            screen.line("the game stays open; the same command goes on with it");
            return Ok(Exit::Clean);
        }
        match typed(game.board().position(), line.trim()) {
            Typed::Move(uci) => {
                game.play(uci)?;
                show(&game, color, screen);
            }
            Typed::Resign => game.resign()?,
            Typed::Quit => {
                game.quit()?;
                screen.line("the game is aborted: it has no result");
                return Ok(Exit::Clean);
            }
            Typed::Help => {
                let position = game.board().position();
                let moves = position.legal_moves().into_iter();
                let moves: Vec<_> = moves.filter_map(|uci| position.san_of(uci)).collect();
                screen.line(&moves.join(" "));
            }
            Typed::Nothing(why) => screen.line(&why),
        }
    }
}

/// Reads a line: a word of ours, a move in UCI, or one in SAN.
fn typed(position: &Position, line: &str) -> Typed {
    match line.to_ascii_lowercase().as_str() {
        "resign" => return Typed::Resign,
        "quit" => return Typed::Quit,
        "help" => return Typed::Help,
        _ => {}
    }
    let class = match position.judge(line) {
        Ok(uci) => return Typed::Move(uci),
        Err(class) => class,
    };
    let mut in_san = position.line_in_san(line).into_iter();
    match (line.split_whitespace().count(), in_san.next()) {
        (1, Some(uci)) => Typed::Move(uci),
        _ => Typed::Nothing(format!(
            "no legal move ({class}); type one like e2e4 or Nf3, or help, resign, quit"
        )),
    }
}

/// Draws the board from the person's side, in letters: capitals are White.
fn show(game: &HumanGame<'_>, color: Color, screen: &mut Screen<'_>) {
    for line in picture(game.board().position(), color) {
        screen.line(&line);
    }
}

fn picture(position: &Position, color: Color) -> Vec<String> {
    let text = position.board_text();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if color == Color::Black {
        // Ranks from below, files from h to a; numbers stay at the left, letters below.
        let files = lines.pop();
        lines.reverse();
        lines.extend(files);
        for line in &mut lines {
            let mut cells: Vec<&str> = line.split_whitespace().collect();
            let from = usize::from(cells.len() == 9);
            cells[from..].reverse();
            let turned = cells.join(" ");
            *line = if from == 1 {
                turned
            } else {
                format!("  {turned}")
            };
        }
    }
    lines
}
