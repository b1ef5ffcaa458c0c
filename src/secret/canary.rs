use serde::Deserialize;

/// A credential that was never one, in pieces, so that no file holds it.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Canary(String);

const ALPHABETS: [(&str, &str); 6] = [
    (
        "alnum",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    ),
    (
        "base64",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    ),
    ("capital", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    ("digit", "0123456789"),
    ("hex", "0123456789abcdef"),
    ("small", "abcdefghijklmnopqrstuvwxyz0123456789"),
];

impl Canary {
    /// Puts it together. It is the same each time, and no provider ever gave it
    /// to anybody.
    pub(crate) fn assembled(&self) -> String {
        let mut state = 0x5c07_e54e_u64;
        let mut next = move || {
            // SplitMix64, of which the upper half serves.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap_or(0)
        };
        let mut text = String::new();
        let mut rest = self.0.as_str();
        while let Some((before, behind)) = rest.split_once('{') {
            text.push_str(before);
            let piece = behind.split_once('}').and_then(|(piece, behind)| {
                let letters = letters(piece)?;
                Some((letters, behind))
            });
            let Some(((letters, n), behind)) = piece else {
                // A brace of its own.
                text.push('{');
                rest = behind;
                continue;
            };
            text.extend((0..n).filter_map(|_| letters.chars().nth(next() % letters.len().max(1))));
            rest = behind;
        }
        text.push_str(rest);
        text
    }
}

/// The alphabet of a piece, and how many of its letters are asked for.
fn letters(piece: &str) -> Option<(&'static str, usize)> {
    if piece.is_empty() {
        return Some(("", 0));
    }
    let (name, n) = piece.split_once(':')?;
    let (_, letters) = ALPHABETS.iter().find(|alphabet| alphabet.0 == name)?;
    Some((letters, n.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_filled_and_other_braces_stay() {
        let made = |text: &str| Canary(text.to_owned()).assembled();
        assert_eq!(made("a{}b"), "ab");
        assert_eq!(made(r#"{"kty":"x{digit:0}"}"#), r#"{"kty":"x"}"#);
        let made = made("x-{hex:40}.");
        assert_eq!(made.len(), 43);
        assert!(made[2..42].bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}
