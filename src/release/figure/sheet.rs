use crate::digest::Digest;
use crate::release::figure::Figure;
use crate::release::figure::drawing::{Anchor, Drawing};

/// The width of every figure.
const WIDTH: i128 = 9000;
/// The room at each side.
const MARGIN: i128 = 200;
/// The left and the right end of what is drawn.
pub(crate) const ENDS: [i128; 2] = [MARGIN, WIDTH - MARGIN];

/// A drawing that grows downwards.
pub(crate) struct Sheet {
    pub(crate) drawing: Drawing,
    /// How far down it is.
    pub(crate) y: i128,
}

/// How wide a text is at most: its letters are of a generic family, whose widths
/// are not known.
pub(crate) fn width_of(text: &str, size: i128) -> i128 {
    let letters = i128::try_from(text.chars().count()).unwrap_or(i128::MAX / 1000);
    letters * size * 62 / 10
}

impl Sheet {
    /// Returns the file of a figure.
    pub(crate) fn of(figure: &Figure) -> Vec<u8> {
        let mut sheet = Self {
            drawing: Drawing::default(),
            y: 150,
        };
        sheet.paragraph(&figure.title, 17, "title");
        for line in &figure.heading {
            sheet.paragraph(line, 11, "small");
        }
        sheet.y += 100;
        let said = (figure.draw)(&mut sheet, &figure.table);
        sheet.y += 100;
        for line in &figure.notes {
            sheet.paragraph(line, 11, "small");
        }
        let mut description = figure.heading.clone();
        description.extend(said);
        description.extend(figure.notes.iter().cloned());
        let digest = Digest::of(&figure.table.csv());
        description.push(format!("Drawn from the table with sha256 {digest}."));
        let height = sheet.y + MARGIN;
        sheet
            .drawing
            .file([WIDTH, height], &figure.title, &description)
    }

    /// Writes a text below what is there, on as many lines as it takes.
    pub(crate) fn paragraph(&mut self, text: &str, size: i128, class: &str) {
        let width = ENDS[1] - ENDS[0];
        for line in folded(text, usize::try_from(width * 10 / (size * 62)).unwrap_or(1)) {
            self.y += size * 10 + 50;
            let place = [ENDS[0], self.y];
            self.drawing.text(place, class, Anchor::Start, &line);
        }
    }

    /// Writes a name and, at the other end of the line, a figure; below one another
    /// where they do not fit.
    pub(crate) fn named(&mut self, name: &str, figure: &str) {
        let room = ENDS[1] - ENDS[0];
        if room < width_of(name, 13) + width_of(figure, 13) + 200 {
            self.paragraph(name, 13, "name");
            self.paragraph(figure, 13, "figure");
            return;
        }
        self.y += 180;
        let y = self.y;
        self.drawing.text([ENDS[0], y], "name", Anchor::Start, name);
        self.drawing
            .text([ENDS[1], y], "figure", Anchor::End, figure);
    }
}

/// Breaks a text between words, and words that are too long.
fn folded(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut taken = 0;
    for word in text.split(' ') {
        let letters: Vec<char> = word.chars().collect();
        for (place, part) in letters.chunks(most.max(1)).enumerate() {
            let is_new = place != 0 || (taken != 0 && most < taken + 1 + part.len());
            if is_new {
                lines.push(String::new());
                taken = 0;
            }
            if let Some(line) = lines.last_mut() {
                if taken != 0 {
                    line.push(' ');
                    taken += 1;
                }
                line.extend(part);
                taken += part.len();
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_longer_than_its_room() {
        assert_eq!(folded("one two three", 7), ["one two", "three"]);
        assert_eq!(folded("a 0123456789", 4), ["a", "0123", "4567", "89"]);
        assert_eq!(folded("", 4), [""]);
    }
}
