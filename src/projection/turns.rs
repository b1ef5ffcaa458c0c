//! Holding the events of a game against the rules of chess and the protocol.

use crate::chess::{self, Color, GameResult, Ply, Position, RejectionClass, Termination};
use crate::event::{
    CallSent, EventId, GameFinished, MoveAccepted, MoveRejected, PrivateBody, ProtocolPublished,
};
use crate::finding::{Code, Finding, Place};
use crate::projection::{Calls, Game, GameState, PlayedMove, RejectedAnswer};

/// The turn that an event of a game claims to be in.
struct Turn<'a> {
    event: EventId,
    ply: Ply,
    attempt: u64,
    call: Option<&'a EventId>,
}

/// Takes in an accepted move; says what is wrong with it.
pub(crate) fn accept(
    game: &mut Game,
    calls: &Calls,
    protocol: Option<&ProtocolPublished>,
    event: EventId,
    accepted: &MoveAccepted,
) -> Vec<Finding> {
    let turn = Turn {
        event,
        ply: accepted.ply,
        attempt: accepted.attempt.get(),
        call: accepted.call.as_ref(),
    };
    let mut findings = check_turn(game, calls, protocol, &turn);
    if let Some(board) = &mut game.board
        && let Err(illegal) = board.play(accepted.uci)
    {
        findings.push(Finding::new(
            Code::MoveIllegal,
            Place::event(*event.digest()),
            format!("a legal move in {}", board.fen()),
            illegal.to_string(),
        ));
        // What follows cannot be judged from here.
        game.board = None;
    }
    game.rejected_this_turn = 0;
    game.accepted += 1;
    game.moves.push(PlayedMove {
        id: event,
        call: accepted.call,
        uci: accepted.uci,
    });
    findings
}

/// Takes in a rejected answer; says what is wrong with it.
pub(crate) fn reject(
    game: &mut Game,
    calls: &Calls,
    protocol: Option<&ProtocolPublished>,
    event: EventId,
    rejected: &MoveRejected,
) -> Vec<Finding> {
    let turn = Turn {
        event,
        ply: rejected.ply,
        attempt: rejected.attempt.get(),
        call: rejected.call.as_ref(),
    };
    let mut findings = check_turn(game, calls, protocol, &turn);
    let Some(board) = &game.board else {
        return findings;
    };
    let judged = (rejected.class, rejected.extracted.as_str());
    findings.extend(misjudged(board.position(), event, judged, &rejected.bodies));
    let color = board.side_to_move();
    *game.rejections.get_mut(color) += 1;
    game.rejected.push(RejectedAnswer {
        id: event,
        call: rejected.call,
        ply: rejected.ply,
        attempt: rejected.attempt.get(),
        color,
        class: rejected.class,
        extracted: rejected.extracted.clone(),
    });
    game.rejected_this_turn += 1;
    findings
}

/// Judges the text again on which an answer was rejected.
///
/// That an answer was refused or cut off is about the reply, which is not public.
/// A text that was redacted is not the one that was judged.
pub(in crate::projection) fn misjudged(
    position: &Position,
    event: EventId,
    (class, extracted): (RejectionClass, &str),
    bodies: &[PrivateBody],
) -> Option<Finding> {
    let place = Place::event(*event.digest());
    let judged = position.judge(extracted);
    let expected = match (judged, class) {
        (Ok(uci), _) => {
            return Some(Finding::new(
                Code::MoveLegal,
                place,
                "an answer that is no legal move",
                format!("{uci} is legal in {}", position.fen()),
            ));
        }
        (Err(_), RejectionClass::Refused | RejectionClass::CutOff) => return None,
        (Err(expected), class) if expected == class => return None,
        (Err(expected), _) => expected,
    };
    let is_redacted = |body: &PrivateBody| {
        let redaction = body.redaction.as_ref();
        redaction.is_some_and(|redaction| redaction.field.as_str() == "extracted")
    };
    if bodies.iter().any(is_redacted) {
        return None;
    }
    Some(Finding::new(
        Code::RejectionDiffers,
        place,
        format!(
            "the class {expected}, which the text has in {}",
            position.fen()
        ),
        class.to_string(),
    ))
}

