//! Messages never repeat a value: it may be a secret that stands where none belongs.

use scoresheet::event::{Event, Verified};
use scoresheet::finding::Place;
use serde_json::{Value, json};

use super::{goldens, with_one_change};

/// Something like a credential, put together here so that no file holds one.
fn tokens() -> Vec<String> {
    let body = ["aB3", "dE6", "gH9"].concat().repeat(4);
    let token = ["sk", "proj", &body].join("-");
    vec![
        format!("`{token}`"),
        format!("x, expected y, found `{token}"),
        format!("expected `{token}` is no legal {token}"),
        token.replace('-', "_").to_lowercase(),
        token,
    ]
}

/// Whether the message holds eight characters of the token in a row.
fn repeats(message: &str, token: &str) -> bool {
    let start = token.find("sk").unwrap();
    let token = &token[start..];
    (0..token.len().saturating_sub(8)).any(|at| {
        let part = &token[at..at + 8];
        !"`, expected y, found is no legal ".contains(part) && message.contains(part)
    })
}

fn assert_silent(line: &[u8], token: &str) -> bool {
    let Err(fault) = Verified::<Event>::parse(line) else {
        return false;
    };
    let message = fault.to_string();
    assert!(!repeats(&message, token), "{message}");
    true
}

#[test]
fn no_fault_repeats_a_value_or_a_key_that_is_none() {
    let mut refused = 0;
    for token in tokens() {
        for golden in goldens() {
            let replaced = with_one_change(&golden.value(), &|part| {
                let mut parts = vec![
                    json!(token),
                    json!([token]),
                    json!({ "note": token }),
                    json!({ token.as_str(): token }),
                ];
                if let Value::Object(object) = part {
                    for key in object.keys() {
                        let mut renamed = object.clone();
                        let member = renamed.remove(key).unwrap();
                        renamed.insert(token.clone(), member);
                        parts.push(renamed.into());
                    }
                }
                parts
            });
            for document in replaced {
                refused += usize::from(assert_silent(document.to_string().as_bytes(), &token));
                // A schema's library never sees a parser's message: one token tells all.
                if !token.starts_with("sk-") {
                    continue;
                }
                let violations = scoresheet::schema::check(&golden.name, &document).unwrap();
                for violation in &violations.shown {
                    assert!(!repeats(&violation.to_string(), &token), "{violation}");
                }
                for finding in violations.findings(&Place::file("a.jsonl")) {
                    assert!(!repeats(&finding.to_string(), &token), "{finding}");
                }
            }
        }
    }
    assert!(5_000 < refused, "{refused}");
}

#[test]
fn no_fault_of_a_mangled_text_repeats_a_value() {
    for token in tokens() {
        for golden in goldens() {
            for (at, _) in golden.line.match_indices(['"', ':', ',', '{']) {
                let (before, behind) = golden.line.split_at(at + 1);
                for mangled in [
                    format!("{before}{token}"),
                    format!("{before}{token}{behind}"),
                    format!("{before}\"{token}{behind}"),
                    format!("{before}\"{token}\"{behind}"),
                ] {
                    assert_silent(mangled.as_bytes(), &token);
                }
            }
        }
    }
}

#[test]
fn the_check_itself_hears_a_repeated_value() {
    let token = &tokens()[4];
    assert!(repeats(&format!("found {token}"), token));
    assert!(repeats(&token[6..20], token));
    assert!(!repeats("expected a string, found null", token));
}
