use crate::chess::movetext;
use crate::chess::{
    Color, Fen, GameResult, IllegalMove, IllegalPosition, Ply, Position, UciMove, Variant,
};

/// The seven tag roster in its order, each with the value that stands for
/// unknown (PGN standard, section 8.1.1). The writer fills in the result.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    (RESULT, "*"),
];

const RESULT: &str = "Result";

/// The tags that follow from the game and are written by the writer alone.
const OWNED: [&str; 4] = [RESULT, "Variant", "SetUp", "FEN"];

/// A game to be written in Portable Game Notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Names and values of tags. Those of the seven tag roster may come in any
    /// order; the others keep theirs. `Result`, `Variant`, `SetUp` and `FEN`
    /// are not given here: they follow from the fields below.
    pub tags: Vec<(String, String)>,
    /// The start position.
    pub start: Fen,
    /// Which chess was played.
    pub variant: Variant,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves in order.
    pub moves: Vec<PgnMove>,
    /// The result; none is written `*`.
    pub result: Option<GameResult>,
}

/// A move and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    /// The move.
    pub uci: UciMove,
    /// Comments, written after the move in this order. White space in them is
    /// not kept: lines are broken at it.
    pub comments: Vec<String>,
}

/// The game cannot be written as PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WritePgnError {
    /// The start position is not legal in the variant.
    #[error("the game cannot start: {0}")]
    Start(IllegalPosition),
    /// A move is not legal.
    #[error("ply {ply}: {illegal}")]
    Move {
        /// The ply of the move, from 1.
        ply: Ply,
        /// The move and its position.
        illegal: IllegalMove,
    },
    /// A tag name is not letters, digits and underscores after a letter.
    #[error("expected a tag name of letters, digits and `_`, found {name:?}")]
    TagName {
        /// The name.
        name: String,
    },
    /// A tag name is given twice.
    #[error("the tag `{name}` is given twice")]
    TagTwice {
        /// The name.
        name: String,
    },
    /// A tag is given that follows from the game itself.
    #[error("the tag `{name}` follows from the game and cannot be given")]
    TagOwned {
        /// The name.
        name: String,
    },
}

impl PgnGame {
    /// Returns the game in PGN export format (PGN standard, section 8), with a
    /// blank line at the end, in UTF-8.
    ///
    /// First the seven tag roster; then, where the game is not plain chess
    /// from the standard start, `Variant`, `SetUp` and `FEN`; then the other
    /// tags. Control characters are dropped from tag values; braces in
    /// comments become parentheses. Lines have fewer than 80 characters,
    /// except tags and single words that are longer.
    pub fn write(&self) -> Result<String, WritePgnError> {
        self.check_tags()?;
        let tokens = self.tokens()?;
        let mut pgn = String::new();
        for (name, unknown) in ROSTER {
            let value = match name {
                RESULT => self.result_token(),
                _ => self.tag(name).unwrap_or(unknown),
            };
            push_tag(&mut pgn, name, value);
        }
        if self.variant == Variant::Chess960 {
            push_tag(&mut pgn, "Variant", "Chess960");
        }
        if self.variant == Variant::Chess960 || self.start != Fen::standard_start() {
            push_tag(&mut pgn, "SetUp", "1");
            push_tag(&mut pgn, "FEN", self.start.as_str());
        }
        for (name, value) in &self.tags {
            if !ROSTER.iter().any(|(roster, _)| roster == name) {
                push_tag(&mut pgn, name, value);
            }
        }
        pgn.push('\n');
        movetext::push_lines(&mut pgn, &tokens);
        pgn.push('\n');
        Ok(pgn)
    }

    fn check_tags(&self) -> Result<(), WritePgnError> {
        for (index, (name, _)) in self.tags.iter().enumerate() {
            let name = name.clone();
            let is_symbol = name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_symbol {
                return Err(WritePgnError::TagName { name });
            }
            if OWNED.contains(&name.as_str()) {
                return Err(WritePgnError::TagOwned { name });
            }
            if self.tags[..index]
                .iter()
                .any(|(earlier, _)| *earlier == name)
            {
                return Err(WritePgnError::TagTwice { name });
            }
        }
        Ok(())
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(given, _)| given == name)
            .map(|(_, value)| value.as_str())
    }

    const fn result_token(&self) -> &'static str {
        match self.result {
            Some(result) => result.as_str(),
            None => "*",
        }
    }

    /// Returns the movetext, cut into what a line break may not split.
    fn tokens(&self) -> Result<Vec<String>, WritePgnError> {
        let mut position = self
            .start
            .position(self.variant)
            .map_err(WritePgnError::Start)?;
        let mut tokens = Vec::new();
        for comment in &self.comments {
            movetext::push_comment(&mut tokens, comment);
        }
        let mut ply = Ply::START;
        // Black's move carries its number where White's does not stand right
        // before it.
        let mut is_interrupted = true;
        for step in &self.moves {
            ply = ply.next();
            if let Some(number) = number_token(&position, is_interrupted) {
                tokens.push(number);
            }
            let san = position.san_of(step.uci);
            position
                .play(step.uci)
                .map_err(|illegal| WritePgnError::Move { ply, illegal })?;
            tokens.extend(san);
            let length = tokens.len();
            for comment in &step.comments {
                movetext::push_comment(&mut tokens, comment);
            }
            is_interrupted = length < tokens.len();
        }
        tokens.push(self.result_token().to_owned());
        Ok(tokens)
    }
}

