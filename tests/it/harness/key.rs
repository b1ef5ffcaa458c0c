//! Keys have one spelling, and secret ones are never shown.

use scoresheet::ledger::{SigningKey, VerifierKey};

use super::{message, unveiled};

pub(crate) fn check(bytes: &[u8]) {
    if let Ok(text) = String::from_utf8(unveiled(bytes)) {
        verifier(&text);
        signer(&text);
    }
}

fn verifier(text: &str) {
    match text.parse::<VerifierKey>() {
        Ok(key) => {
            assert_eq!(key.to_string(), text);
            assert!(text.starts_with(key.name()));
            assert_eq!(format!("{key:?}"), text);
        }
        Err(error) => message::is_sayable(&error.to_string()),
    }
}

fn signer(text: &str) {
    match SigningKey::parse(text) {
        Ok(key) => {
            let secret = text.trim_end_matches('\n').rsplit('+').next().unwrap();
            let public = key.verifier_key();
            assert!(!format!("{key:?} {public}").contains(secret));
            assert_eq!(public.to_string().parse().as_ref(), Ok(&public));
            assert_eq!((key.name(), key.kind()), (public.name(), public.kind()));
            let signature = key.sign("a text\n", 1_700_000_000);
            let note = format!("a text\n\n{signature}\n");
            let note = scoresheet::ledger::Note::parse(note.as_bytes()).unwrap();
            let is_checkpoint = public.kind() == scoresheet::ledger::KeyKind::Cosignature;
            let signed = note.verify(&[&public]).unwrap();
            assert_eq!(signed[0].unix_seconds.is_some(), is_checkpoint);
        }
        Err(error) => {
            message::is_sayable(&error.to_string());
            let words: Vec<_> = text
                .split('+')
                .filter(|word| 20 <= word.len() && !word.contains(' '))
                .collect();
            let said = format!("{error} {error:?}");
            assert!(!words.iter().any(|word| said.contains(word)), "{said}");
        }
    }
}
