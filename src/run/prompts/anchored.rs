use crate::chess::Game;
use crate::run::prompts::position_text::{VARIANTS, color, list, variant};
use crate::run::prompts::reasons::REASONS;
use crate::run::prompts::template::own;
use crate::run::prompts::{Message, Retry, Role, Template};

const SYSTEM: Template = own!("anchored", "system");
const TURN: Template = own!("anchored", "turn");
const FEEDBACK: Template = own!("anchored", "feedback");

/// The prompts of games against anchors: a fresh request for every move, which
/// lists no legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchored {
    /// Answers a move.
    pub attempts: u64,
}

impl Anchored {
    /// The tag that a move is answered in.
    pub const TAG: &str = "move";

    /// Returns every text that a player can be sent.
    pub fn templates(self) -> Vec<Template> {
        let [standard, chess960] = VARIANTS;
        vec![SYSTEM, TURN, FEEDBACK, REASONS, standard, chess960]
    }

    /// Returns the request for a move. After a rejected answer it ends in one
    /// line about that.
    pub fn request(self, game: &Game, retry: Option<&Retry<'_>>) -> Vec<Message> {
        let mut turn = TURN.fill(&[
            ("variant", &variant(game.variant())),
            ("color", color(game.side_to_move())),
            ("start", game.start().as_str()),
            ("moves", &list(game.moves())),
            ("fen", game.fen().as_str()),
        ]);
        if let Some(retry) = retry {
            turn.push('\n');
            turn.push_str(&retry.told(&FEEDBACK, self.attempts));
        }
        vec![
            Message::new(Role::System, SYSTEM.fill(&[])),
            Message::new(Role::User, turn),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_have_the_placeholders_that_are_filled() {
        let [standard, chess960] = VARIANTS;
        for (template, placeholders) in [
            (SYSTEM, &[][..]),
            (standard, &[]),
            (chess960, &[]),
            (TURN, &["variant", "color", "start", "moves", "fen"]),
            (FEEDBACK, &["reason", "attempt", "attempts"]),
        ] {
            assert_eq!(template.check(placeholders), Ok(()));
        }
        assert_eq!(FEEDBACK.text().lines().count(), 1);
        assert!(
            SYSTEM
                .text()
                .contains(&format!("<{0}>e2e4</{0}>", Anchored::TAG))
        );
    }
}
