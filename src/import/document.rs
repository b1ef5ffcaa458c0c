//! What a JSON document of others says, by its own names.

use serde_json::Value;

use crate::canonical::{Count, Money};
use crate::event::{ImportFault, ImportFaultKind, NamedValue};

/// The most details that are kept of a game; the source has the rest.
const DETAILS_MAX: usize = 100;

/// The longest detail, in characters.
const DETAIL_CHARS_MAX: usize = 500;

/// A part of a document by its path, such as `info.TeamNames.0`.
pub(in crate::import) fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, key| match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        Value::Object(_) => value.get(key),
        _ => None,
    })
}

/// A text by its path; nothing where it is blank or another thing.
pub(in crate::import) fn text<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    let text = at(value, path)?.as_str()?;
    (!text.trim().is_empty()).then_some(text)
}

/// A number of things by its path.
pub(in crate::import) fn count(value: &Value, path: &str) -> Option<Count> {
    Count::try_from(at(value, path)?.as_u64()?).ok()
}

/// The same, where 0 stands for what is not known.
pub(in crate::import) fn known_count(value: &Value, path: &str) -> Option<Count> {
    count(value, path).filter(|count| *count != Count::ZERO)
}

/// Seconds by their path, as milliseconds, rounded half up.
pub(in crate::import) fn milliseconds(value: &Value, path: &str) -> Option<Count> {
    let seconds = at(value, path)?.as_f64()?.to_string();
    let (whole, fraction) = seconds.split_once('.').unwrap_or((&seconds, ""));
    let padded = format!("{fraction:0<4}");
    let digits = padded.get(..4)?;
    let tenths = format!("{whole}{digits}").parse::<u64>().ok()?;
    Count::try_from(tenths.checked_add(5)? / 10).ok()
}

/// US dollars by their path. 0 stands for what is not known.
pub(in crate::import) fn known_dollars(value: &Value, path: &str) -> Option<Money> {
    let amount: Money = at(value, path)?.as_f64()?.to_string().parse().ok()?;
    (!amount.is_negative() && amount.to_string() != "0").then_some(amount)
}

/// Everything in a part of a document that is a text, a number or a truth, each
/// by its path.
pub(in crate::import) fn details(value: &Value, path: &str, details: &mut Vec<NamedValue>) {
    let below = |key: &str| match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    };
    let said = match value {
        Value::Object(members) => {
            for (key, member) in members {
                self::details(member, &below(key), details);
            }
            return;
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                self::details(item, &below(&index.to_string()), details);
            }
            return;
        }
        Value::Null => return,
        Value::String(text) if text.trim().is_empty() => return,
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if details.len() < DETAILS_MAX && said.chars().count() <= DETAIL_CHARS_MAX {
        details.push(NamedValue {
            name: path.to_owned(),
            value: said,
        });
    }
}

/// Two places of a document say two things.
pub(in crate::import) fn contradiction(
    expected: impl Into<String>,
    found: impl Into<String>,
) -> ImportFault {
    ImportFault {
        expected: expected.into(),
        found: found.into(),
        kind: ImportFaultKind::Contradiction,
        line: None,
        ply: None,
    }
}

/// What may be shown of a text of others.
pub(in crate::import) fn shown(text: &str) -> String {
    const SHOWN: usize = 120;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_of_others_become_whole_ones_and_zero_is_not_known() {
        let value = json!({"a": 9.670_661_960_997_677, "b": 0, "c": 0.000_015, "d": [1.5], "e": -1.0, "f": 4.7525});
        let ms = |path| milliseconds(&value, path).map(Count::get);
        assert_eq!(
            (ms("a"), ms("d.0"), ms("f")),
            (Some(9_671), Some(1_500), Some(4_753))
        );
        assert_eq!((ms("e"), ms("x")), (None, None));
        let dollars = |path| known_dollars(&value, path).map(|money| money.to_string());
        assert_eq!(
            (dollars("b"), dollars("c")),
            (None, Some("0.000015".to_owned()))
        );
    }
}
