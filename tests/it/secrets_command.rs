//! `scoresheet secrets`: what a person sees, and never the secret.

use std::collections::BTreeSet;
use std::path::Path;

use scoresheet::schema::check;
use scoresheet::secret::Scanner;
use serde_json::Value;

use crate::events::compare;
use crate::program::{Outcome, scoresheet};

fn secrets(args: &[&str]) -> Outcome {
    scoresheet(Path::new("none"), &[&["secrets"], args].concat())
}

fn canary(wanted: &str) -> String {
    let mut canaries = Scanner::canaries();
    canaries.find(|(rule, _)| *rule == wanted).unwrap().1
}

/// A folder with a token in plain text and one in base64, a clean file, a link
/// out of it and bytes that are no text.
fn folder() -> (tempfile::TempDir, [String; 2]) {
    use base64::Engine as _;
    let folder = tempfile::tempdir().unwrap();
    let tokens = [canary("openrouter"), canary("groq")];
    let encoded = base64::engine::general_purpose::STANDARD.encode(&tokens[1]);
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.txt"), format!("x\n y={}.\n", tokens[0])).unwrap();
    std::fs::create_dir(path("b")).unwrap();
    std::fs::write(path("b/.hidden"), format!("{{\"x\":\"{encoded}\"}}")).unwrap();
    std::fs::write(path("clean"), "1. e4 e5").unwrap();
    std::fs::write(path("data"), b"\0\x01").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", path("link")).unwrap();
    (folder, tokens)
}

#[test]
fn everything_in_a_folder_is_looked_at_and_named_and_no_secret_is_shown() {
    let (folder, tokens) = folder();
    let path = folder.path().to_str().unwrap();
    for format in ["text", "json", "sarif"] {
        let outcome = secrets(&[path, "--format", format]);
        assert_eq!(outcome.code, 1, "{}", outcome.stderr);
        for token in &tokens {
            let inside = &token[token.len() - 16..];
            assert!(!outcome.stdout.contains(inside), "{format}");
        }
        for name in ["a.txt", "b/.hidden", "data", "link"] {
            assert!(outcome.stdout.contains(name), "{name} in {format}");
        }
        assert!(!outcome.stdout.contains("clean"), "{format}");
    }
    let text = secrets(&[path]).stdout;
    assert!(text.contains("a.txt:2:4"), "{text}");
    assert!(text.contains("openrouter: sk-or-… (73 bytes)"), "{text}");
    assert!(text.ends_with("4 findings in 5 files\n"), "{text}");
    let json: Value = serde_json::from_str(&secrets(&[path, "--format", "json"]).stdout).unwrap();
    let violations = check("secrets-report-1", &json).unwrap();
    assert!(violations.is_empty(), "{violations:?}");
    let rules = json["findings"].as_array().unwrap().iter();
    let rules: Vec<_> = rules
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["openrouter", "groq", "unscannable", "unscannable"]);
    let sarif: Value = serde_json::from_str(&secrets(&[path, "--format", "sarif"]).stdout).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "openrouter");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 2);
    check_sarif(&sarif);
}

/// Checks what SARIF 2.1.0 requires of a log: members, words and references.
fn check_sarif(log: &Value) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    assert_eq!(log["version"], "2.1.0");
    for run in log["runs"].as_array().unwrap() {
        let driver = &run["tool"]["driver"];
        assert!(!text(&driver["name"]).is_empty());
        let rules: Vec<_> = driver["rules"].as_array().unwrap().iter().collect();
        let ids: BTreeSet<_> = rules.iter().map(|rule| text(&rule["id"])).collect();
        assert_eq!(ids.len(), rules.len(), "rules are different");
        let results = run["results"].as_array().unwrap();
        assert!(!results.is_empty());
        for result in results {
            assert!(!text(&result["message"]["text"]).is_empty(), "{result}");
            assert!(ids.contains(&text(&result["ruleId"])), "{result}");
            let level = text(&result["level"]);
            assert!(["none", "note", "warning", "error"].contains(&&*level));
            for location in result["locations"].as_array().unwrap() {
                let place = &location["physicalLocation"];
                let uri = text(&place["artifactLocation"]["uri"]);
                let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%".contains(&byte);
                assert!(uri.bytes().all(is_plain), "{uri}");
                let region = place.get("region");
                assert!(region.is_none_or(|it| 1 <= it["startLine"].as_u64().unwrap()));
            }
        }
    }
}

#[test]
fn the_schema_of_the_report_is_what_the_type_says() {
    let schema = scoresheet::cli::secrets_report_schema();
    compare("schemas/secrets-report-1.json", &schema);
}

#[test]
fn a_named_link_is_a_finding_and_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let token = canary("groq");
    std::fs::create_dir(at("real")).unwrap();
    std::fs::write(at("real/é: x"), format!("({token})")).unwrap();
    for (target, name) in [
        ("real/é: x", "file"),
        ("real", "folder"),
        ("none", "nothing"),
    ] {
        std::os::unix::fs::symlink(target, at(name)).unwrap();
        let outcome = secrets(&[&at(name), "--format", "json"]);
        assert_eq!(outcome.code, 1, "{name}: {}", outcome.stderr);
        let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let found = &json["findings"];
        assert_eq!(found[0]["rule"], "unscannable", "{name}");
        assert_eq!(found[0]["what"], "a symbolic link", "{name}");
        assert_eq!(found.as_array().unwrap().len(), 1, "{name}");
    }
    // Whoever names a way through a link vouches for it.
    let outcome = secrets(&[&at("folder/é: x"), "--format", "sarif"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let sarif: Value = serde_json::from_str(&outcome.stdout).unwrap();
    check_sarif(&sarif);
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "groq");
}

/// Text in base64, so many times over.
fn nested(text: &[u8], times: usize) -> String {
    use base64::Engine as _;
    let once = base64::engine::general_purpose::STANDARD.encode(text);
    if times == 1 {
        once
    } else {
        nested(once.as_bytes(), times - 1)
    }
}

#[test]
fn spellings_around_one_another_are_undone_up_to_a_limit_and_beyond_it_are_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nested");
    let look = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let outcome = secrets(&[file.to_str().unwrap(), "--format", "json"]);
        let json: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let found = json["findings"].as_array().unwrap().iter();
        let found = found.map(|it| it["rule"].as_str().unwrap().to_owned());
        (outcome.code, found.collect::<Vec<_>>())
    };
    let token = format!("the key is {} and no other\n", canary("groq"));
    for times in 1..=4 {
        let found = look(&nested(token.as_bytes(), times));
        assert_eq!(found, (1, vec!["groq".to_owned()]), "{times} times");
    }
    // Three ways that can be undone in any order: there are dozens of orders.
    let unit = "%25252541=3D3D3D41\u{ad}";
    let few = look(&unit.repeat(1 << 6));
    assert_eq!(few, (0, vec![]));
    let found = look(&(unit.repeat(1 << 12) + &token));
    let rules = ["groq", "unscannable"].map(str::to_owned);
    assert_eq!(found, (1, rules.to_vec()));
}