/// Checks that the event comes when it may, and from the call it claims.
fn check_turn(
    game: &Game,
    calls: &Calls,
    protocol: Option<&ProtocolPublished>,
    turn: &Turn<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |code, expected: String, found: String| {
        findings.push(Finding::new(
            code,
            Place::event(*turn.event.digest()),
            expected,
            found,
        ));
    };
    if game.state != GameState::Playing {
        find(
            Code::GameState,
            "a game that goes on".to_owned(),
            "one that has ended".to_owned(),
        );
        return findings;
    }
    let Some(board) = &game.board else {
        return findings;
    };
    if let Some((_, termination)) = protocol.and_then(|protocol| end_of(game, board, protocol)) {
        find(
            Code::GameState,
            format!("no answer after the game has ended by {termination}"),
            format!("an answer for ply {}", turn.ply),
        );
    }
    let (ply, attempt) = (board.ply().next(), game.next_attempt());
    if turn.ply != ply || turn.attempt != attempt {
        find(
            Code::GameState,
            format!("attempt {attempt} for ply {ply}"),
            format!("attempt {} for ply {}", turn.attempt, turn.ply),
        );
    }
    let Some(answer) = turn.call else {
        return findings;
    };
    let mover = board.side_to_move();
    if !calls.fits(answer, |sent| is_asked_for(sent, game, mover, turn)) {
        find(
            Code::CallState,
            format!(
                "a call for attempt {} of ply {} of this game, by the side to move",
                turn.attempt, turn.ply
            ),
            "a call for something else".to_owned(),
        );
    }
    findings
}

fn is_asked_for(sent: &CallSent, game: &Game, mover: Color, turn: &Turn<'_>) -> bool {
    sent.game == Some(game.id)
        && sent.ply == Some(turn.ply)
        && sent.attempt.get() == turn.attempt
        && sent.system == *game.seat(mover)
}

/// Returns the end that the moves and the protocol give, or nothing while the
/// game goes on.
///
/// Checkmate comes before every draw rule, a standard result before adjudication
/// and that before the ply cap, and a forfeit needs the last attempt of a turn to
/// be rejected.
pub fn end_of(
    game: &Game,
    board: &chess::Game,
    protocol: &ProtocolPublished,
) -> Option<(GameResult, Termination)> {
    if let Some(end) = board.natural_end() {
        return Some(end);
    }
    let adjudication = protocol.adjudication.as_ref();
    let adjudged = adjudication.and_then(|rule| game.streaks.result(rule, board.ply()));
    if let Some(result) = adjudged {
        return Some((result, Termination::Adjudication));
    }
    if protocol.attempts.get() <= game.rejected_this_turn {
        let winner = board.side_to_move().other();
        return Some((GameResult::win_for(winner), Termination::RejectedMoves));
    }
    (protocol.ply_cap.get() <= game.accepted).then_some((GameResult::Draw, Termination::PlyLimit))
}

/// Returns the end that the moves and the protocol give to a game that goes on.
pub(crate) fn given_end(
    game: &Game,
    protocol: Option<&ProtocolPublished>,
) -> Option<(GameResult, Termination)> {
    end_of(game, game.board.as_ref()?, protocol?)
}

