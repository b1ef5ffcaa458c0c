use crate::canonical::Money;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::cli::writing::{WritingArgs, parse_price, parse_words, say_size};
use crate::event::PriceRecorded;
use crate::ledger::Disk;

/// Record what a model's tokens cost, for calls whose provider reports no charge.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Append a `price.recorded`. It counts for the calls that are sent later.
    Record(RecordArgs),
}

#[derive(Debug, clap::Args)]
struct RecordArgs {
    /// The model, as calls ask for it.
    #[arg(long, value_parser = parse_words)]
    model: String,

    /// The provider route, as calls name it.
    #[arg(long, value_parser = parse_words)]
    route: String,

    /// US dollars for a million prompt tokens.
    #[arg(long, value_name = "USD", value_parser = parse_price, allow_hyphen_values = true)]
    prompt: Money,

    /// US dollars for a million completion tokens, reasoning included.
    #[arg(long, value_name = "USD", value_parser = parse_price, allow_hyphen_values = true)]
    completion: Money,

    /// US dollars for a million prompt tokens from a cache [default: as any
    /// other prompt token].
    #[arg(long, value_name = "USD", value_parser = parse_price, allow_hyphen_values = true)]
    cached: Option<Money>,

    /// Where the price stands, such as the address of a list; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    source: String,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Command::Record(args) = &args.command;
    let price = PriceRecorded {
        cached_usd_per_million: args.cached,
        completion_usd_per_million: args.completion,
        prompt_usd_per_million: args.prompt,
        requested_model: args.model.clone(),
        route: args.route.clone(),
        source: args.source.clone(),
    };
    if let Some(receipt) = args.writing.append(disk, &[price.into()], screen)? {
        screen.line(&format!(
            "recorded a price of {} on {}: calls that are sent from now on",
            args.model, args.route
        ));
        say_size(&receipt, screen);
    }
    Ok(Exit::Clean)
}
