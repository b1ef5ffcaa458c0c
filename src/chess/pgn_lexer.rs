//! What a PGN file is made of: tags, comments, variations and words.
//!
//! It is lenient, as files are, and works on bytes, because old files are no
//! UTF-8. One lexer tells where a game ends and what is in it.

/// One thing in a PGN file, with the byte it begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chess) struct Token<'a> {
    pub(in crate::chess) at: usize,
    pub(in crate::chess) kind: TokenKind<'a>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chess) enum TokenKind<'a> {
    /// `[Name "value"]`; the value with its escapes.
    Tag { name: &'a [u8], value: &'a [u8] },
    /// A line that begins like a tag and is none.
    BrokenTag(&'a [u8]),
    /// What stands between braces, or behind a semicolon.
    Comment(&'a [u8]),
    /// The same, where the closing brace is missing.
    OpenComment(&'a [u8]),
    /// `(`
    Open,
    /// `)`
    Close,
    /// Anything else between blanks.
    Word(&'a [u8]),
}

/// How far a comment is looked for in which others are nested, in bytes.
const NESTED_BYTES_MAX: usize = 10_000;

/// Reads tokens off some bytes.
#[derive(Clone, Debug)]
pub(in crate::chess) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether nothing comes behind the bytes.
    is_all: bool,
}

/// Why there is no further token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chess) enum End {
    /// Nothing is left.
    All,
    /// What comes next could go on behind the bytes.
    More,
}

impl<'a> Lexer<'a> {
    /// Reads all there is.
    pub(in crate::chess) const fn of(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            is_all: true,
        }
    }

    /// Reads the first bytes of something longer.
    pub(in crate::chess) const fn of_start(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            is_all: false,
        }
    }

    /// Where it is.
    pub(in crate::chess) const fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns the next token, or why there is none. Where more bytes are
    /// needed it stays where it is.
    pub(in crate::chess) fn next(&mut self) -> Result<Token<'a>, End> {
        loop {
            let rest = self.rest();
            let Some(&first) = rest.first() else {
                return Err(if self.is_all { End::All } else { End::More });
            };
            let at = self.at;
            let (kind, length) = match first {
                b'%' if self.is_line_start() => {
                    self.at += self.line(rest)?;
                    continue;
                }
                b';' => {
                    let length = self.line(rest)?;
                    (TokenKind::Comment(&rest[1..length]), length)
                }
                b'{' => self.comment(rest)?,
                b'(' => (TokenKind::Open, 1),
                b')' => (TokenKind::Close, 1),
                b'[' => {
                    if let Some(tag) = self.tag(rest)? {
                        tag
                    } else {
                        self.at += 1;
                        continue;
                    }
                }
                b'}' | b']' => {
                    self.at += 1;
                    continue;
                }
                _ if is_blank(first) => {
                    self.at += 1;
                    continue;
                }
                // A byte-order mark, also where files were joined.
                0xef if rest.starts_with(b"\xef\xbb\xbf") => {
                    self.at += 3;
                    continue;
                }
                _ => {
                    let length = self.end_or(rest.iter().position(|c| is_delimiter(*c)), rest)?;
                    (TokenKind::Word(&rest[..length]), length)
                }
            };
            self.at += length;
            return Ok(Token { at, kind });
        }
    }

    fn is_line_start(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
        before.is_none_or(|before| matches!(before, b'\n' | b'\r'))
    }

    /// A place, or the end of everything where there is none.
    fn end_or(&self, found: Option<usize>, rest: &[u8]) -> Result<usize, End> {
        match found {
            Some(at) => Ok(at),
            None if self.is_all => Ok(rest.len()),
            None => Err(End::More),
        }
    }

    /// The length of the line, without its end.
    fn line(&self, rest: &[u8]) -> Result<usize, End> {
        let end = rest.iter().position(|c| matches!(c, b'\n' | b'\r'));
        self.end_or(end, rest)
    }

    /// The comment that the bytes begin with. Comments do not nest, but people
    /// nest them: where its braces are balanced it ends with them, or else with
    /// the first closing one. One that runs into the next game was never closed.
    fn comment(&self, rest: &'a [u8]) -> Result<(TokenKind<'a>, usize), End> {
        let mut depth = 0_usize;
        let mut first_close = None;
        let mut balanced = None;
        let mut is_cut = true;
        for (at, c) in rest.iter().enumerate() {
            if NESTED_BYTES_MAX < at {
                is_cut = false;
                break;
            }
            match c {
                b'{' => depth += 1,
                b'}' => {
                    first_close = first_close.or(Some(at));
                    depth -= 1;
                    if depth == 0 {
                        balanced = Some(at);
                        break;
                    }
                }
                _ => {}
            }
        }
        if balanced.is_none() && is_cut && !self.is_all {
            return Err(End::More);
        }
        let close = balanced.or(first_close);
        let close = close.or_else(|| rest.iter().position(|c| *c == b'}'));
        let inside = &rest[1..close.unwrap_or(rest.len())];
        match (next_event(inside), close) {
            (Some(length), _) => Ok((TokenKind::OpenComment(&inside[..length]), 1 + length)),
            (None, Some(close)) => Ok((TokenKind::Comment(inside), close + 1)),
            (None, None) if self.is_all => Ok((TokenKind::OpenComment(inside), rest.len())),
            (None, None) => Err(End::More),
        }
    }

    /// The tag that the bytes begin with; nothing for a bracket among moves.
    fn tag(&self, rest: &'a [u8]) -> Result<Option<(TokenKind<'a>, usize)>, End> {
        if let Some((name, value, length)) = whole_tag(rest) {
            return Ok(Some((TokenKind::Tag { name, value }, length)));
        }
        let line = self.line(rest)?;
        let is_like_one = rest.get(1).is_some_and(u8::is_ascii_alphabetic);
        if self.is_line_start() && is_like_one {
            return Ok(Some((TokenKind::BrokenTag(&rest[..line]), line)));
        }
        Ok(None)
    }
}

