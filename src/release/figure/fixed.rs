/// Reads a decimal text as a whole number of its `digits`-th digits; further ones
/// are cut off. Nothing where it is no such number, an infinity among them.
pub(crate) fn fixed(text: &str, digits: usize) -> Option<i128> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => (-1, text),
        None => (1, text),
    };
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !are_digits(whole) || !are_digits(part) {
        return None;
    }
    let part: String = part
        .chars()
        .chain(std::iter::repeat('0'))
        .take(digits)
        .collect();
    let number: i128 = format!("{whole}{part}").parse().ok()?;
    Some(sign * number)
}

/// To which side a number is rounded.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    /// To the nearer one, half up.
    Near,
    /// Down.
    Down,
    /// Up.
    Up,
}

/// A decimal text with one digit. Nothing where it is no such number.
pub(crate) fn one_digit(text: &str, side: Side) -> Option<String> {
    const STEP: i128 = 100_000;
    let millionths = fixed(text, 6)?;
    let tenths = match side {
        Side::Near => (millionths + STEP / 2).div_euclid(STEP),
        Side::Down => millionths.div_euclid(STEP),
        Side::Up => -(-millionths).div_euclid(STEP),
    };
    let sign = if tenths < 0 { "-" } else { "" };
    let tenths = tenths.unsigned_abs();
    Some(format!("{sign}{}.{}", tenths / 10, tenths % 10))
}

/// Marks on a scale: steps of 1, 2 or 5 times a power of ten that lie in this
/// range, at most so many.
pub(crate) fn ticks(low: i128, high: i128, most: i128) -> Vec<i128> {
    let mut step: i128 = 1;
    let mut factors = [2, 5, 2].into_iter().cycle().enumerate();
    // 1, 2, 5, 10, 20, 50 and so on.
    let mut base = 1;
    while most.max(1) < (high - low) / step + 1 {
        let Some((place, _)) = factors.next() else {
            break;
        };
        (step, base) = match place % 3 {
            0 => (base * 2, base),
            1 => (base * 5, base),
            _ => (base * 10, base * 10),
        };
    }
    let first = low.div_euclid(step) * step;
    let mut marks = Vec::new();
    let mut mark = if first < low { first + step } else { first };
    while mark <= high {
        marks.push(mark);
        mark += step;
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_texts_are_read_to_so_many_digits() {
        assert_eq!(fixed("1338.869828", 1), Some(13388));
        assert_eq!(fixed("-0.05", 2), Some(-5));
        assert_eq!(fixed("7", 3), Some(7000));
        for none in ["", "-inf", "+inf", "1e3", ".5", "1.x"] {
            assert_eq!(fixed(none, 1), None, "{none}");
        }
    }

    #[test]
    fn a_bound_is_rounded_to_its_open_side() {
        let rounded = |text, side| one_digit(text, side).unwrap();
        assert_eq!(rounded("1338.869828", Side::Up), "1338.9");
        assert_eq!(rounded("1338.869828", Side::Down), "1338.8");
        assert_eq!(rounded("1570.150000", Side::Near), "1570.2");
        assert_eq!(rounded("-0.31", Side::Near), "-0.3");
        assert_eq!(rounded("-0.31", Side::Down), "-0.4");
    }

    #[test]
    fn marks_are_few_and_round() {
        assert_eq!(ticks(1013, 1487, 8), [1100, 1200, 1300, 1400]);
        assert_eq!(ticks(0, 10, 20), (0..=10).collect::<Vec<_>>());
        assert_eq!(ticks(-130, 130, 4), [-100, 0, 100]);
        assert_eq!(ticks(3, 3, 8), [3]);
    }
}
