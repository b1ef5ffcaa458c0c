use crate::run::uci::EngineFault;
use crate::run::uci::fault::{quoted, sendable};

/// An option that an engine declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    /// The name in the engine's spelling. UCI names are compared without
    /// regard to case.
    pub name: String,
    /// What it takes.
    pub kind: OptionKind,
}

/// What an option takes, and what it is when nobody sets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The declared default.
        default: Option<bool>,
    },
    /// An integer.
    Spin {
        /// The declared default.
        default: Option<i64>,
        /// The smallest value, when one is declared.
        min: Option<i64>,
        /// The largest value, when one is declared.
        max: Option<i64>,
    },
    /// One of several texts.
    Combo {
        /// The declared default.
        default: Option<String>,
        /// The texts, as declared.
        choices: Vec<String>,
    },
    /// Nothing: setting it does something.
    Button,
    /// Any text; the name of a net, for one.
    Text {
        /// The declared default; empty for `<empty>`.
        default: Option<String>,
    },
}

impl DeclaredOption {
    /// Returns the option that a line declares, or `None` when the line is not
    /// a whole declaration.
    ///
    /// The form is `option name N type T [default D] [min A] [max B] [var V]...`,
    /// where N, D and V may contain spaces.
    pub fn parse(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let (kind, rest) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let kind = OptionKind::parse(kind, rest)?;
        Some(Self {
            name: name.trim().to_owned(),
            kind,
        })
    }

    /// Returns the command that sets the option.
    ///
    /// # Errors
    ///
    /// [`EngineFault::OptionOutOfRange`] for a value that the option does not
    /// take, [`EngineFault::Unsendable`] for one that does not fit on a line.
    pub(crate) fn set(&self, value: &str) -> Result<String, EngineFault> {
        if !self.kind.takes(sendable(value)?) {
            return Err(EngineFault::OptionOutOfRange {
                name: quoted(&self.name),
                value: quoted(value),
                range: quoted(&self.kind.range()),
            });
        }
        let name = sendable(&self.name)?;
        Ok(match self.kind {
            OptionKind::Button => format!("setoption name {name}"),
            OptionKind::Text { .. } if value.is_empty() => {
                format!("setoption name {name} value <empty>")
            }
            _ => format!("setoption name {name} value {value}"),
        })
    }
}

impl OptionKind {
    /// Whether the option takes this value.
    pub fn takes(&self, value: &str) -> bool {
        match self {
            Self::Check { .. } => matches!(value, "true" | "false"),
            Self::Spin { min, max, .. } => value.parse().is_ok_and(|number: i64| {
                min.is_none_or(|min| min <= number) && max.is_none_or(|max| number <= max)
            }),
            Self::Combo { choices, .. } => choices.iter().any(|choice| choice == value),
            Self::Button => value.is_empty(),
            Self::Text { .. } => true,
        }
    }

    /// Returns what the option takes, in words.
    pub fn range(&self) -> String {
        match self {
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } => match (min, max) {
                (Some(min), Some(max)) => format!("an integer from {min} to {max}"),
                (Some(min), None) => format!("an integer of at least {min}"),
                (None, Some(max)) => format!("an integer of at most {max}"),
                (None, None) => "an integer".to_owned(),
            },
            Self::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            Self::Button => "no value".to_owned(),
            Self::Text { .. } => "any text".to_owned(),
        }
    }
}

impl OptionKind {
    /// Returns the kind of this type from what stands behind it, or `None` for
    /// an unknown type or a number that is none.
    fn parse(kind: &str, rest: &str) -> Option<Self> {
        if kind == "string" {
            // All of the rest: a path may contain any of the words below.
            let default = rest.trim().strip_prefix("default").map(str::trim);
            return Some(Self::Text {
                default: default.map(|text| text.replace("<empty>", "")),
            });
        }
        let fields = fields(rest);
        let all = |name| {
            let of_name = fields.iter().filter(move |(word, _)| *word == name);
            of_name.map(|(_, text)| text.clone())
        };
        let number = |name| all(name).next().map(|text| text.parse()).transpose().ok();
        Some(match kind {
            "check" => Self::Check {
                default: all("default").next().map(|text| text == "true"),
            },
            "spin" => Self::Spin {
                default: number("default")?,
                min: number("min")?,
                max: number("max")?,
            },
            "combo" => Self::Combo {
                default: all("default").next(),
                choices: all("var").collect(),
            },
            "button" => Self::Button,
            _ => return None,
        })
    }
}

/// Returns the fields of an option by name; texts may contain spaces.
fn fields(text: &str) -> Vec<(&str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for word in text.split_ascii_whitespace() {
        if matches!(word, "default" | "min" | "max" | "var") {
            fields.push((word, String::new()));
        } else if let Some((_, value)) = fields.last_mut() {
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(word);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(line: &str) -> DeclaredOption {
        DeclaredOption::parse(line).expect("a declaration")
    }

    #[test]
    fn names_defaults_and_choices_may_contain_spaces() {
        let style = option(
            "option name Analysis Style type combo default Very Solid var Very Solid var Risky",
        );
        assert_eq!(style.name, "Analysis Style");
        assert_eq!(style.kind.range(), "one of Very Solid, Risky");
        let file = option("option name Debug Log type string default C:\\max min\\log 1.txt");
        let default = Some("C:\\max min\\log 1.txt".to_owned());
        assert_eq!(file.kind, OptionKind::Text { default });
        let empty = option("option name SyzygyPath type string default <empty>").kind;
        let default = Some(String::new());
        assert_eq!(empty, OptionKind::Text { default });
    }

    #[test]
    fn odd_lines_declare_nothing() {
        for line in [
            "option",
            "option name",
            "option name Hash",
            "option name Hash type",
            "option name Hash type tree",
            "option name Hash type spin min low",
            "info string option name Hash type spin",
        ] {
            assert_eq!(DeclaredOption::parse(line), None, "{line}");
        }
    }

    #[test]
    fn values_out_of_range_are_refused_with_the_range() {
        let elo = option("option name UCI_Elo type spin default 1350 min 1350 max 2850");
        assert_eq!(
            elo.set("2850"),
            Ok("setoption name UCI_Elo value 2850".to_owned())
        );
        let fault = elo.set("1349").expect_err("it is below the minimum");
        assert_eq!(
            fault.to_string(),
            "option `UCI_Elo` takes an integer from 1350 to 2850, not `1349`"
        );
        assert!(elo.set("2851").is_err());
        assert!(elo.set("1350.5").is_err());
        assert!(elo.set("").is_err());
    }

    #[test]
    fn each_type_takes_its_own_values() {
        let check = option("option name Ponder type check default false");
        assert!(check.set("true").is_ok());
        assert!(check.set("yes").is_err());
        let combo = option("option name Book type combo default A var A var B");
        assert!(combo.set("B").is_ok());
        assert!(combo.set("C").is_err());
        let button = option("option name Clear Hash type button");
        assert_eq!(button.set(""), Ok("setoption name Clear Hash".to_owned()));
        assert!(button.set("now").is_err());
        let text = option("option name EvalFile type string default a.nnue");
        assert_eq!(
            text.set(""),
            Ok("setoption name EvalFile value <empty>".to_owned())
        );
        assert!(text.set("b.nnue\nquit").is_err());
    }
}
