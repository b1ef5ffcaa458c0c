use std::path::PathBuf;

use crate::cli::desk::Desk;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::WritingArgs;
use crate::event::{By, EventId, Name, PlayerRegistered, SharingChanged, VideoAccess};
use crate::ledger::{AccountKey, Disk, SystemKeys};
use crate::projection::{Person, Projection};

/// Register a person who plays against systems, say who may see videos of
/// their games, or list all people.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    Register(RegisterArgs),
    Sharing(SharingArgs),
    List(ListArgs),
}

/// Register a person by an account that somebody else verified.
///
/// The account itself goes nowhere: the ledger gets a commitment under a key
/// that stays in ledger/private/people/, so that the same account is known
/// again here and cannot be guessed anywhere. Keep a copy of that key.
#[derive(Debug, clap::Args)]
struct RegisterArgs {
    /// Who verified the account, such as x.com.
    #[arg(long, value_name = "NAME")]
    issuer: Name,

    /// The file with the account id, or - for standard input; blanks around it
    /// do not count. Never an argument: others see what is typed.
    #[arg(long, value_name = "FILE")]
    account_file: PathBuf,

    #[command(flatten)]
    writing: WritingArgs,
}

/// Say who may see videos of a person's games. Replays of the board are public
/// always.
#[derive(Debug, clap::Args)]
struct SharingArgs {
    /// The person: the id of their registration, or its beginning.
    player: String,

    /// Who may see videos.
    #[arg(value_enum)]
    video: Video,

    #[command(flatten)]
    writing: WritingArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Video {
    /// Only the person.
    Owner,
    /// Everyone.
    Public,
}

/// List all people, with their Elo.
#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    reading: ReadingArgs,
}

/// The longest account id.
const ACCOUNT_BYTES_MAX: u64 = 1024;

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.step {
        Step::Register(args) => register(args, disk, screen),
        Step::Sharing(args) => share(args, disk, screen),
        Step::List(args) => {
            let (projection, _) = args.reading.project(disk)?;
            for person in in_order(&projection) {
                screen.line(&in_words(person));
            }
            Ok(Exit::Clean)
        }
    }
}

fn register(args: &RegisterArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let file = read_input(&args.account_file, ACCOUNT_BYTES_MAX)?;
    let account = file.trim_ascii();
    if account.is_empty() {
        return Err(CliError::Input(
            "the file of the account is empty; it holds the account id that the issuer verified"
                .to_owned(),
        ));
    }
    let mut desk = Desk::open(&args.writing, disk)?;
    let kept = AccountKey::open(disk)?;
    let is_new = kept.is_none();
    if is_new && desk.projection().people.iter().next().is_some() {
        return Err(CliError::Input(
            "people are registered, and the key of their accounts (ledger/private/people/key) is not in this copy of the ledger; register where it is, or restore it from a backup: under another key nobody is known again"
                .to_owned(),
        ));
    }
    let key = match kept {
        Some(key) => key,
        None => AccountKey::new(&SystemKeys)?,
    };
    let registered = PlayerRegistered {
        account: key.commitment(&args.issuer, account),
        issuer: args.issuer.clone(),
    };
    if let Some(person) = desk.projection().people.registered_as(&registered) {
        screen.line(&format!("registered already: {}", in_words(person)));
        return Ok(Exit::Clean);
    }
    let id = desk.say(registered)?;
    if is_new && !desk.is_dry() {
        key.keep(disk, &SystemKeys)?;
    }
    if desk.commit(screen)? {
        screen.line(&format!("registered {id}"));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

fn share(args: &SharingArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut desk = Desk::open(&args.writing, disk)?;
    let person = find(desk.projection(), &args.player)?;
    let (player, is_so) = (person.id, person.video);
    let video = match args.video {
        Video::Owner => VideoAccess::Owner,
        Video::Public => VideoAccess::Public,
    };
    if is_so == video {
        screen.line(&format!("videos are for {} already", video.as_str()));
        return Ok(Exit::Clean);
    }
    desk.say(SharingChanged { player, video })?;
    if desk.commit(screen)? {
        screen.line(&format!("videos are for {} now", video.as_str()));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

/// The id of whoever sits at the terminal where nobody is named: one person for all
/// of them, registered when they first play.
pub(crate) fn somebody(disk: &Disk, by: &By) -> Result<EventId, CliError> {
    let writing = WritingArgs::now(by.clone());
    let mut desk = Desk::open(&writing, disk)?;
    let kept = AccountKey::open(disk)?;
    let is_new = kept.is_none();
    if is_new && desk.projection().people.iter().next().is_some() {
        return Err(CliError::Input(
            "people are registered, and the key of their accounts (ledger/private/people/key) is not in this copy of the ledger; name one with --player"
                .to_owned(),
        ));
    }
    let key = match kept {
        Some(key) => key,
        None => AccountKey::new(&SystemKeys)?,
    };
    let issuer: Name = "terminal"
        .parse()
        .map_err(|_| CliError::Input("the terminal has no name".to_owned()))?;
    let registered = PlayerRegistered {
        account: key.commitment(&issuer, b"somebody"),
        issuer,
    };
    if let Some(person) = desk.projection().people.registered_as(&registered) {
        return Ok(person.id);
    }
    let id = desk.say(registered)?;
    if is_new {
        key.keep(disk, &SystemKeys)?;
    }
    desk.commit(&mut Screen::into(&mut std::io::sink()))?;
    Ok(id)
}

/// The one person whose id begins like this.
pub(crate) fn find<'p>(projection: &'p Projection, digits: &str) -> Result<&'p Person, CliError> {
    let people = projection.people.iter();
    let found: Vec<_> = people
        .filter(|person| person.id.to_string().starts_with(digits))
        .collect();
    match found.as_slice() {
        [only] if 4 <= digits.len() => Ok(only),
        _ => Err(CliError::Input(format!(
            "expected the id of one person or four and more digits that only one begins with, and {} so; see scoresheet player list",
            match found.len() {
                1 => "one begins".to_owned(),
                n => format!("{n} begin"),
            }
        ))),
    }
}

fn in_order(projection: &Projection) -> Vec<&Person> {
    let mut people: Vec<_> = projection.people.iter().collect();
    people.sort_by_key(|person| person.index);
    people
}

fn in_words(person: &Person) -> String {
    format!(
        "{}  {}, Elo {:.0} after {}, videos for {}",
        person.id,
        person.registered.issuer,
        person.elo,
        counted(person.games.len(), "game"),
        person.video.as_str()
    )
}
