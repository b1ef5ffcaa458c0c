use crate::chess::RejectionClass;
use crate::finding::visible;
use crate::run::prompts::Template;
use crate::run::prompts::template::own;

/// A line a class: its word, and why an answer of that class was not accepted.
pub(in crate::run::prompts) const REASONS: Template = own!("reasons");

/// How many characters of an answer are shown again.
const SHOWN: usize = 60;

/// Returns why an answer was not accepted, as one line of text.
pub(in crate::run::prompts) fn reason(class: RejectionClass, extracted: &str) -> String {
    let word = class.to_string();
    let reasons = REASONS;
    let line = reasons.text().lines().find_map(|line| {
        let (name, text) = line.split_once(": ")?;
        (name == word).then_some(text)
    });
    let beginning: String = extracted.chars().take(SHOWN).collect();
    let rest = if beginning.len() < extracted.len() {
        "..."
    } else {
        ""
    };
    let shown = visible(&beginning) + rest;
    let sentence = Template::declared("reason", line.unwrap_or_default().to_owned());
    sentence.fill(&[("text", &shown)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_its_reason_and_it_is_one_line() {
        for class in RejectionClass::ALL {
            let text = reason(*class, "e2e4\nd2d4 {{text}}");
            assert!(!text.is_empty() && text.ends_with('.'), "{class}");
            assert!(!text.contains('\n'), "{class}");
        }
        assert_eq!(REASONS.text().lines().count(), RejectionClass::ALL.len());
    }
}
