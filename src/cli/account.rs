use crate::canonical::{Day, Money};
use crate::cli::costs::parse_day;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::cli::writing::{WritingArgs, parse_price, parse_words, say_size};
use crate::event::AccountObserved;
use crate::ledger::Disk;

/// Record what an account was seen to have spent.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Observe(ObserveArgs),
}

/// Append an `account.observed`.
///
/// Systems may share an account, and others may use it too: the amount is
/// assigned to no model, stands beside the costs and is in no sum of them. What
/// turns out to be another account's is taken out with `scoresheet correct
/// --exclude`, and stays to be seen.
#[derive(Debug, clap::Args)]
struct ObserveArgs {
    /// The account, by a name that is no credential; it is public.
    #[arg(long, value_name = "NAME", value_parser = parse_words)]
    account: String,

    /// The first UTC day, such as 2026-11-01.
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    from: Day,

    /// The last UTC day.
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    until: Day,

    /// US dollars that it spent in these days.
    #[arg(long, value_name = "USD", value_parser = parse_price, allow_hyphen_values = true)]
    amount: Money,

    /// Where it was seen, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    note: String,

    #[command(flatten)]
    writing: WritingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Command::Observe(args) = &args.command;
    let observed = AccountObserved {
        account: args.account.clone(),
        amount_usd: args.amount,
        from: args.from,
        note: args.note.clone(),
        until: args.until,
    };
    if let Some(receipt) = args.writing.append(disk, &[observed.into()], screen)? {
        screen.line(&format!(
            "recorded {} USD of account {}, {}..{}",
            args.amount, args.account, args.from, args.until
        ));
        say_size(&receipt, screen);
    }
    Ok(Exit::Clean)
}
