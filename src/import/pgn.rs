//! Games of PGN files.

use crate::canonical::{Count, Integer};
use crate::chess::{
    PgnFault, PgnFaultKind, PgnReading, PgnRemark, PgnTag, PgnUnplayable, Score, Termination,
};
use crate::event::{
    EndingClass, GameImported, ImportFault, ImportFaultKind, ImportedEnding, ImportedRemark,
    ImportedSeat, NamedValue, ReportedScore, SkipReason, Start, StatedBy, StatedResult, What,
};
use crate::import::Slot;

/// The version of this reader, raised when it reads another thing.
pub const PGN_VERSION: u32 = 1;

/// Tags that have a field of their own.
const LIFTED: [&str; 8] = [
    "Black",
    "BlackModel",
    "FEN",
    "Result",
    "SetUp",
    "Termination",
    "White",
    "WhiteModel",
];

/// So much is shown of what cannot be set up.
const FOUND_MAX: usize = 300;

/// Reads the game in these bytes of a PGN file.
pub fn read_pgn_game(bytes: &[u8], slot: &Slot) -> What {
    match PgnReading::of(bytes, slot.line.unwrap_or(1)) {
        Ok(reading) => game_of(&reading, slot).into(),
        Err(unplayable) => skipped(unplayable, slot),
    }
}

fn skipped(unplayable: PgnUnplayable, slot: &Slot) -> What {
    let reason = if unplayable.is_variant {
        SkipReason::Variant
    } else {
        SkipReason::Start
    };
    let found: String = unplayable.found.chars().take(FOUND_MAX).collect();
    let mut skipped = slot.skipped(reason, unplayable.expected, found);
    skipped.line = Some(Count::saturating(unplayable.line));
    skipped.into()
}

/// The event of a game that was read.
pub(in crate::import) fn game_of(reading: &PgnReading, slot: &Slot) -> GameImported {
    let seat = |name: &str, model: &str| ImportedSeat {
        model: reading.tag(model).map(str::to_owned),
        name: reading.tag(name).map(str::to_owned),
        ..ImportedSeat::default()
    };
    let stated = reading.stated.iter().map(|stated| StatedResult {
        by: if stated.by_tag {
            StatedBy::Header
        } else {
            StatedBy::Moves
        },
        line: Some(Count::saturating(stated.line)),
        result: stated.result,
    });
    let mut game = GameImported {
        black: seat("Black", "BlackModel"),
        details: details_of(&reading.tags),
        ending: reading.tag("Termination").map(ending_of),
        faults: reading.faults.iter().map(fault_of).collect(),
        import: slot.import,
        line: slot.line.map(Count::saturating),
        moves: reading.moves.clone(),
        number: Count::saturating(slot.number),
        path: slot.path.clone(),
        rejected: Vec::new(),
        remarks: reading.remarks.iter().map(remark_of).collect(),
        start: Start {
            fen: reading.start.clone(),
            variant: reading.variant,
        },
        stated: stated.collect(),
        white: seat("White", "WhiteModel"),
    };
    // The third repetition and the fifty moves end no game that nobody claims.
    let is_forced = |termination| {
        !matches!(
            termination,
            Termination::ThreefoldRepetition | Termination::FiftyMoves
        )
    };
    let end = reading
        .end
        .filter(|(_, termination)| is_forced(*termination));
    let contradictions = game.contradictions(end);
    game.faults.extend(contradictions);
    game.faults.sort_by_key(|fault| fault.line);
    game
}

/// What the tags say that has no field of its own.
fn details_of(tags: &[PgnTag]) -> Vec<NamedValue> {
    let is_lifted = |index: usize, tag: &PgnTag| {
        let is_first = || tags.iter().position(|other| other.name == tag.name) == Some(index);
        LIFTED.contains(&tag.name.as_str()) && (tag.name == "Result" || is_first())
    };
    let details = tags.iter().enumerate().filter_map(|(index, tag)| {
        let value = tag.value.trim();
        let is_known = !matches!(value, "" | "?" | "????.??.??");
        (is_known && !is_lifted(index, tag)).then(|| NamedValue {
            name: tag.name.clone(),
            value: value.to_owned(),
        })
    });
    details.collect()
}

/// What the words of the tag `Termination` mean, those of the PGN standard
/// (section 9.8.1), of tournament managers and of Lichess.
fn ending_of(text: &str) -> ImportedEnding {
    let class = match text.to_ascii_lowercase().as_str() {
        "normal" | "death" => EndingClass::Chess,
        "time forfeit" => EndingClass::Time,
        "adjudication" => EndingClass::Censored,
        "illegal move" | "rules infraction" => EndingClass::Interface,
        "abandoned" | "stalled connection" | "emergency" => EndingClass::Provider,
        "unterminated" => EndingClass::Unfinished,
        _ => EndingClass::Unknown,
    };
    ImportedEnding {
        class,
        text: text.to_owned(),
    }
}

fn fault_of(fault: &PgnFault) -> ImportFault {
    let kind = match fault.kind {
        PgnFaultKind::Unreadable => ImportFaultKind::Unreadable,
        PgnFaultKind::Illegal => ImportFaultKind::Illegal,
        PgnFaultKind::NullMove => ImportFaultKind::NullMove,
        PgnFaultKind::Spelling => ImportFaultKind::Spelling,
        PgnFaultKind::Tag => ImportFaultKind::Header,
        PgnFaultKind::CutOff => ImportFaultKind::CutOff,
        PgnFaultKind::Encoding => ImportFaultKind::Encoding,
        PgnFaultKind::Contradiction => ImportFaultKind::Contradiction,
    };
    ImportFault {
        expected: fault.expected.clone(),
        found: fault.found.clone(),
        kind,
        line: Some(Count::saturating(fault.line)),
        ply: fault.ply,
    }
}

fn remark_of(remark: &PgnRemark) -> ImportedRemark {
    let score = |score| match score {
        Score::Centipawns(centipawns) => ReportedScore {
            cp: Integer::try_from(i64::from(centipawns)).ok(),
            mate: None,
        },
        Score::Mate(moves) => ReportedScore {
            cp: None,
            mate: Integer::try_from(i64::from(moves)).ok(),
        },
    };
    ImportedRemark {
        clock_ms: remark.clock_ms.map(Count::saturating),
        depth: remark.depth.map(Count::saturating),
        elapsed_ms: remark.elapsed_ms.map(Count::saturating),
        ply: remark.ply,
        score: remark.score.map(score),
    }
}
