use serde_json::Value;

use crate::event::CallFailure;
use crate::finding::visible;

/// Why no answer came from a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) class: CallFailure,
    pub(crate) detail: String,
    pub(crate) http_status: Option<u16>,
    pub(crate) retry_after_ms: Option<u64>,
}

/// How much of what a server says is kept.
const QUOTED: usize = 300;

impl Trouble {
    pub(crate) fn new(class: CallFailure, detail: impl Into<String>) -> Self {
        Self {
            class,
            detail: detail.into(),
            http_status: None,
            retry_after_ms: None,
        }
    }

    /// What a status other than success says, with the text that came with it.
    pub(crate) fn of_status(status: u16, retry_after: Option<&str>, body: &[u8]) -> Self {
        let said = said(body);
        let class = match status {
            402 => CallFailure::UsageLimit,
            429 if is_used_up(&said) => CallFailure::UsageLimit,
            429 => CallFailure::RateLimited,
            403 | 451 if is_moderation(&said) => CallFailure::Moderation,
            408 | 504 | 524 => CallFailure::Timeout,
            500..=599 => CallFailure::ServerError,
            _ => CallFailure::ErrorAnswer,
        };
        Self {
            class,
            detail: format!("HTTP status {status}: {said}"),
            http_status: Some(status),
            retry_after_ms: retry_after.and_then(wait_ms),
        }
    }

    /// What an answer says that came with success and says that it failed. Its
    /// code, where it has one, is read as a status.
    pub(crate) fn of_error(error: &Value) -> Self {
        let code = error.get("code").and_then(|code| match code {
            Value::String(code) => code.parse().ok(),
            code => code.as_u64(),
        });
        let body = serde_json::json!({ "error": error }).to_string();
        let known = code.and_then(|code| u16::try_from(code).ok());
        let known = known.filter(|code| (400..600).contains(code));
        let said = said(body.as_bytes());
        let class = match known {
            Some(code) => Self::of_status(code, None, body.as_bytes()).class,
            None if is_moderation(&said) => CallFailure::Moderation,
            None if is_used_up(&said) => CallFailure::UsageLimit,
            None => CallFailure::ErrorAnswer,
        };
        Self {
            http_status: Some(200),
            ..Self::new(class, format!("an answer that says it failed: {said}"))
        }
    }
}

/// Whether sending the same again may help.
pub(crate) const fn is_passing(class: CallFailure) -> bool {
    matches!(
        class,
        CallFailure::Timeout
            | CallFailure::Unreachable
            | CallFailure::RateLimited
            | CallFailure::ServerError
            | CallFailure::BrokenStream
            | CallFailure::ErrorAnswer
            | CallFailure::Protocol
    )
}

fn is_used_up(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    [
        "insufficient_quota",
        "insufficient credits",
        "usage limit",
        "quota exceeded",
    ]
    .iter()
    .any(|word| said.contains(word))
}

fn is_moderation(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    ["moderation", "content_filter", "content_policy", "flagged"]
        .iter()
        .any(|word| said.contains(word))
}

/// What a body says of the error: its message, type and code, or how it begins.
fn said(body: &[u8]) -> String {
    let of_error = serde_json::from_slice::<Value>(body)
        .ok()
        .and_then(|value| {
            let error = value.get("error")?.clone();
            let text = |name: &str| match error.get(name) {
                Some(Value::String(text)) => Some(text.clone()),
                Some(Value::Number(number)) => Some(number.to_string()),
                _ => None,
            };
            let parts = [text("message"), text("type"), text("code")];
            let parts: Vec<_> = parts.into_iter().flatten().collect();
            match (&error, parts.is_empty()) {
                (Value::String(text), _) => Some(text.clone()),
                (_, true) => None,
                (_, false) => Some(parts.join("; ")),
            }
        });
    let said = of_error.unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
    let shown: String = said.trim().chars().take(QUOTED).collect();
    match shown.as_str() {
        "" => "nothing more".to_owned(),
        shown => visible(shown),
    }
}

/// How long a `Retry-After` asks to wait: seconds, or a date, which says nothing
/// without a clock.
fn wait_ms(retry_after: &str) -> Option<u64> {
    let seconds: f64 = retry_after.trim().parse().ok()?;
    let is_sane = (0.0..=86_400.0).contains(&seconds);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within a day, and not below zero"
    )]
    let ms = (seconds * 1000.0) as u64;
    is_sane.then_some(ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(status: u16, body: &str) -> CallFailure {
        Trouble::of_status(status, None, body.as_bytes()).class
    }

    #[test]
    fn a_status_is_told_by_kind() {
        for (status, body, expected) in [
            (429, "", CallFailure::RateLimited),
            (
                429,
                r#"{"error":{"code":"insufficient_quota"}}"#,
                CallFailure::UsageLimit,
            ),
            (402, "", CallFailure::UsageLimit),
            (
                403,
                r#"{"error":{"message":"Input was flagged"}}"#,
                CallFailure::Moderation,
            ),
            (403, "", CallFailure::ErrorAnswer),
            (401, "", CallFailure::ErrorAnswer),
            (408, "", CallFailure::Timeout),
            (504, "", CallFailure::Timeout),
            (500, "", CallFailure::ServerError),
            (503, "<html>", CallFailure::ServerError),
            (400, "", CallFailure::ErrorAnswer),
        ] {
            assert_eq!(class(status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn how_long_to_wait_is_read_where_it_is_a_number() {
        let wait = |text| Trouble::of_status(429, Some(text), b"").retry_after_ms;
        assert_eq!(wait("2"), Some(2000));
        assert_eq!(wait(" 0.5 "), Some(500));
        for odd in ["-1", "soon", "1e99", "NaN", "Wed, 21 Oct 2015 07:28:00 GMT"] {
            assert_eq!(wait(odd), None, "{odd}");
        }
    }

    #[test]
    fn what_a_server_says_is_quoted_briefly_and_steers_no_terminal() {
        let long = format!(
            "{{\"error\":{{\"message\":\"\u{1b}[2J{}\"}}}}",
            "x".repeat(9_999)
        );
        let trouble = Trouble::of_status(500, None, long.as_bytes());
        assert!(trouble.detail.len() < 500, "{}", trouble.detail);
        assert!(!trouble.detail.contains('\u{1b}'));
        let trouble = Trouble::of_error(&serde_json::json!({"code": 429, "message": "slow down"}));
        assert_eq!(
            (trouble.class, trouble.http_status),
            (CallFailure::RateLimited, Some(200))
        );
        assert_eq!(
            trouble.detail,
            "an answer that says it failed: slow down; 429"
        );
        let trouble = Trouble::of_error(&serde_json::json!("out of memory"));
        assert_eq!(trouble.class, CallFailure::ErrorAnswer);
    }
}
