//! How many labelled credentials are found, and how many texts without one are
//! flagged. The file is not part of this repository and need not be there.

use std::collections::BTreeMap;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use scoresheet::secret::Scanner;
use serde_json::Value;

const CORPUS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../shared/data/secrets-dev.jsonl"
);

/// The bytes of a field, which the file holds in a form that scans clean.
fn decoded(value: &Value) -> Option<Vec<u8>> {
    let bytes = STANDARD.decode(value.as_str()?).ok()?;
    Some(bytes.iter().map(|byte| byte ^ 0x5a).collect())
}

/// Whether the credential of a line, or something where no place is named, is hit.
fn is_flagged(scanner: &Scanner, line: &Value) -> bool {
    let text = decoded(&line["text"]).unwrap();
    let hits = scanner.scan(&text);
    let secret = decoded(&line["secret"]).filter(|secret| !secret.is_empty());
    let place = secret.and_then(|secret| {
        let start = text.windows(secret.len()).position(|part| part == secret)?;
        Some(start..start + secret.len())
    });
    match place {
        Some(place) => hits
            .iter()
            .any(|hit| hit.start < place.end && place.start < hit.end),
        None => !hits.is_empty(),
    }
}

#[test]
fn labelled_credentials_are_found_and_other_texts_are_not_flagged() {
    let Ok(corpus) = std::fs::read_to_string(Path::new(CORPUS)) else {
        eprintln!("skipped: the labelled texts are not there");
        return;
    };
    let scanner = Scanner::new();
    // By class and group, how many are flagged and how many there are.
    let mut groups = BTreeMap::<(String, String), (u32, u32)>::new();
    for line in corpus.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let word = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let group = groups.entry((word("cls"), word("tier"))).or_default();
        group.0 += u32::from(is_flagged(&scanner, &line));
        group.1 += 1;
    }
    let percent = |class: &str, tier: Option<&str>| {
        let fits =
            |group: &(String, String)| group.0 == class && tier.is_none_or(|tier| group.1 == tier);
        let chosen = groups.iter().filter(|(group, _)| fits(group));
        let (flagged, all) = chosen.fold((0, 0), |sum, (_, n)| (sum.0 + n.0, sum.1 + n.1));
        let percent = f64::from(flagged) * 100.0 / f64::from(all);
        eprintln!(
            "{class} {}: {flagged} of {all}, {percent:.1} %",
            tier.unwrap_or("all")
        );
        percent
    };
    percent("near_miss", None);
    assert!(97.0 <= percent("secret", Some("llm")));
    assert!(85.0 <= percent("secret", Some("infra")));
    assert!(percent("benign", None) <= 3.0);
}
