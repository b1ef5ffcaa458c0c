use crate::canonical::fault::column;
use crate::canonical::node::{Member, Misspelling, Node, Shape};
use crate::canonical::{Fault, MAX_SAFE_INTEGER, key_shown};

/// Objects and lists within one another. No document of ours comes near.
const DEPTH_MAX: usize = 100;

/// What a text may have, and whether reading goes on where readers would disagree.
#[derive(Clone, Copy)]
pub(in crate::canonical) struct Limits {
    values: usize,
    /// How many faults are kept behind which reading goes on; 0: it ends there.
    forgiven: usize,
}

impl Limits {
    /// A line is short, and right or wrong.
    pub(in crate::canonical) const OF_LINES: Self = Self {
        values: usize::MAX,
        forgiven: 0,
    };

    /// Who wrote a document wants all of its faults, or as many as anybody reads.
    pub(in crate::canonical) const fn of_people(values: usize) -> Self {
        Self {
            values,
            forgiven: 100,
        }
    }
}

/// Reads a text, and remembers its first misspelling.
pub(in crate::canonical) struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// The misspelling that stands first.
    first: Option<(usize, Misspelling)>,
    limits: Limits,
    n_values: usize,
    forgiven: Forgiven,
}

/// What reading went on behind.
pub(in crate::canonical) struct Forgiven {
    /// The first of them.
    pub(in crate::canonical) first: Vec<Fault>,
    /// How many more there were.
    pub(in crate::canonical) n_more: usize,
}

impl<'a> Parser<'a> {
    pub(in crate::canonical) const fn of(text: &'a str, limits: Limits) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            first: None,
            limits,
            n_values: 0,
            forgiven: Forgiven {
                first: Vec::new(),
                n_more: 0,
            },
        }
    }

    pub(in crate::canonical) fn whole(&mut self) -> Result<Node, Fault> {
        let node = self.value()?;
        self.space();
        if self.at < self.text.len() {
            return Err(self.fault("the end of the text"));
        }
        Ok(node)
    }

    /// The misspelling that stands first.
    pub(in crate::canonical) fn misspelling(&self) -> Option<Misspelling> {
        self.first.map(|(_, misspelling)| misspelling)
    }

    /// What reading went on behind, in the order of the text.
    pub(in crate::canonical) fn into_forgiven(mut self) -> Forgiven {
        self.forgiven.first.sort_by_key(|fault| fault.column);
        self.forgiven
    }

    /// Goes on behind a fault that does not hide what follows.
    fn forgive(&mut self, fault: Fault) -> Result<(), Fault> {
        if self.limits.forgiven == 0 {
            return Err(fault);
        }
        if self.forgiven.first.len() < self.limits.forgiven {
            self.forgiven.first.push(fault);
        } else {
            self.forgiven.n_more += 1;
        }
        Ok(())
    }

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
        self.n_values += 1;
        if self.limits.values < self.n_values {
            let expected = format!("at most {} values in a document", self.limits.values);
            return Err(Fault::at(start, expected, "one more"));
        }
        let shape = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => Shape::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        let end = self.at;
        Ok(Node { start, end, shape })
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
        let key_end = self.at;
        self.space();
        if !self.take(b':') {
            return Err(self.fault("`:`"));
        }
        let value = self.value()?;
        if matches!(value.shape, Shape::Null) {
            self.misspelled(start, Misspelling::Null);
        }
        Ok(Member {
            start,
            key_end,
            key,
            value,
        })
    }

    /// Sorts the members; a key that stands twice is a fault.
    fn sorted(&mut self, mut members: Vec<Member>) -> Result<Vec<Member>, Fault> {
        let starts: Vec<_> = members.iter().map(|member| member.start).collect();
        // The sort is stable: of two equal keys, the later one stays behind.
        members.sort_by(|a, b| a.key.cmp(&b.key));
        for [first, second] in members.array_windows() {
            if first.key == second.key {
                let found = format!("{} again", key_shown(&second.key));
                self.forgive(Fault::at(second.start, "each key once in an object", found))?;
            }
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
            self.forgive(Fault::at(
                start,
                "an integer",
                "a number with a fraction or an exponent",
            ))?;
            while matches!(
                self.peek(),
                Some(b'.' | b'e' | b'E' | b'+' | b'-' | b'0'..=b'9')
            ) {
                self.at += 1;
            }
            return Ok(Shape::Integer(0));
        }
        if digits.starts_with('0') && (is_negative || 1 < digits.len()) {
            let found = if is_negative {
                "`-0`"
            } else {
                "a leading zero"
            };
            self.forgive(Fault::at(start, "an integer in its one spelling", found))?;
        }
        let number = text.parse().ok();
        let is_safe = |number: &i64| number.unsigned_abs() <= MAX_SAFE_INTEGER;
        if let Some(number) = number.filter(is_safe) {
            return Ok(Shape::Integer(number));
        }
        self.forgive(Fault::at(
            start,
            "an integer within plus or minus 2^53-1",
            "one beyond it",
        ))?;
        Ok(Shape::Integer(0))
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
