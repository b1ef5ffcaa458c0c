//! The fields that a correction may supersede, and what may stand in them.

use serde_json::{Value, json};

use crate::canonical::{Count, Money};
use crate::chess::{GameResult, Termination};
use crate::event::kinds::Meaningless;
use crate::event::{ExpenseCategory, NamedValue};

/// A field of an event that a correction may supersede.
#[derive(Clone, Copy, Debug)]
pub struct SupersededField {
    /// Its name, as a path below `what`.
    pub name: &'static str,
    /// The kinds of event that have it.
    pub kinds: &'static [&'static str],
    /// What may stand in it, in words.
    pub expected: &'static str,
    form: Form,
}

/// What may stand in a field.
#[derive(Clone, Copy, Debug)]
enum Form {
    Result,
    Termination,
    Category,
    Tokens,
    /// Zero or more.
    Cost,
    /// Below zero: money that came back.
    Refund,
    /// Anything.
    Amount,
}

const fn field(
    name: &'static str,
    kinds: &'static [&'static str],
    form: Form,
    expected: &'static str,
) -> SupersededField {
    SupersededField {
        name,
        kinds,
        expected,
        form,
    }
}

const COST: &str = "US dollars, zero or more, such as \"0.42\"";
const AMOUNT: &str = "US dollars, such as \"0.42\"";
const TOKENS: &str = "a whole number of at most 15 digits";
const PRICE: &[&str] = &["price.recorded"];
const ANSWER: &[&str] = &["call.answered"];

/// Every field that a correction may supersede. What costs nothing less than
/// zero in one kind of event may be less in another: such a field stands here
/// once for each.
#[rustfmt::skip]
pub const SUPERSEDED_FIELDS: &[SupersededField] = &[
    field("result", &["game.finished"], Form::Result, "1-0, 0-1 or 1/2-1/2"),
    field("termination", &["game.finished"], Form::Termination, "the word of a termination, such as checkmate"),
    field("cost_usd", ANSWER, Form::Cost, COST),
    field("tokens.cached", ANSWER, Form::Tokens, TOKENS),
    field("tokens.completion", ANSWER, Form::Tokens, TOKENS),
    field("tokens.prompt", ANSWER, Form::Tokens, TOKENS),
    field("tokens.reasoning", ANSWER, Form::Tokens, TOKENS),
    field("amount_usd", &["cost.looked_up", "expense.recorded"], Form::Cost, AMOUNT),
    field("amount_usd", &["expense.recorded"], Form::Refund, AMOUNT),
    field("category", &["expense.recorded"], Form::Category, "hosting, storage, domain_registration or other"),
    field("corrected_usd", &["billing.corrected"], Form::Amount, AMOUNT),
    field("cached_usd_per_million", PRICE, Form::Cost, COST),
    field("completion_usd_per_million", PRICE, Form::Cost, COST),
    field("prompt_usd_per_million", PRICE, Form::Cost, COST),
];

impl SupersededField {
    /// Whether this may stand in the field.
    pub fn takes(&self, value: &str) -> bool {
        let money = || value.parse::<Money>();
        match self.form {
            Form::Result => value.parse::<GameResult>().is_ok(),
            Form::Termination => value.parse::<Termination>().is_ok(),
            Form::Category => ExpenseCategory::ALL
                .iter()
                .any(|category| category.as_str() == value),
            Form::Tokens => tokens_in_words(value).is_some(),
            Form::Cost => money().is_ok_and(|money| !money.is_negative()),
            Form::Refund => money().is_ok_and(Money::is_negative),
            Form::Amount => money().is_ok(),
        }
    }

    /// Whether it is an amount of US dollars.
    pub const fn is_money(&self) -> bool {
        matches!(self.form, Form::Cost | Form::Refund | Form::Amount)
    }

