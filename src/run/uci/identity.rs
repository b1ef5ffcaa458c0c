use crate::run::uci::fault::quoted;
use crate::run::uci::{DeclaredOption, EngineFault};

/// How many declared options are kept. Real engines have fewer than 200.
const MAX_OPTIONS: usize = 1_000;

/// What an engine says about itself before it plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name, usually with a version, when it said one; at most 200 bytes.
    pub name: Option<String>,
    /// Its authors, when it named some; at most 200 bytes.
    pub author: Option<String>,
    /// Its options in the order of declaration. The default of `EvalFile`, for
    /// one, is the net that Stockfish plays with when nobody sets another.
    pub options: Vec<DeclaredOption>,
}

impl Identity {
    /// Returns the option of this name, whatever its case.
    pub fn option(&self, name: &str) -> Option<&DeclaredOption> {
        self.options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Takes in a line of the handshake; one that says nothing is passed over.
    pub(crate) fn hear(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = Some(quoted(name.trim()));
        } else if let Some(author) = line.strip_prefix("id author ") {
            self.author = Some(quoted(author.trim()));
        } else if self.options.len() < MAX_OPTIONS
            && let Some(option) = DeclaredOption::parse(line)
        {
            self.options.push(option);
        }
    }

    /// Returns the commands that set these options, in the same order.
    ///
    /// # Errors
    ///
    /// The first option that the engine does not have, or whose value it does
    /// not take; then none should be set.
    pub(crate) fn settings(
        &self,
        options: &[(String, String)],
    ) -> Result<Vec<String>, EngineFault> {
        options
            .iter()
            .map(|(name, value)| match self.option(name) {
                Some(option) => option.set(value),
                None => Err(EngineFault::UnknownOption { name: quoted(name) }),
            })
            .collect()
    }
}
