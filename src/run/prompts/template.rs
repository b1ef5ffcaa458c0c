use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::event::PromptIdentity;

/// A text with named places to fill, written `{{name}}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    name: Cow<'static, str>,
    text: Cow<'static, str>,
}

/// A text cannot serve as a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A placeholder has no end.
    #[error("{template}, line {line}: `{{{{` without `}}}}`; close the placeholder on its line")]
    Unclosed {
        /// The name of the text.
        template: String,
        /// The line, from 1.
        line: usize,
    },
    /// A placeholder that nothing fills.
    #[error("{template}, line {line}: nothing fills `{{{{{found}}}}}`; known are: {known}")]
    Unknown {
        /// The name of the text.
        template: String,
        /// The line, from 1.
        line: usize,
        /// What stands in the braces.
        found: String,
        /// What may stand there.
        known: String,
    },
    /// A placeholder that has to be there is not.
    #[error("{template}: `{{{{{missing}}}}}` is missing; put it where its value belongs")]
    Missing {
        /// The name of the text.
        template: String,
        /// What is missing.
        missing: &'static str,
    },
}

/// One of our own files, by the folder of its protocol.
macro_rules! own {
    ($folder:literal, $file:literal) => {
        $crate::run::prompts::Template::own(
            concat!($folder, ".", $file),
            include_str!(concat!($folder, "/", $file, ".txt")),
        )
    };
    ($file:literal) => {
        $crate::run::prompts::Template::own($file, include_str!(concat!($file, ".txt")))
    };
}

pub(in crate::run::prompts) use own;

impl Template {
    /// A text of ours. Tests hold its placeholders to what fills them.
    pub(in crate::run::prompts) const fn own(name: &'static str, text: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            text: Cow::Borrowed(text),
        }
    }

    /// A text that follows from a declaration.
    pub(in crate::run) fn declared(name: &'static str, text: String) -> Self {
        Self {
            name: Cow::Borrowed(name),
            text: Cow::Owned(text),
        }
    }

    /// Takes in somebody's text: every one of these placeholders, and no other.
    pub fn read(
        name: &'static str,
        text: &str,
        placeholders: &'static [&'static str],
    ) -> Result<Self, TemplateError> {
        let template = Self::declared(name, text.to_owned());
        template.check(placeholders)?;
        Ok(template)
    }

    /// Its name among the prompts of a protocol.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text as it stands in the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The digest of the text as it stands in the file.
    pub fn digest(&self) -> Digest {
        Digest::of(self.text.as_bytes())
    }

    /// Checks that these placeholders and no others are there.
    pub(in crate::run::prompts) fn check(
        &self,
        placeholders: &'static [&'static str],
    ) -> Result<(), TemplateError> {
        let template = || self.name.to_string();
        let mut seen = Vec::new();
        for (number, text) in self.text.lines().enumerate() {
            let line = number + 1;
            let mut rest = text;
            while let Some((_, after)) = rest.split_once("{{") {
                let Some((found, after)) = after.split_once("}}") else {
                    return Err(TemplateError::Unclosed {
                        template: template(),
                        line,
                    });
                };
                if !placeholders.contains(&found) {
                    return Err(TemplateError::Unknown {
                        template: template(),
                        line,
                        found: crate::finding::visible(found),
                        known: known(placeholders),
                    });
                }
                seen.push(found);
                rest = after;
            }
        }
        match placeholders.iter().find(|name| !seen.contains(name)) {
            None => Ok(()),
            Some(missing) => Err(TemplateError::Missing {
                template: template(),
                missing,
            }),
        }
    }

    /// Returns the text with its places filled, without the line feed at its end.
    /// A value is put in as it is, also where it looks like a placeholder.
    pub(in crate::run::prompts) fn fill(&self, values: &[(&str, &str)]) -> String {
        let text = self.text.strip_suffix('\n').unwrap_or(&self.text);
        let mut filled = String::with_capacity(text.len() * 2);
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            filled.push_str(before);
            let named = after.split_once("}}").and_then(|(name, after)| {
                let value = values.iter().find(|(known, _)| *known == name)?;
                Some((value.1, after))
            });
            rest = if let Some((value, after)) = named {
                filled.push_str(value);
                after
            } else {
                filled.push_str("{{");
                after
            };
        }
        filled.push_str(rest);
        filled
    }
}

fn known(placeholders: &[&str]) -> String {
    if placeholders.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<_> = placeholders
        .iter()
        .map(|name| format!("`{{{{{name}}}}}`"))
        .collect();
    shown.join(", ")
}

/// Returns what identifies these texts in `protocol.published`, in the order of
/// their names, each once.
pub fn identities(templates: &[Template]) -> Vec<PromptIdentity> {
    let by_name: BTreeMap<_, _> = templates
        .iter()
        .filter_map(|template| Some((template.name.parse().ok()?, template.digest())))
        .collect();
    let identity = |(name, sha256)| PromptIdentity { name, sha256 };
    by_name.into_iter().map(identity).collect()
}

/// Returns one digest of all prompts, for the registration of a system: SHA-256
/// over a line `digest`, two spaces, `name` for each, in the order of their
/// names, which is what `sha256sum` prints for files of these names.
pub fn set_digest(prompts: &[PromptIdentity]) -> Digest {
    let lines = prompts
        .iter()
        .map(|prompt| format!("{}  {}\n", prompt.sha256, prompt.name));
    Digest::of(lines.collect::<String>().as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_unknown_a_missing_and_an_open_placeholder_are_refused_in_words() {
        let read = |text| Template::read("mine", text, &["fen", "side"]);
        assert!(read("{{fen}} and {{side}}, {{fen}} {again} {").is_ok());
        for (text, message) in [
            (
                "{{fen}}",
                "mine: `{{side}}` is missing; put it where its value belongs",
            ),
            (
                "{{fen}}\n{{sidé}} {{side}}",
                "mine, line 2: nothing fills `{{sidé}}`; known are: `{{fen}}`, `{{side}}`",
            ),
            (
                "a\n{{fen} {{side\n}}",
                "mine, line 2: `{{` without `}}`; close the placeholder on its line",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), message);
        }
        let bare = Template::read("bare", "{{fen}}", &[]).unwrap_err();
        assert_eq!(
            bare.to_string(),
            "bare, line 1: nothing fills `{{fen}}`; known are: none"
        );
    }

    #[test]
    fn the_digest_of_a_set_is_that_of_the_lines_of_sha256sum() {
        let one = Template::declared("b", "abc".to_owned());
        let other = Template::declared("a", String::new());
        let prompts = identities(&[one.clone(), other, one]);
        let lines = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
                     ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n";
        assert_eq!(set_digest(&prompts), Digest::of(lines.as_bytes()));
    }

    proptest! {
        #[test]
        fn values_are_put_in_as_they_are(value in ".{0,12}", other in "[{}a-z]{0,12}") {
            let template = Template::declared("t", "[{{one}}|{{other}}|{{one}}]\n".to_owned());
            let filled = template.fill(&[("one", &value), ("other", &other)]);
            prop_assert_eq!(filled, format!("[{value}|{other}|{value}]"));
        }

        #[test]
        fn any_text_is_read_or_refused_and_filled(text in "[{}a-b \n]{0,40}") {
            let template = Template::declared("t", text.clone());
            drop(template.check(&["a", "b"]));
            let filled = template.fill(&[]);
            prop_assert_eq!(filled, text.strip_suffix('\n').unwrap_or(&text));
        }
    }
}
