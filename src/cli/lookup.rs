use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::cli::desk::Desk;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_input;
use crate::cli::interrupt::Interrupt;
use crate::cli::reading::fold_with;
use crate::cli::run::{RUN_FILE_BYTES_MAX, meet};
use crate::cli::screen::{Screen, counted, hint};
use crate::cli::writing::WritingArgs;
use crate::event::{CostLookedUp, EventId, What};
use crate::ledger::{Disk, Prefix, Waivers};
use crate::projection::Projection;
use crate::run::{Deadlines, Entrant, Order, PlayerPart, Tape};

/// Look up what calls cost, where their provider said nothing with the answer.
///
/// Asks the server of each model of a run file for the cost of its requests, by their
/// ids (`GET /generation?id=ID`, as OpenRouter has it), and appends a
/// `cost.looked_up` for each that is known by now. Nothing is looked up twice; run it
/// again for what was not known yet.
///
/// Exit codes: 0 all is known; 1 some is not known yet.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run file (TOML) whose models were asked.
    file: PathBuf,

    #[command(flatten)]
    writing: WritingArgs,
}

/// How long a server may take to say what a call cost.
const PATIENCE: Duration = Duration::from_secs(20);

/// An answer of which no cost is known.
struct Unpriced {
    call: EventId,
    system: EventId,
    request_id: String,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let interrupt = Interrupt::listen().map_err(CliError::io("listen for signals"))?;
    let bytes = read_input(&args.file, RUN_FILE_BYTES_MAX)?;
    let order = Order::parse(&bytes, &Waivers::default());
    let order = order.map_err(|error| CliError::Input(error.to_string()))?;
    let players = match &order {
        Order::Cohort(file) => file.everybody(),
        Order::Ladder(file) => file.everybody(),
        Order::Puzzles(file) => file.everybody(),
        Order::Positions(file) => file.everybody(),
    };
    let is_model = |part: &PlayerPart<'_>| matches!(part, PlayerPart::Model(_));
    let models: Vec<_> = players.into_iter().filter(is_model).collect();
    let deadlines = Deadlines::default();
    let entrants = meet(&models, &[], deadlines, &Tape::None, &interrupt)?;
    let (projection, unpriced) = unpriced(disk)?;
    let by_system = by_system(&projection, &entrants);
    let mut found = Vec::new();
    let (mut unknown, mut why) = (0_u64, None);
    for one in &unpriced {
        let Some(entrant) = by_system.get(&one.system) else {
            continue;
        };
        interrupt.refuse()?;
        match entrant.cost_of(&one.request_id, PATIENCE) {
            Ok(amount_usd) => found.push(CostLookedUp {
                amount_usd,
                call: one.call,
            }),
            Err(error) => {
                unknown += 1;
                why.get_or_insert(error);
            }
        }
    }
    let written = write(args, disk, found, screen)?;
    let ended = counted(unknown, "call");
    match why {
        None => screen.line(&format!("looked up {}", counted(written, "cost"))),
        Some(why) => {
            screen.line(&format!(
                "looked up {}; {ended} not known yet, the first because: {why}",
                counted(written, "cost")
            ));
            hint("run it again later: providers take a while");
        }
    }
    Ok(if unknown == 0 {
        Exit::Clean
    } else {
        Exit::Blocked
    })
}

/// Appends what was found, but for what somebody else looked up meanwhile.
fn write(
    args: &Args,
    disk: &Disk,
    found: Vec<CostLookedUp>,
    screen: &mut Screen<'_>,
) -> Result<usize, CliError> {
    if found.is_empty() {
        return Ok(0);
    }
    let mut desk = Desk::open(&args.writing, disk)?;
    let (_, still) = unpriced(disk)?;
    let mut written = 0;
    for looked_up in found {
        if still.iter().any(|one| one.call == looked_up.call) {
            desk.say(looked_up)?;
            written += 1;
        }
    }
    if desk.commit(screen)? {
        desk.report(screen);
    }
    Ok(written)
}

/// The registered systems of these entrants.
fn by_system<'e>(
    projection: &Projection,
    entrants: &'e [Entrant],
) -> BTreeMap<EventId, &'e Entrant> {
    let known = entrants.iter().filter_map(|entrant| {
        let system = projection.systems.system_named(&entrant.system.name)?;
        Some((system.id, entrant))
    });
    known.collect()
}

/// The answers with an id of their request, of which neither the answer nor a later
/// event says what they cost.
fn unpriced(disk: &Disk) -> Result<(Projection, Vec<Unpriced>), CliError> {
    let prefix = Prefix::open(disk)?;
    let mut asked = BTreeMap::new();
    let mut unpriced: BTreeMap<EventId, Unpriced> = BTreeMap::new();
    let (projection, _) = fold_with(&prefix, prefix.size(), |_, event| match &event.what {
        What::CallSent(sent) => {
            asked.insert(event.id(), sent.system);
        }
        What::CallAnswered(answered) => {
            let system = asked.remove(&answered.call);
            let request_id = answered.request_id.clone();
            if let (Some(system), Some(request_id), None) = (system, request_id, answered.cost_usd)
            {
                let call = answered.call;
                let one = Unpriced {
                    call,
                    system,
                    request_id,
                };
                unpriced.insert(call, one);
            }
        }
        What::CallFailed(failed) => {
            asked.remove(&failed.call);
        }
        What::CostLookedUp(looked_up) => {
            unpriced.remove(&looked_up.call);
        }
        _ => {}
    })?;
    Ok((projection, unpriced.into_values().collect()))
}
