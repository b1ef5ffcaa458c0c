use std::cmp::Reverse;

use crate::board::{has_own_level, nominal_in_words};
use crate::canonical::Decimal;
use crate::cli::desk::Desk;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::{ReadingArgs, ReportFormat, fold_with};
use crate::cli::screen::{Screen, counted};
use crate::cli::writing::WritingArgs;
use crate::event::{AnchorBasis, AnchorRegistered, Name};
use crate::ledger::{Disk, Prefix, Waivers, put_blob};
use crate::manifest::{self, AnchorFit, AnchorLevel, FitConstants, LevelStanding};
use crate::projection::Projection;

/// Fit the ratings of weaker anchors against nominal ones, or list all anchors.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    Fit(FitArgs),
    List(ListArgs),
}

/// Fit the levels of engines to their games against anchors whose ratings are
/// nominal, all of them jointly.
///
/// Play the games first, under a run file that has the engines in question as
/// systems and the nominal anchors as anchors. Prints the fit. With --register,
/// freezes it as a blob of the ledger, named by its digest, and appends an
/// `anchor.registered` for each fitted level: run files say `fitted = true` of
/// such an anchor then. An engine that won or lost everything has a bound and no
/// level, and is no anchor.
#[derive(Debug, clap::Args)]
struct FitArgs {
    /// The cohorts whose games count; under one protocol.
    #[arg(required = true)]
    cohorts: Vec<Name>,

    /// The share of draws between equals, from 0 to 0.7 [default: fitted].
    #[arg(long, value_name = "SHARE", value_parser = parse_decimal)]
    draw_rate: Option<Decimal>,

    /// Points that White is worth, from -1000 to 1000 [default: fitted].
    #[arg(long, value_name = "POINTS", value_parser = parse_decimal, allow_hyphen_values = true)]
    color_effect: Option<Decimal>,

    /// Freeze the fit, and register those who have a level by it as anchors.
    #[arg(long)]
    register: bool,

    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    #[command(flatten)]
    writing: WritingArgs,
}

/// List the anchors of the ledger, with their ratings and where those come from.
#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    reading: ReadingArgs,
}

fn parse_decimal(text: &str) -> Result<Decimal, String> {
    text.parse().map_err(|_| {
        "expected a plain decimal number, such as 0.25, without zeros at its end".to_owned()
    })
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    match &args.step {
        Step::Fit(args) if args.register => register(args, disk, screen),
        Step::Fit(args) => {
            let prefix = Prefix::open(disk)?;
            let (projection, source) = fold_with(&prefix, prefix.size(), |_, _| ())?;
            let fit = AnchorFit::of(&projection, &args.cohorts, args.constants(), &source);
            print(args, &fit.map_err(input)?, &projection, screen)?;
            Ok(Exit::Clean)
        }
        Step::List(args) => list(args, disk, screen),
    }
}

impl FitArgs {
    const fn constants(&self) -> FitConstants {
        FitConstants {
            color_effect: self.color_effect,
            draw_rate: self.draw_rate,
        }
    }
}

fn input(error: impl std::fmt::Display) -> CliError {
    CliError::Input(error.to_string())
}

fn register(args: &FitArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let mut desk = Desk::open(&args.writing, disk)?;
    let fit = AnchorFit::of(
        desk.projection(),
        &args.cohorts,
        args.constants(),
        desk.source(),
    );
    let fit = fit.map_err(input)?;
    let fitted = |level: &&AnchorLevel| level.standing == LevelStanding::Fitted;
    let new: Vec<_> = fit.levels.iter().filter(fitted).collect();
    let anchors = &desk.projection().anchors;
    if let Some(level) = new
        .iter()
        .find(|level| anchors.of_system(&level.system).is_some())
    {
        return Err(CliError::Input(format!(
            "{} is an anchor already, and a rating that is fixed stays: fit it anew under a name of its own",
            desk.projection().name_of(&level.system)
        )));
    }
    if new.is_empty() {
        return Err(CliError::Input(
            "nobody has a fitted level by these games: nothing to register".to_owned(),
        ));
    }
    print(args, &fit, desk.projection(), screen)?;
    let file = manifest::file(&fit).map_err(input)?;
    let digest = crate::digest::Digest::of(&file);
    for level in &new {
        let Some(rating) = level.rating else { continue };
        desk.say(AnchorRegistered {
            basis: AnchorBasis::Fitted,
            fit: Some(digest),
            rating,
            system: level.system,
        })?;
    }
    if !desk.is_dry() {
        // Before the events that name it.
        put_blob(disk, &file, &waivers(disk)?)?;
    }
    if desk.commit(screen)? {
        screen.line(&format!(
            "froze the fit as blob {digest} and registered {}",
            counted(new.len(), "anchor")
        ));
        desk.report(screen);
    }
    Ok(Exit::Clean)
}

fn waivers(disk: &Disk) -> Result<Waivers, CliError> {
    let prefix = Prefix::open(disk)?;
    let mut waivers = Waivers::default();
    fold_with(&prefix, prefix.size(), |_, event| waivers.take(event))?;
    Ok(waivers)
}

fn print(
    args: &FitArgs,
    fit: &AnchorFit,
    projection: &Projection,
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    if matches!(args.format, ReportFormat::Json) {
        return screen.document(fit);
    }
    let games: u64 = fit.levels.iter().map(|level| level.games.get()).sum();
    let [draws, color] = [&fit.draw_rate, &fit.color_effect];
    screen.line(&format!(
        "{} of {} systems; draw rate between equals {} ({}), color effect {} points ({})",
        counted(games / 2, "game"),
        fit.levels.len(),
        draws.value,
        draws.basis,
        color.value,
        color.basis
    ));
    let mut levels: Vec<_> = fit.levels.iter().collect();
    levels.sort_by_key(|level| (Reverse(level.rating), projection.name_of(&level.system)));
    for level in levels {
        let name = projection.name_of(&level.system);
        let games = counted(level.games.get(), "game");
        screen.line(&format!("{name}  {}, {games}", in_words(level)));
    }
    let pinned = fit.levels.iter();
    let pinned = pinned.filter(|level| level.standing == LevelStanding::Pinned);
    let are_own = pinned.map(|level| has_own_level(projection, &level.system));
    screen.line(&format!(
        "Pinned ratings are {}, not validated at these limits; \
         standard errors take games for independent.",
        nominal_in_words(are_own)
    ));
    Ok(())
}

fn in_words(level: &AnchorLevel) -> String {
    let rating = level.rating.unwrap_or_default();
    match level.standing {
        LevelStanding::Pinned => format!("{rating} pinned"),
        LevelStanding::Fitted => {
            let error = level.standard_error.unwrap_or_default();
            format!("{rating} fitted, standard error {error}")
        }
        LevelStanding::AtLeast => format!("at least {rating}: won every game"),
        LevelStanding::AtMost => format!("at most {rating}: lost every game"),
        LevelStanding::Unconnected => "unknown: no games lead to a pinned one and back".to_owned(),
    }
}

fn list(args: &ListArgs, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (projection, _) = args.reading.project(disk)?;
    for anchor in projection.anchors.iter() {
        let registered = &anchor.registered;
        let fit = match registered.fit {
            Some(fit) => format!(" by the fit {fit}"),
            None => String::new(),
        };
        screen.line(&format!(
            "{}  {} {}{fit}",
            projection.name_of(&registered.system),
            registered.rating,
            registered.basis.as_str()
        ));
    }
    Ok(Exit::Clean)
}
