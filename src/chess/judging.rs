//! Judging an answer: one of our own legal moves, or why it is none.

use shakmaty::Position as _;
use shakmaty::san::San;
use shakmaty::{Move, MoveList, Square};

use crate::chess::rejection::why;
use crate::chess::{Position, RejectionClass, UciMove};

impl Position {
    /// Returns the legal move that a text is, or why it is none.
    ///
    /// A text is a move when it is, to the byte, the canonical UCI spelling of a
    /// legal move: lower case, nothing before or after it. Every other text has
    /// exactly one class, which follows from the position and the text alone:
    ///
    /// - a text that is blank is [`RejectionClass::Empty`];
    /// - a text in the form of a UCI move has the class of what is wrong with the
    ///   move; castling in the spelling of the other variant is a wrong format;
    /// - any other text is read word by word: letters, digits and `-=+#`. A word
    ///   names a move when it is one in UCI, whatever its case and with or without
    ///   `-`, `x` or `=`, or the SAN of a legal one. Words that name several moves are
    ///   [`RejectionClass::Ambiguous`], a single legal one
    ///   [`RejectionClass::WrongFormat`], and nothing, or a single one that is
    ///   not legal, [`RejectionClass::Unparseable`].
    ///
    /// [`RejectionClass::Refused`] and [`RejectionClass::CutOff`] are about a reply
    /// and never given here.
    pub fn judge(&self, text: &str) -> Result<UciMove, RejectionClass> {
        if let Ok(uci) = text.parse::<UciMove>() {
            return if self.is_legal(uci) {
                Ok(uci)
            } else {
                Err(why(self, uci))
            };
        }
        if text.trim().is_empty() {
            return Err(RejectionClass::Empty);
        }
        let legal = self.chess().legal_moves();
        let mut named: Option<UciMove> = None;
        for uci in words(text).flat_map(|word| self.named(word, &legal)) {
            if *named.get_or_insert(uci) != uci {
                return Err(RejectionClass::Ambiguous);
            }
        }
        Err(if named.is_some_and(|uci| self.is_legal(uci)) {
            RejectionClass::WrongFormat
        } else {
            RejectionClass::Unparseable
        })
    }

    /// Returns the moves that the SAN words of a text are, played one after another
    /// from here, up to the first that is not exactly one legal move. Other words
    /// are passed over.
    pub fn line_in_san(&self, text: &str) -> Vec<UciMove> {
        let mut position = self.clone();
        let mut line = Vec::new();
        for word in words(text).filter(|word| in_san(word).is_some()) {
            let named = position.named(word, &position.chess().legal_moves());
            let [uci] = named[..] else {
                break;
            };
            if position.play(uci).is_err() {
                break;
            }
            line.push(uci);
        }
        line
    }

    /// Returns the moves that a word names: one in UCI, legal or not, or every
    /// legal one of which it is the SAN.
    fn named(&self, word: &str, legal: &MoveList) -> Vec<UciMove> {
        let meant = in_san(word).map_or_else(Vec::new, |san| {
            let meant = legal.iter().filter(|legal| is_meant(san, **legal));
            meant
                .filter_map(|legal| UciMove::of(*legal, self.mode()))
                .collect()
        });
        // `B1d4` is the SAN of a bishop before it is `b1d4`.
        match in_coordinates(word) {
            Some(uci) if meant.is_empty() => {
                // In the spelling of this variant, where the other one's was meant.
                let played = uci.to_library().to_move(self.chess()).ok();
                let canonical = played.and_then(|played| UciMove::of(played, self.mode()));
                vec![canonical.unwrap_or(uci)]
            }
            _ => meant,
        }
    }
}

/// How many words [`condensed`] keeps.
const WORDS_MAX: usize = 16;

/// Stands for what [`condensed`] leaves out.
const LEFT_OUT: &str = "...";

/// Returns what in a text could name a move: the words in the form of a move, each
/// once and at most 16, and `...` for whatever else there is.
///
/// The text itself comes back only if it is nothing but such words, one space
/// apart. What [`Position::judge`] says of it, it says of what is returned, unless
/// there are more words than are kept.
pub fn condensed(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut count = 0;
    for word in words(text) {
        let is_move = in_coordinates(word).is_some() || in_san(word).is_some();
        if is_move && count < WORDS_MAX && !kept.contains(&word) {
            kept.push(word);
            count += 1;
        } else if kept.last() != Some(&LEFT_OUT) {
            kept.push(LEFT_OUT);
        }
    }
    let shown = kept.join(" ");
    // Signs alone may have been left out, and then no word says so.
    let is_all = shown == text || text.trim().is_empty();
    match (is_all || shown.contains(LEFT_OUT), shown.is_empty()) {
        (true, _) => shown,
        (false, true) => LEFT_OUT.to_owned(),
        (false, false) => format!("{shown} {LEFT_OUT}"),
    }
}

