//! Where a game of a PGN file starts, by its tags.

use crate::chess::pgn_reading::{PgnTag, PgnUnplayable};
use crate::chess::{Fen, Variant};

/// A contradiction: its line, what was expected, what was found.
type Contradiction = (u64, String, String);

/// Returns the start and the variant that tags give, and what of them contradicts.
pub(in crate::chess) fn start_of(
    tags: &[PgnTag],
) -> Result<(Fen, Variant, Option<Contradiction>), PgnUnplayable> {
    let tag = |name: &str| {
        let mut tags = tags
            .iter()
            .filter(|tag| tag.name.eq_ignore_ascii_case(name));
        tags.find(|tag| !matches!(tag.value.trim(), "" | "?" | "-"))
    };
    let named = tag("Variant").map(variant_of).transpose()?;
    let set_up = tag("SetUp");
    let Some(fen) = tag("FEN") else {
        let contradiction = set_up.filter(|tag| tag.value.trim() == "1").map(|tag| {
            let expected = "a tag FEN beside SetUp 1".to_owned();
            (tag.line, expected, "none".to_owned())
        });
        let variant = named.unwrap_or(Variant::Standard);
        return Ok((Fen::standard_start(), variant, contradiction));
    };
    let contradiction = set_up.filter(|tag| tag.value.trim() == "0").map(|tag| {
        let expected = "SetUp 1 beside a tag FEN".to_owned();
        (tag.line, expected, "SetUp 0".to_owned())
    });
    let unplayable = |expected: String, found: String| PgnUnplayable {
        is_variant: false,
        line: fen.line,
        expected,
        found,
    };
    let text: Vec<_> = fen.value.split_whitespace().collect();
    // Four fields are an EPD: no counters.
    let text = match text.as_slice() {
        [board, turn, castling, square] => format!("{board} {turn} {castling} {square} 0 1"),
        fields => fields.join(" "),
    };
    let start: Fen = text.parse().map_err(|error: crate::chess::ParseFenError| {
        unplayable("a position in the tag FEN".to_owned(), error.to_string())
    })?;
    if let Some(variant) = named {
        return Ok((start, variant, contradiction));
    }
    // A position that is none of standard chess and one of Chess960 is one of
    // Chess960, whatever the file leaves out.
    let of_standard = start.position(Variant::Standard);
    let variant = match of_standard {
        Ok(_) => Variant::Standard,
        Err(_) if start.position(Variant::Chess960).is_ok() => Variant::Chess960,
        Err(error) => {
            let expected = "a position of standard chess".to_owned();
            return Err(unplayable(expected, error.to_string()));
        }
    };
    Ok((start, variant, contradiction))
}

fn variant_of(tag: &PgnTag) -> Result<Variant, PgnUnplayable> {
    let name: String = tag.value.to_ascii_lowercase();
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    match name.as_str() {
        "standard" | "normal" | "chess" | "fromposition" | "orthodox" | "classical" => {
            Ok(Variant::Standard)
        }
        "chess960" | "fischerandom" | "fischerrandom" | "960" | "frc" | "freestyle" => {
            Ok(Variant::Chess960)
        }
        _ => Err(PgnUnplayable {
            is_variant: true,
            line: tag.line,
            expected: "standard chess or Chess960".to_owned(),
            found: tag.value.clone(),
        }),
    }
}
