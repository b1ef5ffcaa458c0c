use crate::chess::GameResult;

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
    has_moves: bool,
}

impl PgnResult {
    /// Reads the games of a file, in its order.
    ///
    /// It is lenient, as files are: games may lack tags, moves, results or the
    /// blank lines between them; what is in comments and variations is not
    /// looked at; bytes that are no UTF-8 are replaced.
    pub fn all_of(bytes: &[u8]) -> Vec<Self> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut reader = Reader {
            rest: text,
            is_line_start: true,
            depth: 0,
            game: Self::default(),
            games: Vec::new(),
        };
        while reader.step() {}
        reader.finish();
        reader.games
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
            let word = word.filter(|word| is_ending(word))?;
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

fn is_ending(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*")
}

struct Reader<'a> {
    rest: &'a str,
    is_line_start: bool,
    /// How many variations are open.
    depth: u32,
    game: PgnResult,
    games: Vec<PgnResult>,
}

impl Reader<'_> {
    /// Takes one thing off the text, or says that nothing is left.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else {
            return false;
        };
        let is_line_start = std::mem::replace(&mut self.is_line_start, first == '\n');
        match first {
            '%' if is_line_start => self.skip_past('\n'),
            ';' => self.skip_past('\n'),
            '{' => self.skip(comment(self.rest)),
            '(' => {
                self.depth = self.depth.saturating_add(1);
                self.skip(1);
            }
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                self.skip(1);
            }
            '[' => match tag(self.rest) {
                Some((name, value, length)) => {
                    if self.game.has_moves {
                        self.finish();
                    }
                    self.game.tags.push((name, value));
                    self.skip(length);
                }
                None => self.skip(1),
            },
            _ if first.is_whitespace() || "}]".contains(first) => self.skip(first.len_utf8()),
            _ => self.word(),
        }
        true
    }

    fn word(&mut self) {
        let is_end = |c: char| c.is_whitespace() || "{}()[];".contains(c);
        let length = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, _) = self.rest.split_at(length);
        self.game.has_moves = true;
        if self.depth == 0 && is_ending(word) {
            self.game.ending = Some(word.to_owned());
            self.finish();
        }
        self.skip(length);
    }

    /// Ends the game, if there is one.
    fn finish(&mut self) {
        let game = std::mem::take(&mut self.game);
        self.depth = 0;
        if game.has_moves || !game.tags.is_empty() {
            self.games.push(game);
        }
    }

    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    fn skip_past(&mut self, end: char) {
        let length = self.rest.find(end).map_or(self.rest.len(), |at| at + 1);
        self.is_line_start = end == '\n';
        self.skip(length);
    }
}

/// How far a comment is looked for in which others are nested, in bytes.
const NESTED_BYTES_MAX: usize = 10_000;

/// The length of the comment that the text begins with. Comments do not nest,
/// but people nest them: where its braces are balanced it ends with them, or
/// else with the first closing one.
fn comment(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if NESTED_BYTES_MAX < at {
            break;
        }
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.find('}').map_or(text.len(), |at| at + 1)
}

/// Reads `[Name "value"]`, and returns its length, too.
fn tag(text: &str) -> Option<(String, String, usize)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let length = inner.find(|c| !is_name(c)).filter(|length| 0 < *length)?;
    let (name, rest) = inner.split_at(length);
    let rest = rest.trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => return None,
            '\\' => value.extend(chars.next().map(|(_, c)| c)),
            '"' => {
                let after = rest.get(at + 1..)?.trim_start().strip_prefix(']')?;
                return Some((name.to_owned(), value, text.len() - after.len()));
            }
            _ => value.push(c),
        }
    }
    None
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
