use std::ops::Range;

/// A stretch of a text, decoded.
#[derive(Debug, Default)]
pub(crate) struct View {
    /// Where the stretch begins in the text.
    base: usize,
    bytes: Vec<u8>,
    /// For each byte, where its spelling begins, counted from the base.
    places: Vec<u32>,
    /// Where the spelling of the last byte ends.
    end: u32,
}

impl View {
    /// An empty view of a stretch that begins there.
    pub(crate) fn at(base: usize) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// The same for so many bytes.
    pub(crate) fn of(base: usize, n_bytes: usize) -> Self {
        Self {
            base,
            bytes: Vec::with_capacity(n_bytes),
            places: Vec::with_capacity(n_bytes),
            end: 0,
        }
    }

    /// Adds the next byte, which is spelled from one place to another, counted
    /// from the base.
    pub(crate) fn add(&mut self, byte: u8, start: u32, end: u32) {
        self.bytes.push(byte);
        self.places.push(start);
        self.end = end;
    }

    /// Adds the next byte, which is spelled by these bytes of the text.
    pub(crate) fn push(&mut self, byte: u8, spelling: Range<usize>) {
        self.add(byte, self.offset(spelling.start), self.offset(spelling.end));
    }

    /// Adds bytes that stand in the text as they are, from that place on.
    pub(crate) fn extend(&mut self, bytes: &[u8], start: usize) {
        let (from, to) = (self.offset(start), self.offset(start + bytes.len()));
        self.bytes.extend_from_slice(bytes);
        self.places.extend(from..to);
        // A place for every byte, also where there is none.
        self.places.resize(self.bytes.len(), u32::MAX);
        self.end = to;
    }

    /// A place in the text, counted from the base. A stretch beyond 4 GiB has no
    /// place; nobody holds such a text.
    fn offset(&self, at: usize) -> u32 {
        u32::try_from(at - self.base).unwrap_or(u32::MAX)
    }

    /// The decoded bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where in the text these decoded bytes are spelled.
    pub(crate) fn place(&self, decoded: Range<usize>) -> Range<usize> {
        let at = |index: usize| self.places.get(index).copied().unwrap_or(self.end);
        let offset = |place: u32| self.base + usize::try_from(place).unwrap_or(usize::MAX);
        offset(at(decoded.start))..offset(at(decoded.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoded_byte_is_placed_where_it_is_spelled() {
        let mut view = View::at(10);
        view.push(b'a', 10..13);
        view.push(b'b', 13..14);
        assert_eq!(view.bytes(), b"ab");
        assert_eq!(view.place(0..1), 10..13);
        assert_eq!(view.place(0..2), 10..14);
        assert_eq!(view.place(1..2), 13..14);
    }
}
