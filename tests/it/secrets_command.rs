//! `scoresheet secrets`: what a person sees, and never the secret.

use std::path::Path;

use scoresheet::secret::Scanner;
use serde_json::Value;

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
}

#[test]
fn clean_files_are_clean_and_nothing_is_no_pass() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let empty = secrets(&[path]);
    assert_eq!(empty.code, 2);
    assert!(empty.stderr.contains("holds no file"), "{}", empty.stderr);
    let file = folder.path().join("clean");
    std::fs::write(&file, "1. e4 e5").unwrap();
    for path in [path, file.to_str().unwrap()] {
        let outcome = secrets(&[path]);
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (0, "0 findings in 1 file\n")
        );
    }
    assert_eq!(
        secrets(&[folder.path().join("none").to_str().unwrap()]).code,
        2
    );
    assert_eq!(secrets(&[]).code, 2);
}
