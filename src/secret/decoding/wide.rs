//! UTF-16 and UTF-32 of both orders: ASCII with zeros between.

use crate::secret::decoding::View;

/// Fewer characters are no text.
const TEXT_MIN: usize = 8;

fn is_text(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}

pub(crate) fn views(text: &[u8], each: &mut dyn FnMut(View)) {
    let mut from = 0;
    while let Some(found) = memchr::memchr(0, text.get(from..).unwrap_or_default()) {
        let zero = from + found;
        // The first zero stands before the first character, or behind it.
        let starts = [(zero.saturating_sub(1).max(from), true), (zero, false)];
        let mut end = zero + 1;
        for width in [4, 2] {
            for (start, is_little) in starts {
                let n = n_characters(&text[start..], width, is_little);
                if TEXT_MIN <= n {
                    each(view(text, start, n, width, is_little));
                    end = end.max(start + n * width);
                }
            }
        }
        from = end;
    }
}

/// How many characters of that width stand at the beginning.
fn n_characters(text: &[u8], width: usize, is_little: bool) -> usize {
    let is_character = |unit: &&[u8]| {
        let (character, zeros) = if is_little {
            (unit[0], &unit[1..])
        } else {
            (unit[width - 1], &unit[..width - 1])
        };
        is_text(character) && zeros.iter().all(|byte| *byte == 0)
    };
    text.chunks_exact(width).take_while(is_character).count()
}

fn view(text: &[u8], start: usize, n: usize, width: usize, is_little: bool) -> View {
    let mut view = View::at(start);
    for at in (start..).step_by(width).take(n) {
        let byte = if is_little { at } else { at + width - 1 };
        view.push(text[byte], at..at + width);
    }
    view
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_text_is_read_in_both_orders_also_within_other_bytes() {
        for width in [2, 4] {
            for is_little in [true, false] {
                for before in ["", "x", "\u{feff}", "\0\0\0"] {
                    let mut text = before.as_bytes().to_vec();
                    let start = text.len();
                    for byte in b"a wide text\n" {
                        let mut unit = vec![0; width];
                        unit[if is_little { 0 } else { width - 1 }] = *byte;
                        text.extend(unit);
                    }
                    let mut found = false;
                    views(&text, &mut |view| {
                        found |= view.bytes().ends_with(b"wide text\n");
                        let end = view.bytes().len();
                        assert!(start <= view.place(0..end).end);
                    });
                    assert!(found, "{before:?} {width} {is_little}");
                }
            }
        }
        views(&[0; 5000], &mut |_| panic!("zeros are no text"));
    }
}