/// How many bytes stand before a line that begins the next game.
fn next_event(bytes: &[u8]) -> Option<usize> {
    const EVENT: &[u8] = b"[Event \"";
    if bytes.len() < EVENT.len() {
        return None;
    }
    let mut lines = bytes.iter().enumerate().filter(|(_, c)| **c == b'\n');
    lines.find_map(|(at, _)| {
        let line = bytes.get(at + 1..)?;
        line.starts_with(EVENT).then_some(at)
    })
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0)
}

const fn is_delimiter(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';')
}

/// Reads `[Name "value"]`, and returns its length, too.
fn whole_tag(bytes: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    let mut at = 1 + blanks(bytes.get(1..)?);
    let name = bytes.get(at..)?;
    let is_name = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    let length = name.iter().position(|c| !is_name(c)).filter(|n| 0 < *n)?;
    let name = name.get(..length)?;
    at += length;
    at += blanks(bytes.get(at..)?);
    let value = bytes.get(at..)?.strip_prefix(b"\"")?;
    let mut end = 0;
    loop {
        match value.get(end)? {
            b'\n' => return None,
            b'\\' => end += 2,
            b'"' => {
                let behind = value.get(end + 1..)?;
                let blank = blanks(behind);
                behind.get(blank..)?.strip_prefix(b"]")?;
                return Some((name, value.get(..end)?, at + 1 + end + 1 + blank + 1));
            }
            _ => end += 1,
        }
    }
}

/// How many blanks the bytes begin with, on one line.
fn blanks(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|c| !matches!(c, b' ' | b'\t'));
    end.unwrap_or(bytes.len())
}

/// The value of a tag without its escapes.
pub(in crate::chess) fn unescaped(value: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter();
    while let Some(byte) = bytes.next() {
        let byte = if *byte == b'\\' {
            bytes.next()
        } else {
            Some(byte)
        };
        plain.extend(byte);
    }
    plain
}

/// Whether a word ends a game.
pub(in crate::chess) fn is_ending(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*")
}

/// Where a game ends, token by token: with a word that says so, or before a tag
/// that belongs to the next one.
#[derive(Clone, Debug, Default)]
pub(in crate::chess) struct Boundary {
    /// How many variations are open.
    depth: u32,
    has_tags: bool,
    has_moves: bool,
}

/// Where a token stands in its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chess) enum Standing {
    /// It belongs to the next game.
    Next,
    /// It is part of the game, outside of every variation.
    Main,
    /// It is part of a variation.
    Aside,
    /// It is the last one.
    Last,
}

impl Boundary {
    /// Takes in the next token.
    pub(in crate::chess) fn take(&mut self, token: &TokenKind<'_>) -> Standing {
        match token {
            TokenKind::Tag { .. } | TokenKind::BrokenTag(_) => {
                if self.has_moves {
                    return Standing::Next;
                }
                self.has_tags = true;
            }
            TokenKind::Open => {
                self.depth = self.depth.saturating_add(1);
                return Standing::Aside;
            }
            TokenKind::Close => {
                self.depth = self.depth.saturating_sub(1);
                return Standing::Aside;
            }
            TokenKind::Word(word) => {
                self.has_moves = true;
                if self.depth == 0 && is_ending(word) {
                    return Standing::Last;
                }
            }
            TokenKind::Comment(_) | TokenKind::OpenComment(_) => {}
        }
        if self.depth == 0 {
            Standing::Main
        } else {
            Standing::Aside
        }
    }

    /// Whether there was anything of a game.
    pub(in crate::chess) const fn has_begun(&self) -> bool {
        self.has_tags || self.has_moves
    }

    /// Whether a variation was left open.
    pub(in crate::chess) const fn is_aside(&self) -> bool {
        0 < self.depth
    }
}

/// The length of the first game in some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstGame {
    /// So many bytes.
    Whole(usize),
    /// It may go on behind the bytes.
    More,
    /// There is none, and nothing comes behind.
    None,
}

/// Returns where the first game of some bytes ends. A game ends behind its
/// result, or before the first tag of the next one. `is_all` says that nothing
/// comes behind the bytes.
pub fn first_pgn_game(bytes: &[u8], is_all: bool) -> FirstGame {
    let mut lexer = if is_all {
        Lexer::of(bytes)
    } else {
        Lexer::of_start(bytes)
    };
    let mut boundary = Boundary::default();
    loop {
        let before = lexer.at();
        match lexer.next() {
            Ok(token) => match boundary.take(&token.kind) {
                Standing::Next => return FirstGame::Whole(before.max(token.at)),
                Standing::Last => return FirstGame::Whole(lexer.at()),
                Standing::Main | Standing::Aside => {}
            },
            Err(End::More) => return FirstGame::More,
            Err(End::All) if boundary.has_begun() => return FirstGame::Whole(bytes.len()),
            Err(End::All) => return FirstGame::None,
        }
    }
}
