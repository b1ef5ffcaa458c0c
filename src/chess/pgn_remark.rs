//! What comments of a PGN file say in a form of their own: clocks, times, scores.

use crate::chess::{Color, Ply, Score};

/// What comments say of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PgnRemark {
    /// The move; 0 before the first.
    pub ply: Ply,
    /// What the mover has left on the clock, in milliseconds (`[%clk]`).
    pub clock_ms: Option<u64>,
    /// How long the move took, in milliseconds (`[%emt]`, or an engine's remark).
    pub elapsed_ms: Option<u64>,
    /// The score, positive for the mover (`[%eval]`, or an engine's remark).
    pub score: Option<Score>,
    /// The depth of the search, in plies.
    pub depth: Option<u64>,
}

impl PgnRemark {
    /// Reads a comment on a move of this side; nothing where it is only words.
    pub(in crate::chess) fn of(comment: &[u8], ply: Ply, mover: Color) -> Option<Self> {
        let text = std::str::from_utf8(comment).ok()?.trim();
        let mut remark = Self {
            ply,
            ..Self::default()
        };
        for command in text.split("[%").skip(1) {
            let (command, _) = command.split_once(']')?;
            let (name, value) = command.split_once(char::is_whitespace)?;
            let value = value.trim();
            match name {
                "clk" => remark.clock_ms = clock(value),
                "emt" => remark.elapsed_ms = clock(value),
                "eval" => {
                    let (score, depth) = value.split_once(',').unwrap_or((value, ""));
                    // It is White's side that speaks here.
                    remark.score = score_of(score.trim()).map(|score| match mover {
                        Color::White => score,
                        Color::Black => opposite(score),
                    });
                    remark.depth = depth.trim().parse().ok();
                }
                _ => {}
            }
        }
        if !text.starts_with('[') {
            remark.take_engine(text);
        }
        (remark
            != Self {
                ply,
                ..Self::default()
            })
        .then_some(remark)
    }

    /// Reads `+0.71/8 0.188s`, as tournament managers write it: the mover speaks.
    fn take_engine(&mut self, text: &str) {
        let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let Some((score, depth)) = words.next().and_then(|word| word.split_once('/')) else {
            return;
        };
        let (Some(score), Ok(depth)) = (score_of(score), depth.parse()) else {
            return;
        };
        self.score = Some(score);
        self.depth = Some(depth);
        let seconds = words.next().and_then(|word| word.strip_suffix('s'));
        self.elapsed_ms = seconds.and_then(milliseconds);
    }

    /// Takes in what a further comment on the same move says.
    pub(in crate::chess) fn join(&mut self, other: Self) {
        self.clock_ms = self.clock_ms.or(other.clock_ms);
        self.elapsed_ms = self.elapsed_ms.or(other.elapsed_ms);
        self.score = self.score.or(other.score);
        self.depth = self.depth.or(other.depth);
    }
}

const fn opposite(score: Score) -> Score {
    match score {
        Score::Centipawns(centipawns) => Score::Centipawns(-centipawns),
        Score::Mate(moves) => Score::Mate(-moves),
    }
}

/// Reads `0:05:01`, `5:01` or `301`, with decimals.
fn clock(text: &str) -> Option<u64> {
    let mut parts = text.rsplit(':');
    let mut total = milliseconds(parts.next()?)?;
    for unit in [60_000_u64, 3_600_000] {
        let Some(part) = parts.next() else {
            return Some(total);
        };
        total = total.checked_add(part.parse::<u64>().ok()?.checked_mul(unit)?)?;
    }
    parts.next().is_none().then_some(total)
}

/// Reads seconds with up to three decimals. More would be rounded, and are left
/// in the source.
fn milliseconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole: u64 = whole.parse().ok()?;
    scaled(whole, fraction, 3)
}

/// Reads pawns with up to two decimals, or `#3`, `M3`, `-M3` and `#-3`.
fn score_of(text: &str) -> Option<Score> {
    let (is_negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    let signed = |number: u64, is_negative: bool| {
        let number = i32::try_from(number).ok()?;
        Some(if is_negative { -number } else { number })
    };
    if let Some(moves) = digits.strip_prefix(['#', 'M']) {
        let (flips, moves) = match moves.strip_prefix('-') {
            Some(moves) => (true, moves),
            None => (false, moves),
        };
        let moves = signed(moves.parse().ok()?, is_negative != flips)?;
        return Some(Score::Mate(moves));
    }
    let (whole, fraction) = digits.split_once('.')?;
    let centipawns = scaled(whole.parse().ok()?, fraction, 2)?;
    signed(centipawns, is_negative).map(Score::Centipawns)
}

/// A number with decimals as a whole number of its smallest parts.
fn scaled(whole: u64, fraction: &str, places: usize) -> Option<u64> {
    if places < fraction.len() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let padded = format!("{fraction:0<places$}");
    let scale = 10_u64.checked_pow(u32::try_from(places).ok()?)?;
    whole.checked_mul(scale)?.checked_add(padded.parse().ok()?)
}

/// Who won, where a comment of a tournament manager says so in its own words.
pub(in crate::chess) fn winner_in(comment: &[u8]) -> Option<Color> {
    const WINS: [&str; 4] = [" mates", " wins by ", " wins on ", " won by "];
    const LOSES: [&str; 5] = [
        " resigns",
        " loses on ",
        " makes an illegal move",
        " disconnects",
        "'s connection stalls",
    ];
    let text = std::str::from_utf8(comment).ok()?.trim();
    let said = text.rsplit(", ").next()?;
    [(Color::White, "White"), (Color::Black, "Black")]
        .into_iter()
        .find_map(|(color, name)| {
            let verb = said.strip_prefix(name)?;
            let is = |words: &[&str]| words.iter().any(|word| verb.starts_with(word));
            if is(&WINS) {
                Some(color)
            } else {
                is(&LOSES).then_some(color.other())
            }
        })
}
