use crate::canonical::fault::column;
use crate::canonical::{Fault, MAX_SAFE_INTEGER, bytes, key_shown};

/// A JSON value of the strict subset that remembers where its parts stand.
///
/// Reading one forgives spellings (and keeps the first to report) but nothing
/// that would make two readers disagree.
pub(in crate::canonical) struct Node {
    /// Where it begins, in bytes from 0.
    pub(in crate::canonical) start: usize,
    pub(in crate::canonical) shape: Shape,
}

pub(in crate::canonical) enum Shape {
    /// Forgiven only in the place of an optional value.
    Null,
    Bool(bool),
    Integer(i64),
    Text(String),
    List(Vec<Node>),
    /// In the order of the keys, whatever order they stand in.
    Object(Vec<Member>),
}

pub(in crate::canonical) struct Member {
    /// Where the key begins.
    pub(in crate::canonical) start: usize,
    pub(in crate::canonical) key: String,
    pub(in crate::canonical) value: Node,
}

/// One way in which right content is spelled wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::canonical) enum Misspelling {
    Space,
    Order,
    Null,
    Escape,
}

impl Misspelling {
    pub(in crate::canonical) const fn expected(self) -> &'static str {
        match self {
            Self::Space => "no white space between values",
            Self::Order => "the keys of an object in sorted order",
            Self::Null => "no key for an absent value",
            Self::Escape => "each character in its shortest form",
        }
    }

    pub(in crate::canonical) const fn found(self) -> &'static str {
        match self {
            Self::Space => "white space",
            Self::Order => "a key that sorts elsewhere",
            Self::Null => "a key with `null`",
            Self::Escape => "a longer escape",
        }
    }
}

/// Objects and lists within one another. No document of ours comes near.
const DEPTH_MAX: usize = 100;

impl Node {
    /// Returns the value of a text, and its first misspelling.
    ///
    /// # Errors
    ///
    /// When the text is not one JSON value of the strict subset.
    pub(in crate::canonical) fn parse(text: &str) -> Result<(Self, Option<Misspelling>), Fault> {
        let mut parser = Parser {
            text,
            at: 0,
            depth: 0,
            first: None,
        };
        let node = parser.value()?;
        parser.space();
        if parser.at < text.len() {
            return Err(parser.fault("the end of the text"));
        }
        Ok((node, parser.first.map(|(_, misspelling)| misspelling)))
    }

