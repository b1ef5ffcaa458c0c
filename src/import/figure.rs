//! Figures that published tables have.

use std::fmt;

/// What a column says of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Games with a result.
    Games,
    /// Games won.
    Wins,
    /// Games drawn.
    Draws,
    /// Games lost.
    Losses,
    /// Points: 1 for a win, a half for a draw.
    Points,
    /// Games lost because no legal move came.
    Forfeits,
    /// Games without a result.
    Errors,
    /// Answers that were no legal move.
    Rejected,
    /// Tokens read.
    PromptTokens,
    /// Tokens written.
    CompletionTokens,
    /// Tokens of reasoning.
    ReasoningTokens,
    /// US dollars.
    CostUsd,
    /// A rating, on whatever scale.
    Rating,
    /// A rank.
    Rank,
}

impl Figure {
    /// Every one, in the order in which a row is judged.
    pub const ALL: [Self; 14] = [
        Self::Games,
        Self::Wins,
        Self::Draws,
        Self::Losses,
        Self::Points,
        Self::Forfeits,
        Self::Errors,
        Self::Rejected,
        Self::PromptTokens,
        Self::CompletionTokens,
        Self::ReasoningTokens,
        Self::CostUsd,
        Self::Rating,
        Self::Rank,
    ];

    /// The word for it, which is the column that has it where nothing else is said.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Wins => "wins",
            Self::Draws => "draws",
            Self::Losses => "losses",
            Self::Points => "points",
            Self::Forfeits => "forfeits",
            Self::Errors => "errors",
            Self::Rejected => "rejected",
            Self::PromptTokens => "prompt_tokens",
            Self::CompletionTokens => "completion_tokens",
            Self::ReasoningTokens => "reasoning_tokens",
            Self::CostUsd => "cost_usd",
            Self::Rating => "rating",
            Self::Rank => "rank",
        }
    }

    /// The figure with this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.as_str() == word)
    }

    /// All words.
    pub(in crate::import) fn words() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A number of a table, exact, in billionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) struct Amount(pub(in crate::import) i128);

const ONE: i128 = 1_000_000_000;
const PLACES: usize = 9;

impl Amount {
    pub(in crate::import) fn whole(number: u64) -> Self {
        Self(i128::from(number) * ONE)
    }

    /// Half points.
    pub(in crate::import) fn halves(number: u64) -> Self {
        Self(Self::whole(number).0 / 2)
    }

    /// Reads a number as people print it: separators of thousands, a dollar sign,
    /// up to nine decimals. Another text is no number.
    pub(in crate::import) fn of(text: &str) -> Option<Self> {
        let plain: String = text
            .chars()
            .filter(|c| !matches!(c, ',' | '$' | '_'))
            .collect();
        let (is_negative, digits) = match plain.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, plain.as_str()),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(fraction) || PLACES < fraction.len()
        {
            return None;
        }
        let fraction = format!("{fraction:0<PLACES$}");
        let amount = whole.parse::<i128>().ok()?.checked_mul(ONE)?;
        let amount = amount.checked_add(fraction.parse().ok()?)?;
        Some(Self(if is_negative { -amount } else { amount }))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, fraction) = (self.0.abs() / ONE, self.0.abs() % ONE);
        let fraction = format!("{fraction:0PLACES$}");
        match fraction.trim_end_matches('0') {
            "" => write!(f, "{sign}{whole}"),
            fraction => write!(f, "{sign}{whole}.{fraction}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_print_them_and_exactly() {
        for (text, shown) in [
            ("12", "12"),
            ("12.50", "12.5"),
            ("1,234", "1234"),
            ("$0.000015", "0.000015"),
            ("-3", "-3"),
        ] {
            assert_eq!(Amount::of(text).unwrap().to_string(), shown);
        }
        for text in ["", "n/a", "1e3", ".", "1.2.3", "12 %"] {
            assert_eq!(Amount::of(text), None, "{text}");
        }
        assert_eq!(Amount::halves(3).to_string(), "1.5");
    }
}
