use scoresheet::chess::{RejectionClass, Variant, chess960_start};
use scoresheet::digest::Digest;
use scoresheet::run::prompts::{
    Actions, Anchored, Candidates, Chessbench, Conversation, Feedback, Message, MovesSoFar,
    Presentation, Puzzle, PuzzlePrompt, Retry, Role, StateForm, ToolCall, TrackA, Window,
};

use crate::prompts::{game, shown, standard};

pub(crate) const CHESSBENCH: Chessbench = Chessbench {
    attempts: 3,
    has_checklist: true,
};
pub(crate) const ANCHORED: Anchored = Anchored { attempts: 3 };
pub(crate) const TRACK_A: TrackA = TrackA {
    state: StateForm::FenAndMoves,
    actions: Actions::Candidates(3),
    feedback: Feedback::Reason,
    attempts: 2,
};

const RETRY: Retry<'_> = Retry {
    class: RejectionClass::Blocked,
    extracted: "f1c4",
    attempt: 2,
};
const ITALIAN: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6";
/// White promoted to a queen on b8, Black to a knight on g1.
const PROMOTED: &str = "a2a4 h7h5 a4a5 h5h4 a5a6 h4h3 a6b7 h3g2 b7a8q g2h1n a8b8 h1f2";
const EN_PASSANT: &str = "e2e4 a7a6 e4e5 d7d5";
/// White has lost the right on one side and Black both.
const CASTLES: &str = "e2e4 e7e5 g1f3 e8e7 f1e2 e7e8 h1f1 g8f6 f1h1 f8e7";

/// Every case: its name, and what is sent.
pub(crate) fn cases() -> Vec<(&'static str, String)> {
    [chessbench(), anchored(), track_a(), puzzles()].concat()
}

/// A conversation that begins with this turn.
fn opened(moves: &str) -> Conversation {
    let mut talk = CHESSBENCH.conversation();
    talk.begin(CHESSBENCH.turn(&standard(moves), &mut MovesSoFar::default()));
    talk
}

fn chessbench() -> Vec<(&'static str, String)> {
    let first = |moves: &str| shown(opened(moves).messages());
    let mut plain = Chessbench {
        has_checklist: false,
        ..CHESSBENCH
    }
    .conversation();
    plain.begin(CHESSBENCH.turn(&standard(""), &mut MovesSoFar::default()));
    vec![
        ("chessbench-v3/first-move-as-white", first("")),
        ("chessbench-v3/first-reply-as-black", first("e2e4")),
        ("chessbench-v3/later-turn", first(ITALIAN)),
        ("chessbench-v3/promoted-pieces", first(PROMOTED)),
        ("chessbench-v3/en-passant", first(EN_PASSANT)),
        ("chessbench-v3/castling-rights", first(CASTLES)),
        ("chessbench-v3/without-checklist", shown(plain.messages())),
        ("chessbench-v3/after-a-rejection", rejected_text()),
        (
            "chessbench-v3/tool-calls-and-reasoning",
            rejected_tool_call(),
        ),
        ("chessbench-v3/pruned-at-the-limit", pruned()),
    ]
}

/// A bare reply that was no move, and the second attempt.
fn rejected_text() -> String {
    let mut talk = opened("");
    talk.reply(Message::new(Role::Assistant, "f1c4"), None);
    assert!(!talk.conclude("nobody called a tool"));
    talk.ask_again(CHESSBENCH.again(&standard(""), &mut MovesSoFar::default(), &RETRY));
    shown(talk.messages())
}

fn submitted(id: &str, uci: &str) -> Message {
    Message {
        tool_calls: vec![ToolCall {
            id: id.to_owned(),
            name: Chessbench::TOOL_NAME.to_owned(),
            arguments: format!("{{\"move\":\"{uci}\"}}"),
        }],
        items: vec![format!(
            "{{\"type\":\"reasoning\",\"id\":\"rs_{id}\",\"encrypted_content\":\"...\"}}"
        )],
        ..Message::new(Role::Assistant, "")
    }
}

/// A tool call that was no move, one that was, and the next turn.
fn rejected_tool_call() -> String {
    let mut talk = opened("");
    talk.reply(submitted("call_1", "f1c4"), Some(700));
    assert!(talk.conclude(&CHESSBENCH.rejected(&RETRY)));
    talk.ask_again(CHESSBENCH.again(&standard(""), &mut MovesSoFar::default(), &RETRY));
    talk.reply(submitted("call_2", "e2e4"), Some(1500));
    assert!(talk.conclude(&CHESSBENCH.accepted("e2e4".parse().unwrap())));
    talk.begin(CHESSBENCH.turn(&standard("e2e4 e7e5"), &mut MovesSoFar::default()));
    shown(talk.messages())
}

