use crate::chess::{self, Color, Rules, UciMove};
use crate::digest::Digest;
use crate::projection::{Candidates, Cell, Presentation};
use crate::run::baseline::draw;
use crate::run::prompting::Prompting;
use crate::run::talker::{FirstRequest, Talker};
use crate::run::voice::Voice;

/// One seat of a game that nobody plays: what its player would be sent, if legal
/// moves were played in it by chance and every answer accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThoughtGame {
    /// The first request.
    pub(crate) first: FirstRequest,
    /// The moves before it, the opening not among them.
    pub(crate) moves: Vec<UciMove>,
    /// How often the player is asked.
    pub(crate) n_calls: u64,
    /// The characters of all requests together.
    pub(crate) n_characters: u64,
}

/// The move that a thought game begins with, where it is legal.
const FIRST: &str = "e2e4";

impl ThoughtGame {
    /// Thinks of a game from this start. Nothing where the player is never asked, or
    /// the start is none.
    ///
    /// The moves come from a digest, so that the same is thought every time. Where
    /// chance ends the game early, the rest counts like what there was of it.
    pub(crate) fn of(
        talker: Talker<'_>,
        prompting: Prompting,
        cell: &Cell,
        color: Color,
        plies: u64,
    ) -> Option<Self> {
        let start = &cell.start;
        let mut board = chess::Game::new(&start.fen, start.variant, Rules::ChessJs14).ok()?;
        for uci in cell.opening.iter().flat_map(|opening| &opening.moves) {
            board.play(*uci).ok()?;
        }
        let opening = board.moves().len();
        let mut voice = Voice::of_model(prompting, talker.window());
        let is_first = board.side_to_move() == color;
        let due = if is_first {
            plies.div_ceil(2)
        } else {
            plies / 2
        };
        let mut thought: Option<Self> = None;
        for ply in 0..plies {
            let is_own = board.side_to_move() == color;
            if is_own {
                let made_up = prompting
                    .candidates()
                    .and_then(|width| supposed(&board, width));
                let request =
                    talker.request(&voice.say(&board, opening, made_up.as_ref(), None)?);
                let n_characters = request.n_characters();
                let thought = thought.get_or_insert_with(|| Self {
                    first: request,
                    moves: board.moves().iter().skip(opening).copied().collect(),
                    n_calls: 0,
                    n_characters: 0,
                });
                thought.n_calls += 1;
                thought.n_characters = thought.n_characters.saturating_add(n_characters);
            }
            let Some(uci) = chance(&board, ply) else {
                break;
            };
            if is_own {
                voice.suppose(uci);
            }
            board.play(uci).ok()?;
        }
        thought.map(|thought| thought.stretched(due))
    }

    /// The same game with so many calls.
    fn stretched(self, n_calls: u64) -> Self {
        let all = u128::from(self.n_characters) * u128::from(n_calls);
        let characters = all / u128::from(self.n_calls.max(1));
        Self {
            n_calls,
            n_characters: u64::try_from(characters).unwrap_or(u64::MAX),
            ..self
        }
    }
}

/// Some legal moves in the place of candidates: nobody asks an oracle for a game that
/// is not played.
fn supposed(board: &chess::Game, width: usize) -> Option<Candidates> {
    let presentation = Presentation {
        experiment: "",
        condition: "",
        repetition: 0,
        prompt: Digest::of(b""),
    };
    Candidates::of(board.position(), &board.legal_moves(), width, &presentation).ok()
}

fn chance(board: &chess::Game, ply: u64) -> Option<UciMove> {
    let legal = board.legal_moves();
    let usual = legal.iter().find(|uci| ply == 0 && uci.as_str() == FIRST);
    let label = format!("scoresheet thought game v1 {ply}\n");
    usual.copied().or_else(|| draw(&label, &legal))
}
