use crate::chess::{Color, Game, PieceKind, Position, UciMove};
use crate::run::prompts::position_text::{MovesSoFar, color, list, or_none};
use crate::run::prompts::reasons::REASONS;
use crate::run::prompts::template::own;
use crate::run::prompts::{Conversation, Retry, Template};

const SYSTEM: Template = own!("chessbench-v3", "system");
const CHECKLIST: Template = own!("chessbench-v3", "checklist");
const OPENING: Template = own!("chessbench-v3", "opening");
const OPENING_REPLY: Template = own!("chessbench-v3", "opening-reply");
const CONTINUING: Template = own!("chessbench-v3", "continuing");
const REJECTED: Template = own!("chessbench-v3", "rejected");
const ACCEPTED: Template = own!("chessbench-v3", "accepted");
const STATE: Template = own!("chessbench-v3", "state");
const PIECES: Template = own!("chessbench-v3", "pieces");
const TOOL: Template = Template::own(
    "chessbench-v3.tool",
    include_str!("chessbench-v3/tool.json"),
);

/// The prompts of `chessbench-v3`: a conversation of its own for each player.
///
/// Nothing in them tells of an evaluation, or who the opponent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chessbench {
    /// Answers a turn.
    pub attempts: u64,
    /// Whether the system prompt ends in the checklist.
    pub has_checklist: bool,
}

impl Chessbench {
    /// The tool that a move is submitted with.
    pub const TOOL_NAME: &str = "submit_move";
    /// The argument of the tool that is the move.
    pub const TOOL_ARGUMENT: &str = "move";

    /// Returns the definition of the tool, as JSON.
    pub fn tool() -> &'static str {
        include_str!("chessbench-v3/tool.json")
    }

    /// Returns every text that a player can be sent.
    pub fn templates(self) -> Vec<Template> {
        let checklist = self.has_checklist.then_some(CHECKLIST);
        [
            SYSTEM,
            OPENING,
            OPENING_REPLY,
            CONTINUING,
            REJECTED,
            ACCEPTED,
            STATE,
            PIECES,
            REASONS,
            TOOL,
        ]
        .into_iter()
        .chain(checklist)
        .collect()
    }

    /// Returns the conversation before the first turn.
    pub fn conversation(self) -> Conversation {
        Conversation::new(self.system())
    }

    fn system(self) -> String {
        let checklist = if self.has_checklist {
            format!("\n\n{}", CHECKLIST.fill(&[]))
        } else {
            String::new()
        };
        SYSTEM.fill(&[("checklist", &checklist)])
    }

    /// Returns what the side to move is told at the beginning of its turn: what
    /// happened since its last one, and the whole state.
    pub fn turn(self, game: &Game, so_far: &mut MovesSoFar) -> String {
        format!("{}\n\n{}", situation(game), state(game, so_far.of(game)))
    }

    /// Returns what it is told after a rejected answer, the state included.
    pub fn again(self, game: &Game, so_far: &mut MovesSoFar, retry: &Retry<'_>) -> String {
        format!("{}\n\n{}", self.rejected(retry), self.turn(game, so_far))
    }

    /// Returns why an answer was rejected, for the tool call that it was.
    pub fn rejected(self, retry: &Retry<'_>) -> String {
        retry.told(&REJECTED, self.attempts)
    }

    /// Returns that a move was accepted, for the tool call that it was.
    pub fn accepted(self, uci: UciMove) -> String {
        ACCEPTED.fill(&[("move", uci.as_str())])
    }
}

/// Says what the player and the opponent moved last, apart from one another.
fn situation(game: &Game) -> String {
    let own = color(game.side_to_move());
    match game.moves() {
        [] => OPENING.fill(&[("color", own)]),
        [reply] => OPENING_REPLY.fill(&[("color", own), ("reply", reply.as_str())]),
        [.., last, reply] => CONTINUING.fill(&[("last", last.as_str()), ("reply", reply.as_str())]),
    }
}

fn state(game: &Game, moves: &str) -> String {
    let position = game.position();
    let pieces = |side| pieces(position, side);
    STATE.fill(&[
        ("color", color(game.side_to_move())),
        ("fen", game.fen().as_str()),
        ("white", &pieces(Color::White)),
        ("black", &pieces(Color::Black)),
        ("moves", moves),
        ("legal", &list(&game.legal_moves())),
    ])
}

fn pieces(position: &Position, side: Color) -> String {
    let own = position.side_to_move() == side;
    let squares = |kind| or_none(&position.squares_of(side, kind).join(" "));
    PIECES.fill(&[
        ("color", color(side)),
        ("mark", if own { " (Your pieces)" } else { "" }),
        ("king", &squares(PieceKind::King)),
        ("queens", &squares(PieceKind::Queen)),
        ("rooks", &squares(PieceKind::Rook)),
        ("bishops", &squares(PieceKind::Bishop)),
        ("knights", &squares(PieceKind::Knight)),
        ("pawns", &squares(PieceKind::Pawn)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_have_the_placeholders_that_are_filled() {
        for (template, placeholders) in [
            (SYSTEM, &["checklist"][..]),
            (CHECKLIST, &[]),
            (OPENING, &["color"]),
            (OPENING_REPLY, &["color", "reply"]),
            (CONTINUING, &["last", "reply"]),
            (REJECTED, &["reason", "attempt", "attempts"]),
            (ACCEPTED, &["move"]),
            (STATE, &["color", "fen", "white", "black", "moves", "legal"]),
            (
                PIECES,
                &[
                    "color", "mark", "king", "queens", "rooks", "bishops", "knights", "pawns",
                ],
            ),
            (REASONS, &["text"]),
            (TOOL, &[]),
        ] {
            assert_eq!(template.check(placeholders), Ok(()));
        }
    }

    #[test]
    fn the_tool_takes_one_move_by_the_names_that_replies_are_read_with() {
        let tool: serde_json::Value = serde_json::from_str(Chessbench::tool()).unwrap();
        let function = &tool["function"];
        assert_eq!(function["name"], Chessbench::TOOL_NAME);
        let required = &function["parameters"]["required"];
        assert_eq!(*required, serde_json::json!([Chessbench::TOOL_ARGUMENT]));
        assert_eq!(TOOL.text(), Chessbench::tool());
    }

    #[test]
    fn without_the_checklist_it_is_another_set_of_prompts() {
        let set = |has_checklist| {
            let prompts = Chessbench {
                attempts: 3,
                has_checklist,
            };
            crate::run::prompts::identities(&prompts.templates())
        };
        assert_eq!(set(true).len(), set(false).len() + 1);
    }
}
