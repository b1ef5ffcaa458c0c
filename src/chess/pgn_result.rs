use crate::chess::GameResult;
use crate::chess::pgn_lexer::{Boundary, Lexer, Standing, TokenKind, is_ending, unescaped};

/// How a game of a PGN file ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnEnding {
    /// With a result.
    Finished(GameResult),
    /// Without one: `*`, or nothing is said.
    Unfinished,
    /// The tag says something else than the end of the moves.
    Contradictory,
}

/// Who played a game of a PGN file, and how it ended. Its moves are not looked
/// at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnResult {
    tags: Vec<(String, String)>,
    ending: Option<String>,
}

impl PgnResult {
    /// Reads the games of a file, in its order.
    ///
    /// It is lenient, as files are: games may lack tags, moves, results or the
    /// blank lines between them; what is in comments and variations is not
    /// looked at; bytes that are no UTF-8 are replaced.
    pub fn all_of(bytes: &[u8]) -> Vec<Self> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut lexer = Lexer::of(bytes);
        let mut games = Vec::new();
        let (mut game, mut boundary) = (Self::default(), Boundary::default());
        while let Ok(token) = lexer.next() {
            let mut standing = boundary.take(&token.kind);
            if standing == Standing::Next {
                games.push(std::mem::take(&mut game));
                boundary = Boundary::default();
                standing = boundary.take(&token.kind);
            }
            match token.kind {
                TokenKind::Tag { name, value } => {
                    game.tags.push((text(name), text(&unescaped(value))));
                }
                TokenKind::Word(word) if standing == Standing::Last => {
                    game.ending = Some(text(word));
                    games.push(std::mem::take(&mut game));
                    boundary = Boundary::default();
                }
                _ => {}
            }
        }
        if boundary.has_begun() {
            games.push(game);
        }
        games
    }

    /// The value of a tag, the first one of its name; nothing where there is
    /// none or it says that nothing is known (`?`, `-` or no text).
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter().filter(|(other, _)| other == name);
        let value = tags.next()?.1.trim();
        (!matches!(value, "" | "?" | "-")).then_some(value)
    }

    /// How it ended: as the tag and the end of the moves both say, or the one
    /// of them that is there.
    pub fn ending(&self) -> PgnEnding {
        let mut tags = self.tags.iter().filter(|(name, _)| name == "Result");
        let tag = tags.next().map(|(_, value)| value.trim());
        let says = [tag, self.ending.as_deref()].map(|word| {
            let word = word.filter(|word| is_ending(word.as_bytes()))?;
            Some(word.parse::<GameResult>().ok())
        });
        match says {
            [Some(tag), Some(end)] if tag != end => PgnEnding::Contradictory,
            [Some(said), _] | [None, Some(said)] => {
                said.map_or(PgnEnding::Unfinished, PgnEnding::Finished)
            }
            [None, None] => PgnEnding::Unfinished,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn endings(text: &str) -> Vec<PgnEnding> {
        let games = PgnResult::all_of(text.as_bytes());
        games.iter().map(PgnResult::ending).collect()
    }

    const WHITE: PgnEnding = PgnEnding::Finished(GameResult::WhiteWins);
    const BLACK: PgnEnding = PgnEnding::Finished(GameResult::BlackWins);

    #[test]
    fn games_are_told_apart_however_they_are_spaced() {
        for (text, expected) in [
            ("", vec![]),
            (" \n\n", vec![]),
            (
                "\u{feff}[White \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n",
                vec![WHITE],
            ),
            (
                "[Result \"1-0\"] e4 1-0 [Result \"0-1\"] d4 0-1",
                vec![WHITE, BLACK],
            ),
            ("[Event \"x\"]\n\n[Result \"0-1\"]\n\n0-1", vec![BLACK]),
            (
                "[Result \"1-0\"]\n1. e4\n[Result \"0-1\"]\n1. d4",
                vec![WHITE, BLACK],
            ),
            ("1. e4 1-0 1. d4 0-1", vec![WHITE, BLACK]),
            (
                "1. e4 {1-0 {nested} 0-1} (1. d4 *) e5 ; 0-1\n1-0",
                vec![WHITE],
            ),
            ("1. e4 {a { alone} 1-0", vec![WHITE]),
            ("1. e4 (1. d4 (1. c4 0-1) *) 1-0", vec![WHITE]),
            ("% [Result \"0-1\"]\n1. e4 1-0", vec![WHITE]),
            ("1. e4 {never closed 1-0", vec![PgnEnding::Unfinished]),
            ("[Result \"?\"]\n1. e4 1-0", vec![WHITE]),
            ("[Result \"*\"]\n1. e4 *", vec![PgnEnding::Unfinished]),
            ("[Result \"1-0\"]\n1. e4 *", vec![PgnEnding::Contradictory]),
            (
                "[Result \"1-0\"]\n1. e4 0-1",
                vec![PgnEnding::Contradictory],
            ),
        ] {
            assert_eq!(endings(text), expected, "{text}");
        }
    }

    #[test]
    fn tags_are_read_with_their_quotes_and_unknown_values_are_none() {
        let text = "[ White  \"one \\\\ \\\"two\\\"\" ]\n[Black \"?\"]\n[White \"other\"]\n*";
        let games = PgnResult::all_of(text.as_bytes());
        assert_eq!(games[0].tag("White"), Some("one \\ \"two\""));
        assert_eq!((games[0].tag("Black"), games[0].tag("Round")), (None, None));
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[\\[\\]{}();%\"\\\\ \n*10/2-]{0,80}") {
            let _games = PgnResult::all_of(&bytes);
            let n_words = text.split_whitespace().count();
            prop_assert!(PgnResult::all_of(text.as_bytes()).len() <= 2 * text.len() + n_words);
        }
    }
}