/// The fourth turn in a window in which four do not fit.
fn pruned() -> String {
    let mut talk = CHESSBENCH.conversation();
    let moves: Vec<_> = ITALIAN.split(' ').collect();
    for turn in (0..moves.len()).step_by(2) {
        talk.begin(CHESSBENCH.turn(
            &standard(&moves[..turn].join(" ")),
            &mut MovesSoFar::default(),
        ));
        talk.reply(Message::new(Role::Assistant, moves[turn]), None);
    }
    talk.begin(CHESSBENCH.turn(&standard(ITALIAN), &mut MovesSoFar::default()));
    let window = Window {
        tokens: 3000,
        output: 1000,
    };
    let pruned = talk.pruned(window);
    assert!(0 < pruned.removed && pruned.is_roomy);
    format!(
        "{} turns, {} tokens by our rule, {} kept for the answer, in a window of {}.\n\
         {} turns are removed, {} tokens are left.\n\n{}",
        talk.turns().len(),
        talk.size(),
        window.output,
        window.tokens,
        pruned.removed,
        pruned.conversation.size(),
        shown(pruned.conversation.messages())
    )
}

fn anchored() -> Vec<(&'static str, String)> {
    let request = |moves: &str, retry| shown(&ANCHORED.request(&standard(moves), retry));
    let start = chess960_start(0).unwrap();
    let chess960 = game(start.as_str(), Variant::Chess960, "f2f4 f7f5 d1f2 d8f7");
    vec![
        ("anchored/first-move-as-white", request("", None)),
        ("anchored/first-reply-as-black", request("e2e4", None)),
        ("anchored/after-a-rejection", request("", Some(&RETRY))),
        ("anchored/promoted-pieces", request(PROMOTED, None)),
        ("anchored/en-passant", request(EN_PASSANT, None)),
        ("anchored/castling-rights", request(CASTLES, None)),
        (
            "anchored/chess960",
            shown(&ANCHORED.request(&chess960, None)),
        ),
    ]
}

/// Three candidates of five after a frozen opening of four plies.
fn candidates() -> Candidates {
    let record = ["f1c4", "f1b5", "d2d4", "b1c3", "f1e2"].map(|uci| uci.parse().unwrap());
    let presentation = Presentation {
        experiment: "pilot-1",
        condition: "top-3",
        repetition: 1,
        prompt: Digest::of(b"prompts"),
    };
    let game = standard("e2e4 e7e5 g1f3 b8c6");
    Candidates::of(game.position(), &record, 3, &presentation).unwrap()
}

fn track_a() -> Vec<(&'static str, String)> {
    let game = standard("e2e4 e7e5 g1f3 b8c6");
    let candidates = candidates();
    let with = |state, actions, retry| {
        let prompts = TrackA {
            state,
            actions,
            ..TRACK_A
        };
        shown(&prompts.request(&game, 4, Some(&candidates), retry).unwrap())
    };
    let notice = TrackA {
        feedback: Feedback::Notice,
        actions: Actions::None,
        ..TRACK_A
    };
    let notice = notice.request(&game, 4, None, Some(&RETRY)).unwrap();
    // A width that is declared is held to.
    let wide = TrackA {
        actions: Actions::Candidates(4),
        ..TRACK_A
    };
    assert!(wide.request(&game, 4, Some(&candidates), None).is_err());
    assert!(wide.request(&game, 4, None, None).is_err());
    let castles = TrackA {
        state: StateForm::Board,
        actions: Actions::Listed,
        ..TRACK_A
    };
    let castles = castles.request(&standard(CASTLES), 2, None, None).unwrap();
    vec![
        ("track-a/fen", with(StateForm::Fen, Actions::None, None)),
        ("track-a/moves", with(StateForm::Moves, Actions::None, None)),
        (
            "track-a/both-and-legal-moves",
            with(StateForm::FenAndMoves, Actions::Listed, None),
        ),
        (
            "track-a/candidates",
            with(StateForm::FenAndMoves, Actions::Candidates(3), None),
        ),
        ("track-a/board", shown(&castles)),
        (
            "track-a/after-a-rejection",
            with(StateForm::Board, Actions::Candidates(3), Some(&RETRY)),
        ),
        ("track-a/after-a-rejection-without-reason", shown(&notice)),
    ]
}

fn puzzles() -> Vec<(&'static str, String)> {
    let ask = |prompt: &PuzzlePrompt, fen: &str, tactic, plies| {
        let game = game(fen, Variant::Standard, "");
        let position = game.position();
        shown(&prompt.request(&Puzzle {
            position,
            tactic,
            plies,
        }))
    };
    let mate = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1";
    let two = "6k1/5ppp/8/8/8/1r6/r4PPP/5K2 b - - 0 1";
    let ours = PuzzlePrompt::default();
    let published = PuzzlePrompt::default()
        .with_system("Somebody's rules, to the byte.\n  {\"braces\": 1}\n")
        .and_then(|prompt| {
            prompt.with_puzzle("{{side}} plays {{plies}} ({{tactic}}):\n{{fen}}\n{{board}}")
        });
    vec![
        ("puzzles/mate-in-one", ask(&ours, mate, "mate in 1", 1)),
        (
            "puzzles/mate-in-two-as-black",
            ask(&ours, two, "mate in 2", 3),
        ),
        (
            "puzzles/published-prompt",
            ask(&published.unwrap(), mate, "mate in 1", 1),
        ),
    ]
}
