//! What a player says is kept, and what looks like a credential in it is not
//! made public: the field is redacted, the whole text is sealed, and the game
//! goes on. A paid answer is never lost over a false alarm.

use crate::event::{EventId, Name, PrivateBody, What};
use crate::ledger::{LedgerError, PrivateStore};
use crate::projection::Projection;
use crate::secret::{Hit, Scanner};

/// How much of a text is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What looks like a credential.
    Hits,
    /// Every text, because the event looks like it held one and no text alone does.
    Whole,
}

/// A text that is not public.
pub(crate) struct Hidden {
    field: &'static str,
    original: String,
    rules: Vec<&'static str>,
}

/// Hides what looks like a credential in the texts that a player or provider
/// wrote. The texts that are hidden whole bear these rules.
pub(crate) fn hide(what: &mut What, extent: Extent, of_the_line: &[Hit]) -> Vec<Hidden> {
    let mut hidden = Vec::new();
    for (field, text) in texts(what) {
        let found = Scanner::shared().scan(text.as_bytes());
        let (hits, public) = match extent {
            Extent::Hits if found.is_empty() => continue,
            Extent::Hits => (&found[..], Scanner::shared().redacted(text)),
            Extent::Whole => (of_the_line, format!("… ({} bytes)", text.len())),
        };
        let mut rules: Vec<_> = hits.iter().map(|hit| hit.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        hidden.push(Hidden {
            field,
            original: std::mem::replace(text, public),
            rules,
        });
    }
    hidden
}

/// The texts of an event that somebody else wrote, with their fields.
fn texts(what: &mut What) -> Vec<(&'static str, &mut String)> {
    let maybe = |field, text| -> Option<(&'static str, &mut String)> {
        let text: &mut Option<String> = text;
        Some((field, text.as_mut()?))
    };
    match what {
        What::MoveRejected(rejected) => vec![("extracted", &mut rejected.extracted)],
        What::CellAnswered(answered) => maybe("extracted", &mut answered.extracted)
            .into_iter()
            .collect(),
        What::CallFailed(failed) => vec![("detail", &mut failed.detail)],
        What::GameAborted(aborted) => vec![("reason", &mut aborted.reason)],
        What::CallAnswered(answered) => {
            let own = [
                maybe("finish_reason", &mut answered.finish_reason),
                maybe("request_id", &mut answered.request_id),
                maybe("returned_model", &mut answered.returned_model),
            ];
            let parts = answered.calls.iter_mut().flat_map(|call| {
                [
                    maybe("calls_model", &mut call.model),
                    maybe("calls_request_id", &mut call.request_id),
                    Some(("calls_role", &mut call.role)),
                ]
            });
            own.into_iter().chain(parts).flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// Where an event has room for the originals.
fn bodies(what: &mut What) -> Option<&mut Vec<PrivateBody>> {
    match what {
        What::MoveRejected(rejected) => Some(&mut rejected.bodies),
        What::CellAnswered(answered) => Some(&mut answered.bodies),
        What::CallFailed(failed) => Some(&mut failed.bodies),
        What::CallAnswered(answered) => Some(&mut answered.bodies),
        _ => None,
    }
}

/// The game or dataset that an event of an answer or call belongs to.
fn unit(what: &What, projection: &Projection) -> Option<EventId> {
    let call = match what {
        What::MoveRejected(rejected) => return Some(rejected.game),
        What::CellAnswered(answered) => return Some(answered.dataset),
        What::CallFailed(failed) => &failed.call,
        What::CallAnswered(answered) => &answered.call,
        _ => return None,
    };
    projection.calls.call(call)?.sent.unit()
}

/// Seals the originals as private bodies of the game, and names them in the
/// event. Why a game was aborted is what its failed call said, and sealed there.
pub(crate) fn seal(
    what: &mut What,
    hidden: &[Hidden],
    projection: &Projection,
    store: &PrivateStore<'_>,
) -> Result<(), LedgerError> {
    let Some(unit) = unit(what, projection) else {
        return Ok(());
    };
    let Some(bodies) = bodies(what) else {
        return Ok(());
    };
    let name = |text: &str| text.parse::<Name>().ok();
    for text in hidden {
        let rules = text.rules.iter().filter_map(|rule| name(rule)).collect();
        if let Some(field) = name(text.field) {
            bodies.push(store.seal_redacted(&unit, field, rules, &text.original)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{AbortCause, CallFailed, CallFailure, GameAborted};

    #[test]
    fn a_text_is_hidden_as_far_as_it_must_be_and_the_rules_are_named_once() {
        let key = |n| ["gsk", "_", &"aB3dE5gH7k".repeat(n)].concat();
        let said = format!("{} or {}", key(4), key(5));
        let failed = CallFailed {
            bodies: Vec::new(),
            call: EventId::of(b"a call"),
            class: CallFailure::Protocol,
            detail: said.clone(),
            http_status: None,
            retry_after_ms: None,
            time: None,
        };
        let detail = |what: &What| match what {
            What::CallFailed(failed) => failed.detail.clone(),
            _ => String::new(),
        };
        let mut what = What::from(failed.clone());
        let hidden = hide(&mut what, Extent::Hits, &[]);
        assert_eq!(detail(&what), "gsk_… (44 bytes) or gsk_… (54 bytes)");
        assert_eq!(hidden.len(), 1);
        assert_eq!(hidden[0].original, said);
        assert_eq!(hidden[0].rules, ["groq"]);
        let mut what = What::from(failed);
        let of_the_line = Scanner::shared().scan(said.as_bytes());
        hide(&mut what, Extent::Whole, &of_the_line);
        assert_eq!(detail(&what), format!("… ({} bytes)", said.len()));
        let mut what = What::from(GameAborted {
            call: None,
            cause: AbortCause::RunnerFailure,
            game: EventId::of(b"a game"),
            reason: "the plug was pulled".to_owned(),
        });
        assert!(hide(&mut what, Extent::Hits, &[]).is_empty());
    }
}
