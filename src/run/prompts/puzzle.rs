use crate::chess::Position;
use crate::run::prompts::position_text::color;
use crate::run::prompts::template::own;
use crate::run::prompts::{Message, Role, Template, TemplateError};

const SYSTEM: Template = own!("puzzles", "system");
const PUZZLE: Template = own!("puzzles", "puzzle");

/// What the text about one puzzle has to state.
const PLACEHOLDERS: &[&str] = &["fen", "board", "side", "tactic", "plies"];

/// The prompts of puzzles: the rules, and then the puzzle, in one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzlePrompt {
    system: Template,
    puzzle: Template,
}

/// What is stated of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Puzzle<'a> {
    /// The position to solve, after the opponent's first move.
    pub position: &'a Position,
    /// The tactic, in words.
    pub tactic: &'a str,
    /// How many plies the line has.
    pub plies: u32,
}

impl Default for PuzzlePrompt {
    /// The rules in our own words.
    fn default() -> Self {
        Self {
            system: SYSTEM,
            puzzle: PUZZLE,
        }
    }
}

impl PuzzlePrompt {
    /// Takes in the exact text of a published system prompt. It is sent as it
    /// stands, without the line feed at its end, and has no placeholders.
    pub fn with_system(self, text: &str) -> Result<Self, TemplateError> {
        let system = Template::read("puzzles.published-system", text, &[])?;
        Ok(Self { system, ..self })
    }

    /// Takes in the exact text of a published message about a puzzle, with
    /// `{{fen}}`, `{{board}}`, `{{side}}`, `{{tactic}}` and `{{plies}}` in it.
    pub fn with_puzzle(self, text: &str) -> Result<Self, TemplateError> {
        let puzzle = Template::read("puzzles.published-puzzle", text, PLACEHOLDERS)?;
        Ok(Self { puzzle, ..self })
    }

    /// Returns both texts.
    pub fn templates(&self) -> Vec<Template> {
        vec![self.system.clone(), self.puzzle.clone()]
    }

    /// Returns the one request for a puzzle.
    pub fn request(&self, puzzle: &Puzzle<'_>) -> Vec<Message> {
        let position = puzzle.position;
        let text = self.puzzle.fill(&[
            ("fen", position.fen().as_str()),
            ("board", &position.board_text()),
            ("side", color(position.side_to_move())),
            ("tactic", puzzle.tactic),
            ("plies", &puzzle.plies.to_string()),
        ]);
        vec![
            Message::new(Role::System, self.system.fill(&[])),
            Message::new(Role::User, text),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_would_be_taken_as_a_published_one_and_half_of_one_is_refused() {
        assert_eq!(SYSTEM.check(&[]), Ok(()));
        assert_eq!(PUZZLE.check(PLACEHOLDERS), Ok(()));
        let ours = PuzzlePrompt::default;
        assert!(ours().with_system("You are solving. {\"move\": 1}").is_ok());
        let error = ours().with_system("Solve {{fen}}").unwrap_err();
        assert!(
            error.to_string().contains("nothing fills `{{fen}}`"),
            "{error}"
        );
        let error = ours()
            .with_puzzle("{{fen}} {{board}} {{side}} {{plies}}")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "puzzles.published-puzzle: `{{tactic}}` is missing; put it where its value belongs"
        );
    }
}