    /// What sort of value it is, without the value.
    pub(in crate::canonical) fn class(&self) -> String {
        match &self.shape {
            Shape::Null => "null".to_owned(),
            Shape::Bool(_) => "a boolean".to_owned(),
            Shape::Integer(number) if *number < 0 => "a negative integer".to_owned(),
            Shape::Integer(_) => "an integer".to_owned(),
            Shape::Text(text) => format!("a string of {}", bytes(text)),
            Shape::List(nodes) => format!("a list of {}", nodes.len()),
            Shape::Object(_) => "an object".to_owned(),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// The misspelling that stands first.
    first: Option<(usize, Misspelling)>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault(&self, expected: &str) -> Fault {
        Fault::at(self.at, expected, shown(self.text, self.at))
    }

    fn misspelled(&mut self, at: usize, misspelling: Misspelling) {
        let this = (at, misspelling);
        self.first = Some(self.first.map_or(this, |first| first.min(this)));
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn space(&mut self) {
        let start = self.at;
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        if start < self.at {
            self.misspelled(start, Misspelling::Space);
        }
    }

    fn value(&mut self) -> Result<Node, Fault> {
        self.space();
        let start = self.at;
        let shape = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => Shape::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { start, shape })
    }

    fn word(&mut self) -> Result<Shape, Fault> {
        for (word, shape) in [
            ("null", Shape::Null),
            ("true", Shape::Bool(true)),
            ("false", Shape::Bool(false)),
        ] {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(shape);
            }
        }
        Err(self.fault("a JSON value"))
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Shape, Fault>) -> Result<Shape, Fault> {
        if DEPTH_MAX <= self.depth {
            let expected = format!("at most {DEPTH_MAX} objects and lists within one another");
            return Err(Fault::at(self.at, expected, "one more"));
        }
        self.depth += 1;
        self.at += 1;
        let shape = read(self)?;
        self.depth -= 1;
        Ok(shape)
    }

    fn list(&mut self) -> Result<Shape, Fault> {
        let mut nodes = Vec::new();
        self.space();
        if self.take(b']') {
            return Ok(Shape::List(nodes));
        }
        loop {
            nodes.push(self.value()?);
            self.space();
            if self.take(b']') {
                return Ok(Shape::List(nodes));
            }
            if !self.take(b',') {
                return Err(self.fault("`,` or `]`"));
            }
        }
    }

    fn object(&mut self) -> Result<Shape, Fault> {
        let mut members = Vec::new();
        self.space();
        if self.take(b'}') {
            return Ok(Shape::Object(members));
        }
        loop {
            members.push(self.member()?);
            self.space();
            if self.take(b'}') {
                return self.sorted(members).map(Shape::Object);
            }
            if !self.take(b',') {
                return Err(self.fault("`,` or `}`"));
            }
        }
    }

    fn member(&mut self) -> Result<Member, Fault> {
        self.space();
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.fault("a key in double quotes"));
        }
        let key = self.string()?;
        self.space();
        if !self.take(b':') {
            return Err(self.fault("`:`"));
        }
        let value = self.value()?;
        if matches!(value.shape, Shape::Null) {
            self.misspelled(start, Misspelling::Null);
        }
        Ok(Member { start, key, value })
    }

    /// Sorts the members; a key that stands twice is a fault.
    fn sorted(&mut self, mut members: Vec<Member>) -> Result<Vec<Member>, Fault> {
        let starts: Vec<_> = members.iter().map(|member| member.start).collect();
        // The sort is stable: of two equal keys, the later one stays behind.
        members.sort_by(|a, b| a.key.cmp(&b.key));
        if let Some([_, second]) = members
            .array_windows()
            .find(|[first, second]| first.key == second.key)
        {
            return Err(Fault::at(
                second.start,
                "each key once in an object",
                format!("{} again", key_shown(&second.key)),
            ));
        }
        let misplaced = members.iter().zip(&starts).find(|(m, s)| m.start != **s);
        if let Some((_, start)) = misplaced {
            self.misspelled(*start, Misspelling::Order);
        }
        Ok(members)
    }

    fn number(&mut self) -> Result<Shape, Fault> {
        let start = self.at;
        let is_negative = self.take(b'-');
        let digits = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        let digits = &self.text[digits..self.at];
        if digits.is_empty() {
            return Err(self.fault("a digit"));
        }
        if matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return Err(Fault::at(
                start,
                "an integer",
                "a number with a fraction or an exponent",
            ));
        }
        if digits.starts_with('0') && (is_negative || 1 < digits.len()) {
            let found = if is_negative {
                "`-0`"
            } else {
                "a leading zero"
            };
            return Err(Fault::at(start, "an integer in its one spelling", found));
        }
        text.parse()
            .ok()
            .filter(|number: &i64| number.unsigned_abs() <= MAX_SAFE_INTEGER)
            .map(Shape::Integer)
            .ok_or_else(|| {
                Fault::at(
                    start,
                    "an integer within plus or minus 2^53-1",
                    "one beyond it",
                )
            })
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .find(|c: char| matches!(c, '"' | '\\' | '\0'..='\x1f'))
                .unwrap_or(rest.len());
            string.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                Some(_) => return Err(self.fault("an escape in the place of a control character")),
                None => return Err(self.fault("the closing quote of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            _ => return Err(self.fault("one of the escapes of JSON")),
        };
        self.at += 1;
        if c == '/' {
            self.misspelled(start, Misspelling::Escape);
        }
        Ok(c)
    }

    fn unicode(&mut self, start: usize) -> Result<char, Fault> {
        let first = self.unit()?;
        let is_high = (0xd800..0xdc00).contains(&first);
        let c = if is_high && self.text[self.at..].starts_with("\\u") {
            self.at += 1;
            let second = self.unit()?;
            char::decode_utf16([first, second]).next()
        } else {
            char::decode_utf16([first]).next()
        };
        let Some(Ok(c)) = c else {
            return Err(Fault::at(start, "a whole surrogate pair", "half of one"));
        };
        let is_shortest = matches!(c, '\0'..='\x1f' if !"\u{8}\t\n\u{c}\r".contains(c))
            && self.text[start..self.at] == format!("\\u{:04x}", u32::from(c));
        if !is_shortest {
            self.misspelled(start, Misspelling::Escape);
        }
        Ok(c)
    }

    /// Reads `u` and four hex digits.
    fn unit(&mut self) -> Result<u16, Fault> {
        self.at += 1;
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|digit| char::from(digit).to_digit(16));
            let Some(digit) = digit.and_then(|digit| u16::try_from(digit).ok()) else {
                return Err(self.fault("a hex digit"));
            };
            unit = unit << 4 | digit;
            self.at += 1;
        }
        Ok(unit)
    }
}

/// The one character that stands at a place.
pub(in crate::canonical) fn shown(text: &str, at: usize) -> String {
    match text.get(at..).map(|rest| rest.chars().next()) {
        Some(None) => "the end of the text".to_owned(),
        Some(Some(' ')) => "a space".to_owned(),
        Some(Some(c)) if c.is_ascii_graphic() => format!("`{c}`"),
        Some(Some(c)) => format!("the character U+{:04X}", u32::from(c)),
        None => format!("byte {}", column(at)),
    }
}