/// The words of a text that a move could be written in.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-=+#".contains(c);
    let words = text.split(move |c| !is_sign(c));
    // A dash of a sentence belongs to no word.
    let words = words.map(|word| word.trim_matches(['-', '=', '+', '#']));
    words.filter(|word| !word.is_empty())
}

/// Returns the notation of a word that is one in SAN but for check and mate, with
/// letters or digits for castling.
fn in_san(word: &str) -> Option<San> {
    let word = if word.contains("0-0") {
        word.replace('0', "O")
    } else {
        word.to_owned()
    };
    let san = word.parse().ok()?;
    matches!(san, San::Normal { .. } | San::Castle(_)).then_some(san)
}

/// Returns the move of a word that is one in UCI but for its case, or for the
/// signs that other programs put between the squares.
fn in_coordinates(word: &str) -> Option<UciMove> {
    if word.len() < 4 || 7 < word.len() || !word.is_ascii() {
        return None;
    }
    let letters = word.chars().filter(|sign| !"-x=".contains(*sign));
    let text: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    text.parse().ok()
}

/// Whether the notation fits a legal move; the sign of a capture may be left out.
fn is_meant(san: San, legal: Move) -> bool {
    let San::Normal {
        role,
        file,
        rank,
        to,
        promotion,
        ..
    } = san
    else {
        return san.matches(legal);
    };
    let is_from = |from: Square| {
        file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
    };
    match legal {
        Move::Normal { from, .. } | Move::EnPassant { from, .. } => {
            legal.role() == role
                && legal.to() == to
                && is_from(from)
                && (promotion.is_none() || promotion == legal.promotion())
        }
        Move::Castle { .. } | Move::Put { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{Fen, Variant, chess960_start};

    const CASTLES: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn judged(fen: &str, variant: Variant, text: &str) -> Result<String, RejectionClass> {
        let position = fen.parse::<Fen>().unwrap().position(variant).unwrap();
        position.judge(text).map(|uci| uci.to_string())
    }

    #[test]
    fn a_legal_move_in_another_notation_is_a_wrong_format_and_several_are_ambiguous() {
        use RejectionClass::{Ambiguous, Castling, Empty, Unparseable, WrongFormat};
        let start = Fen::standard_start().to_string();
        for (text, class) in [
            ("E2E4", WrongFormat),
            ("e2-e4", WrongFormat),
            (" e2e4", WrongFormat),
            ("e2e4\n", WrongFormat),
            ("**e2e4**", WrongFormat),
            ("... e2e4 ...", WrongFormat),
            ("Nf3", WrongFormat),
            ("Nf3!", WrongFormat),
            ("e4", WrongFormat),
            ("1. e4", WrongFormat),
            ("1.e4 -", WrongFormat),
            ("{\"move\":\"e2e4\"}", WrongFormat),
            ("e2e4 e4", WrongFormat),
            ("e2e4 d2d4", Ambiguous),
            ("e2e4 e2e5", Ambiguous),
            ("Nf3 or Nc3", Ambiguous),
            ("E2E5", Unparseable),
            ("Nf6", Unparseable),
            ("O-O", Unparseable),
            ("I resign", Unparseable),
            ("(none)", Unparseable),
            ("0000", Unparseable),
            ("...", Unparseable),
            ("\u{200b}", Unparseable),
            (" \n\t", Empty),
            ("e1h1", Castling),
        ] {
            assert_eq!(
                judged(&start, Variant::Standard, text),
                Err(class),
                "{text}"
            );
        }
        for (variant, ours, others) in [
            (Variant::Standard, "e1g1", "e1h1"),
            (Variant::Chess960, "e1h1", "e1g1"),
        ] {
            assert_eq!(judged(CASTLES, variant, ours).unwrap(), ours);
            for text in [
                others, "O-O", "0-0", "E1G1", "E1H1", "Qf3xf6", "Bxa6", "Ba6",
            ] {
                assert_eq!(judged(CASTLES, variant, text), Err(WrongFormat), "{text}");
            }
        }
        let promotes = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for (text, class) in [
            ("a7a8", RejectionClass::Promotion),
            ("a7a8Q", WrongFormat),
            ("a7a8=q", WrongFormat),
            ("a8=Q", WrongFormat),
            ("a8", Ambiguous),
        ] {
            assert_eq!(
                judged(promotes, Variant::Standard, text),
                Err(class),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_kept_of_a_text_is_moves_and_that_there_was_more() {
        for (text, kept) in [
            ("e2e4", "e2e4"),
            ("e2e4 d2d4", "e2e4 d2d4"),
            (" e2e4", "e2e4 ..."),
            ("`e2e4`", "e2e4 ..."),
            ("e2e4 e2e4", "e2e4 ..."),
            ("I think Nf3 is best, or E2-E4!", "... Nf3 ... E2-E4"),
            ("{\"move\":\"e2e4\",\"move\":\"O-O\"}", "... e2e4 ... O-O"),
            ("I resign. My key is sk-123", "..."),
            ("♞", "..."),
            ("", ""),
            (" \n", ""),
        ] {
            assert_eq!(condensed(text), kept, "{text}");
        }
    }

    /// A position after some moves from a start.
    fn positions() -> impl Strategy<Value = Position> {
        let start = prop_oneof![
            Just((Fen::standard_start(), Variant::Standard)),
            Just((CASTLES.parse().unwrap(), Variant::Standard)),
            Just((
                "8/PPP4k/8/8/8/8/4Kppp/8 b - - 7 70".parse().unwrap(),
                Variant::Standard
            )),
            (0_u16..960).prop_map(|number| (chess960_start(number).unwrap(), Variant::Chess960)),
        ];
        let picks = prop::collection::vec(any::<prop::sample::Index>(), 0..60);
        (start, picks).prop_map(|((fen, variant), picks)| {
            let mut position = fen.position(variant).unwrap();
            for pick in picks {
                let legal = position.legal_moves();
                if !legal.is_empty() {
                    position.play(*pick.get(&legal)).unwrap();
                }
            }
            position
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn the_legal_moves_and_nothing_else_are_accepted(
            position in positions(),
            texts in prop::collection::vec(
                prop_oneof![".{0,20}", "[a-h][1-8][a-h][1-8][nbrqNQ]?", "[NBRQK]?[a-h]?x?[a-h][1-8]"],
                24,
            ),
        ) {
            let legal = position.legal_moves();
            for uci in &legal {
                prop_assert_eq!(position.judge(uci.as_str()), Ok(*uci));
                let san = position.san_of(*uci).unwrap();
                for other in [san, uci.as_str().to_uppercase(), format!(" {uci}"), format!("{uci}.")] {
                    prop_assert_eq!(position.judge(&other), Err(RejectionClass::WrongFormat), "{}", other);
                }
            }
            for text in texts {
                let is_legal = legal.iter().any(|uci| uci.as_str() == text);
                let judged = position.judge(&text);
                prop_assert_eq!(judged.is_ok(), is_legal, "{}", &text);
                if let Err(class) = judged {
                    prop_assert!(!matches!(class, RejectionClass::Refused | RejectionClass::CutOff));
                    prop_assert_eq!(class == RejectionClass::Empty, text.trim().is_empty());
                }
            }
        }

        #[test]
        fn what_is_kept_of_a_text_has_the_class_of_the_text(
            position in positions(),
            text in prop_oneof![
                ".{0,30}",
                "([a-h][1-8][a-h][1-8][qQ]?|[NBRQK]?x?[a-h][1-8]|O-O|,| |no|`){0,8}",
            ],
        ) {
            prop_assert_eq!(position.judge(&condensed(&text)), position.judge(&text));
        }

        #[test]
        fn two_different_moves_are_ambiguous(
            position in positions(), one in "[a-h][1-8][a-h][1-8]", other in "[a-h][1-8][a-h][1-8]",
        ) {
            let canonical = |text: &str| position.named(text, &MoveList::new());
            prop_assume!(canonical(&one) != canonical(&other));
            let text = format!("{one} {other}");
            prop_assert_eq!(position.judge(&text), Err(RejectionClass::Ambiguous));
        }
    }
}