    /// The same for JSON Schema.
    fn pattern(&self) -> String {
        const UNSIGNED: &str = "0|[1-9][0-9]{0,8}|(0|[1-9][0-9]{0,8})\\.[0-9]{0,17}[1-9]";
        const NEGATIVE: &str = "-[1-9][0-9]{0,8}|-(0|[1-9][0-9]{0,8})\\.[0-9]{0,17}[1-9]";
        match self.form {
            Form::Result => words(GameResult::ALL.iter().map(|result| result.as_str())),
            Form::Termination => words(Termination::ALL.iter().map(|end| end.as_str())),
            Form::Category => words(ExpenseCategory::ALL.iter().map(|one| one.as_str())),
            Form::Tokens => "^(0|[1-9][0-9]{0,14})$".to_owned(),
            Form::Cost => format!("^({UNSIGNED})$"),
            Form::Refund => format!("^({NEGATIVE})$"),
            Form::Amount => format!("^({UNSIGNED}|{NEGATIVE})$"),
        }
    }
}

fn words<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<_> = words.collect();
    format!("^({})$", words.join("|"))
}

/// Reads a number of tokens as a correction writes it.
pub fn tokens_in_words(value: &str) -> Option<Count> {
    let is_plain = value == "0" || !value.starts_with('0');
    let is_number = (1..=15).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit());
    let number = value.parse::<u64>().ok();
    number
        .filter(|_| is_plain && is_number)
        .map(Count::saturating)
}

/// Returns the kinds of event that have all of these fields.
pub(crate) fn kinds_with(values: &[NamedValue]) -> Result<&'static [&'static str], Meaningless> {
    let mut narrowest: Option<&SupersededField> = None;
    for (index, value) in values.iter().enumerate() {
        let found = field_of(value)?;
        if values.iter().take(index).any(|one| one.name == value.name) {
            let expected = "each field once";
            return Err(Meaningless::new(
                "values.name",
                expected,
                "one of them twice",
            ));
        }
        let among = |one: &SupersededField, other: &SupersededField| {
            one.kinds.iter().all(|kind| other.kinds.contains(kind))
        };
        narrowest = match narrowest {
            Some(before) if among(before, found) => Some(before),
            Some(before) if !among(found, before) => {
                let expected = "fields that one kind of event has together";
                let found = format!("`{}` beside `{}`", before.name, found.name);
                return Err(Meaningless::new("values.name", expected, found));
            }
            Some(_) | None => Some(found),
        };
    }
    Ok(narrowest.map_or(&[], |field| field.kinds))
}

fn field_of(value: &NamedValue) -> Result<&'static SupersededField, Meaningless> {
    let mut named = SUPERSEDED_FIELDS
        .iter()
        .filter(|field| field.name == value.name)
        .peekable();
    let Some(first) = named.peek().copied() else {
        let names: Vec<_> = SUPERSEDED_FIELDS.iter().map(|field| field.name).collect();
        let expected = format!("a field that can be superseded: {}", names.join(", "));
        return Err(Meaningless::new("values.name", expected, "another name"));
    };
    named
        .find(|field| field.takes(&value.value))
        .ok_or_else(|| {
            let expected = format!("for `{}` {}", first.name, first.expected);
            Meaningless::new("values.value", expected, "something else")
        })
}

/// What the values of a correction may be, for JSON Schema: fields of one kind.
pub(crate) fn forms() -> Value {
    let mut kinds: Vec<_> = SUPERSEDED_FIELDS.iter().flat_map(|one| one.kinds).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let form_of = |kind: &&&str| {
        let fields = SUPERSEDED_FIELDS
            .iter()
            .filter(|field| field.kinds.contains(*kind));
        let fields: Vec<_> = fields
            .map(|field| {
                json!({"properties": {
                    "name": {"const": field.name},
                    "value": {"pattern": field.pattern()},
                }})
            })
            .collect();
        json!({"items": {"anyOf": fields}})
    };
    kinds.iter().map(form_of).collect()
}