/// Compares a recorded end with the one that the moves give.
pub(crate) fn check_finish(
    game: &Game,
    protocol: Option<&ProtocolPublished>,
    event: EventId,
    finished: &GameFinished,
) -> Vec<Finding> {
    let place = Place::event(*event.digest());
    if game.state != GameState::Playing {
        let expected = "a game that goes on";
        return vec![Finding::new(
            Code::GameState,
            place,
            expected,
            "one that has ended",
        )];
    }
    let mut findings = Vec::new();
    let accepted = game.accepted;
    if finished.plies.get() != accepted {
        findings.push(Finding::new(
            Code::ResultContradicted,
            place.clone(),
            format!("{accepted} plies"),
            format!("{} plies", finished.plies),
        ));
    }
    let (Some(board), Some(protocol)) = (&game.board, protocol) else {
        return findings;
    };
    let recorded = format!("{} by {}", finished.result, finished.termination);
    match end_of(game, board, protocol) {
        Some((result, termination))
            if (result, termination) == (finished.result, finished.termination) => {}
        Some((result, termination)) => findings.push(Finding::new(
            Code::ResultContradicted,
            place,
            format!("{result} by {termination}"),
            recorded,
        )),
        None => findings.push(Finding::new(
            Code::ResultContradicted,
            place,
            format!("a game that goes on in {}", board.fen()),
            recorded,
        )),
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fen, Rules, Score, Variant};
    use crate::event::{
        AdjudicationRule, AssistanceKind, ColorRule, Context, Conversation, FailedRequest,
        FailedRequestPolicy, GameStarted, Pairing, Seats, Stage, Start, StartRule, Stretch,
    };

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn protocol(ply_cap: u32, attempts: u32) -> ProtocolPublished {
        ProtocolPublished {
            adjudication: None,
            anchored: None,
            grading: None,
            attempts: attempts.into(),
            candidate_help: AssistanceKind::None,
            colors: ColorRule::OnceEach,
            context: Context::GameMoves,
            conversation: Conversation::None,
            failed_request: FailedRequest {
                policy: FailedRequestPolicy::ReplayCell,
                replays_max: None,
                retries_max: None,
            },
            glicko2: None,
            ladder: None,
            legal_moves_listed: false,
            name: "rules".parse().unwrap(),
            oracle: None,
            pairing: Pairing::Pool,
            ply_cap: ply_cap.into(),
            prompts: Vec::new(),
            rules: Rules::ChessJs14,
            start: StartRule::Standard,
        }
    }

    fn game(fen: &str, moves: &str) -> Game {
        let [black, white, protocol, id] =
            [b"black", b"white", b"rules", b"game."].map(|line| EventId::of(line));
        let fen: Fen = fen.parse().unwrap();
        let variant = Variant::Standard;
        Game {
            id,
            index: 0,
            started_at: crate::canonical::Time::EPOCH,
            started: GameStarted {
                billing: None,
                draw: None,
                cell: None,
                opening: None,
                protocol,
                seats: Seats { black, white },
                stage: Stage::Placement,
                start: Start { fen, variant },
            },
            state: GameState::Playing,
            accepted: u64::try_from(moves.split_whitespace().count()).unwrap(),
            rejections: crate::projection::ByColor::default(),
            moves: moves
                .split_whitespace()
                .map(|uci| PlayedMove {
                    id,
                    call: None,
                    uci: uci.parse().unwrap(),
                })
                .collect(),
            rejected: Vec::new(),
            resources: crate::projection::ByColor::default(),
            era: None,
            at_start: None,
            is_excluded: false,
            recorded_end: None,
            corrected_by: None,
            given_end: None,
            board: None,
            endgame: None,
            abort_reason: None,
            rejected_this_turn: 0,
            streaks: crate::projection::Streaks::default(),
        }
    }

    /// How the game ends where the last move is the one that reaches the cap.
    fn end_at_cap(fen: &str, moves: &str) -> Option<(GameResult, Termination)> {
        let game = game(fen, moves);
        let board = game.replay(Rules::ChessJs14).unwrap();
        let cap = u32::try_from(game.moves.len()).unwrap();
        let end = end_of(&game, &board, &protocol(cap, 1));
        let natural = end.filter(|(_, termination)| *termination != Termination::PlyLimit);
        // The cap changes nothing about an end that chess gives.
        assert_eq!(end_of(&game, &board, &protocol(cap + 1, 1)), natural);
        end
    }

    #[test]
    fn on_one_ply_mate_comes_before_every_draw_and_chess_before_the_cap() {
        let draw = |termination| Some((GameResult::Draw, termination));
        let mate = |result| Some((result, Termination::Checkmate));
        let fools_mate = "f2f3 e7e5 g2g4 d8h4";
        assert_eq!(end_at_cap(START, fools_mate), mate(GameResult::BlackWins));
        let hundredth = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80";
        assert_eq!(end_at_cap(hundredth, "a1a8"), mate(GameResult::WhiteWins));
        assert_eq!(end_at_cap(hundredth, "a1a7"), draw(Termination::FiftyMoves));
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        assert_eq!(
            end_at_cap(START, shuffle),
            draw(Termination::ThreefoldRepetition)
        );
        let stalemate = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
        assert_eq!(end_at_cap(stalemate, "f1f7"), draw(Termination::Stalemate));
        let bare = "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1";
        assert_eq!(
            end_at_cap(bare, "e1d2"),
            draw(Termination::InsufficientMaterial)
        );
        assert_eq!(end_at_cap(START, "e2e4"), draw(Termination::PlyLimit));
    }

    #[test]
    fn adjudication_comes_after_chess_and_before_the_cap() {
        let rule = AdjudicationRule {
            analyst: EventId::of(b"analyst"),
            level: None,
            win: Some(Stretch {
                cp: 1000_u32.into(),
                positions: 1_u32.into(),
            }),
        };
        let end = |moves: &str| {
            let mut game = game(START, moves);
            let board = game.replay(Rules::ChessJs14).unwrap();
            let won = Some(Score::Centipawns(2000));
            game.streaks
                .take(&rule, board.ply(), board.side_to_move(), won);
            let adjudicated = ProtocolPublished {
                adjudication: Some(rule),
                ..protocol(u32::try_from(game.moves.len()).unwrap(), 1)
            };
            end_of(&game, &board, &adjudicated).unwrap()
        };
        // The side to move is far ahead, whatever the board says.
        assert_eq!(
            end("e2e4"),
            (GameResult::BlackWins, Termination::Adjudication)
        );
        let mated = (GameResult::BlackWins, Termination::Checkmate);
        assert_eq!(end("f2f3 e7e5 g2g4 d8h4"), mated);
        let repeated = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        assert_eq!(
            end(repeated),
            (GameResult::Draw, Termination::ThreefoldRepetition)
        );
    }

    /// The code of what is wrong with a rejection in the start position.
    fn found(class: &str, extracted: &str, bodies: serde_json::Value) -> Option<Code> {
        let board = game(START, "").replay(Rules::ChessJs14).unwrap();
        let mut rejected = serde_json::json!({
            "attempt": 1, "class": class, "extracted": extracted,
            "game": EventId::of(b"game."), "ply": 1,
        });
        if bodies != serde_json::json!([]) {
            rejected["bodies"] = bodies;
        }
        let rejected: MoveRejected = serde_json::from_value(rejected).unwrap();
        let judged = (rejected.class, rejected.extracted.as_str());
        let event = EventId::of(b"rejected");
        misjudged(board.position(), event, judged, &rejected.bodies).map(|finding| finding.code)
    }

    #[test]
    fn a_class_is_judged_again_where_the_public_text_is_what_was_judged() {
        let none = || serde_json::json!([]);
        for (class, extracted, code) in [
            ("unreachable", "e2e5", None),
            ("blocked", "e2e5", Some(Code::RejectionDiffers)),
            ("wrong_format", "E2E4", None),
            ("unparseable", "E2E4", Some(Code::RejectionDiffers)),
            ("empty", "", None),
            ("empty", "e2e5", Some(Code::RejectionDiffers)),
            ("unparseable", "", Some(Code::RejectionDiffers)),
            ("refused", "", None),
            ("cut_off", "e2e5", None),
            ("cut_off", "e2e4", Some(Code::MoveLegal)),
            ("wrong_side", "e2e4", Some(Code::MoveLegal)),
        ] {
            assert_eq!(found(class, extracted, none()), code, "{class} {extracted}");
        }
        let body = |redaction: Option<serde_json::Value>| {
            let mut body = serde_json::json!({
                "bytes": 297, "role": "response", "sha256": EventId::of(b"sealed"),
                "unit": EventId::of(b"game."),
            });
            if let Some(redaction) = redaction {
                body["role"] = "redacted".into();
                body["redaction"] = redaction;
            }
            serde_json::json!([body])
        };
        let redaction = serde_json::json!({
            "commitment": EventId::of(b"key"), "field": "extracted", "rules": ["groq"],
        });
        assert_eq!(found("unparseable", "e2...", body(Some(redaction))), None);
        assert_eq!(
            found("ambiguous", "x", body(None)),
            Some(Code::RejectionDiffers)
        );
    }

    #[test]
    fn the_last_attempt_forfeits_for_the_side_to_move_and_no_earlier_one() {
        for (moves, winner) in [("", GameResult::BlackWins), ("e2e4", GameResult::WhiteWins)] {
            let mut game = game(START, moves);
            let board = game.replay(Rules::ChessJs14).unwrap();
            let ends: Vec<_> = (0..=3)
                .map(|rejected| {
                    game.rejected_this_turn = rejected;
                    end_of(&game, &board, &protocol(40, 3))
                })
                .collect();
            let forfeit = Some((winner, Termination::RejectedMoves));
            assert_eq!(ends, [None, None, None, forfeit]);
        }
    }
}
