use std::path::Path;

use crate::canonical::Time;
use crate::cli::error::CliError;
use crate::cli::files::{NOTE_BYTES_MAX, read_whole};
use crate::finding::visible;
use crate::ledger::{Judgement, Policy, Signed};

/// Reads a policy, which its reader keeps and trusts.
pub(crate) fn read_policy(path: &Path) -> Result<Policy, CliError> {
    let file = read_whole(path, "the policy", NOTE_BYTES_MAX)?;
    let policy = Policy::parse(&file);
    policy.map_err(|fault| CliError::Input(format!("{}: {fault}", path.display())))
}

/// Who signed, a line each.
pub(crate) fn in_words(judgement: &Judgement<'_>) -> Vec<String> {
    let name = |signed: &Signed<'_>| visible(signed.by.name());
    let logs = judgement.logs.iter();
    let logs = logs.map(|signed| format!("signed by the log {}", name(signed)));
    let witnesses = judgement.witnesses.iter();
    let witnesses = witnesses.map(|signed| match time_of(signed) {
        Some(time) => format!("witnessed by {} at {time}", name(signed)),
        None => format!("witnessed by {}", name(signed)),
    });
    let quorum = match &judgement.quorum {
        Some(quorum) => format!("the quorum {quorum} of the policy is met"),
        None => "the policy asks for no witness".to_owned(),
    };
    logs.chain(witnesses).chain([quorum]).collect()
}

/// The same for programs.
pub(crate) fn in_json(judgement: &Judgement<'_>) -> serde_json::Value {
    let list = |signed: &[Signed<'_>]| -> Vec<_> {
        let one = |signed: &Signed<'_>| {
            let mut one = serde_json::json!({"key": signed.by.to_string()});
            if let Some(seconds) = signed.unix_seconds {
                one["unix_seconds"] = seconds.into();
            }
            one
        };
        signed.iter().map(one).collect()
    };
    serde_json::json!({
        "logs": list(&judgement.logs),
        "quorum": judgement.quorum.as_deref().unwrap_or("none"),
        "witnesses": list(&judgement.witnesses),
    })
}

/// The time that a witness states, where a calendar has it.
fn time_of(signed: &Signed<'_>) -> Option<Time> {
    let ms = i64::try_from(signed.unix_seconds?)
        .ok()?
        .checked_mul(1000)?;
    Time::from_unix_ms(ms)
}