/// Returns `12.` before White's move, and `12...` before Black's move when
/// something stands between it and White's.
fn number_token(position: &Position, is_interrupted: bool) -> Option<String> {
    let number = position.fullmove_number();
    match position.side_to_move() {
        Color::White => Some(format!("{number}.")),
        Color::Black => is_interrupted.then(|| format!("{number}...")),
    }
}

/// Adds `[Name "value"]`, with a backslash before quotes and backslashes.
fn push_tag(pgn: &mut String, name: &str, value: &str) {
    pgn.push('[');
    pgn.push_str(name);
    pgn.push_str(" \"");
    for c in value.chars() {
        // Some readers end a line at the Unicode separators, too.
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            continue;
        }
        if matches!(c, '"' | '\\') {
            pgn.push('\\');
        }
        pgn.push(c);
    }
    pgn.push_str("\"]\n");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(moves: &str) -> PgnGame {
        PgnGame {
            tags: Vec::new(),
            start: Fen::standard_start(),
            variant: Variant::Standard,
            comments: Vec::new(),
            moves: moves
                .split_whitespace()
                .map(|uci| PgnMove {
                    uci: uci.parse().unwrap(),
                    comments: Vec::new(),
                })
                .collect(),
            result: None,
        }
    }

    fn tag(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn a_plain_game_is_roster_movetext_result_and_a_blank_line() {
        let mut game = plain("f2f3 e7e5 g2g4 d8h4");
        game.result = Some(GameResult::BlackWins);
        game.tags = vec![
            tag("Termination", "checkmate"),
            tag("White", "one \\ \"two\"\n"),
        ];
        assert_eq!(
            game.write().unwrap(),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
             [White \"one \\\\ \\\"two\\\"\"]\n[Black \"?\"]\n[Result \"0-1\"]\n\
             [Termination \"checkmate\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
        );
    }

    #[test]
    fn a_game_without_a_result_ends_with_an_asterisk() {
        let pgn = plain("").write().unwrap();
        assert!(pgn.ends_with("[Result \"*\"]\n\n*\n\n"));
    }

    #[test]
    fn black_to_move_first_is_numbered_with_dots() {
        let mut game = plain("e7e5 g1f3");
        game.start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
            .parse()
            .unwrap();
        let pgn = game.write().unwrap();
        assert!(pgn.contains(
            "[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"]\n"
        ));
        assert!(pgn.ends_with("\n\n1... e5 2. Nf3 *\n\n"));
    }

    #[test]
    fn chess960_is_tagged_and_castles_with_its_letters() {
        let mut game = plain("f1g1 b8a8");
        game.variant = Variant::Chess960;
        game.start = "rk2r3/8/8/8/8/8/PPPPPPPP/1R3KR1 w GBea - 0 1"
            .parse()
            .unwrap();
        let pgn = game.write().unwrap();
        assert!(pgn.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"rk2r3/"));
        assert!(pgn.ends_with("\n\n1. O-O O-O-O *\n\n"));
    }

    #[test]
    fn comments_lose_braces_and_controls_and_renumber_black() {
        let mut game = plain("e2e4 e7e5 g1f3");
        game.moves[0].comments = vec!["a {b}\u{1b}\n c".to_owned(), " \u{7}".to_owned()];
        game.moves[1].comments = vec!["first".to_owned(), "second".to_owned()];
        let pgn = game.write().unwrap();
        assert!(pgn.ends_with("\n\n1. e4 {a (b) c} 1... e5 {first} {second} 2. Nf3 *\n\n"));
    }

    #[test]
    fn comments_may_stand_before_the_first_move() {
        let mut game = plain("e2e4 e7e5");
        game.comments = vec!["one".to_owned(), "two".to_owned()];
        let pgn = game.write().unwrap();
        assert!(pgn.ends_with("\n\n{one} {two} 1. e4 e5 *\n\n"));
    }

    #[test]
    fn an_illegal_move_is_named_with_its_ply() {
        let error = plain("e2e4 e2e4").write().unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("ply 2: `e2e4` is no legal move in `")
        );
    }

    #[test]
    fn a_tag_that_is_malformed_doubled_or_contradicts_the_game_is_refused() {
        for (tags, message) in [
            (vec![tag("White Elo", "1")], "expected a tag name"),
            (vec![tag("", "1")], "expected a tag name"),
            (
                vec![tag("Opening", "1"), tag("Opening", "1")],
                "given twice",
            ),
            (vec![tag("Result", "1-0")], "follows from the game"),
            (vec![tag("FEN", "")], "follows from the game"),
        ] {
            let game = PgnGame { tags, ..plain("") };
            assert!(game.write().unwrap_err().to_string().contains(message));
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_out_of_its_tag_or_comment(
            value in ".{0,200}",
            comment in "\\PC{0,200}|.{0,200}",
        ) {
            let mut game = plain("e2e4 e7e5");
            game.tags = vec![tag("Note", &value)];
            game.moves[0].comments = vec![comment];
            let pgn = game.write().unwrap();
            let (tags, movetext) = pgn.split_once("\n\n").unwrap();
            prop_assert_eq!(tags.lines().count(), 8);
            let opened = movetext.matches('{').count();
            prop_assert!(opened <= 1);
            prop_assert_eq!(movetext.matches('}').count(), opened);
            prop_assert!(movetext.lines().all(|line| !line.starts_with(['%', '['])));
            prop_assert!(movetext.ends_with(" *\n\n") || movetext.ends_with("\n*\n\n"));
        }
    }
}
