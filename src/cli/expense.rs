use crate::canonical::Money;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen::Screen;
use crate::cli::writing::{WritingArgs, parse_money, parse_words, say_size};
use crate::event::{ExpenseCategory, ExpenseRecorded};
use crate::ledger::Disk;

/// Record what running the benchmark costs beside its calls.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Append an `expense.recorded`.
    Record(RecordArgs),
}

#[derive(Debug, clap::Args)]
struct RecordArgs {
    /// What it was for.
    #[arg(long, value_enum)]
    category: Category,

    /// US dollars, such as 12.5; negative where money came back.
    #[arg(long, value_name = "USD", value_parser = parse_money, allow_hyphen_values = true)]
    amount: Money,

    /// The bill, in words; it is public.
    #[arg(long, value_name = "TEXT", value_parser = parse_words)]
    note: String,

    #[command(flatten)]
    writing: WritingArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Category {
    Hosting,
    Storage,
    DomainRegistration,
    Other,
}

impl From<Category> for ExpenseCategory {
    fn from(category: Category) -> Self {
        match category {
            Category::Hosting => Self::Hosting,
            Category::Storage => Self::Storage,
            Category::DomainRegistration => Self::DomainRegistration,
            Category::Other => Self::Other,
        }
    }
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Command::Record(args) = &args.command;
    let expense = ExpenseRecorded {
        amount_usd: args.amount,
        category: args.category.into(),
        note: args.note.clone(),
    };
    if let Some(receipt) = args.writing.append(disk, &[expense.into()], screen)? {
        screen.line(&format!("recorded an expense of {} USD", args.amount));
        say_size(&receipt, screen);
    }
    Ok(Exit::Clean)
}
