use std::sync::LazyLock;

use serde::Deserialize;

use crate::secret::rule::Rule;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Rule>,
}

/// The file of rules.
pub(crate) const FILE: &str = include_str!("rules.toml");

/// Returns every rule, in the order of the file.
///
/// # Panics
///
/// When the file of rules is not what it must be, which a test rules out.
pub(crate) fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let file: Result<File, _> = toml::from_str(FILE);
        file.expect("the file of rules can be read").rule
    });
    &RULES
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn rules_have_names_and_keywords_of_their_own_and_patterns_that_compile() {
        let mut ids = BTreeSet::new();
        for rule in rules() {
            assert!(ids.insert(&rule.id), "{} twice", rule.id);
            assert!(!rule.keywords.is_empty(), "{}", rule.id);
            assert!(rule.compiled().is_ok(), "{}", rule.id);
        }
    }
}
