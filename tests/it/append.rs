//! What `append` takes in, what it refuses, and that a refusal leaves no trace.

use scoresheet::canonical::Time;
use scoresheet::digest::Digest;
use scoresheet::event::{
    CheckpointRef, CohortFrozen, Event, EventId, EvidenceStatus, GameFinished, LedgerOpened,
    MoveAccepted, RecoveryCause, RecoveryRecorded, ReleasePublished, Verified, What,
};

use crate::arena::Arena;
use crate::ledger::expenses;

fn line(what: impl Into<What>) -> String {
    let event = Event {
        at: Time::from_unix_ms(1).unwrap(),
        by: "me".parse().unwrap(),
        what: what.into(),
    };
    Verified::write(event).unwrap().line().to_owned()
}

/// Offers these lines, which must be refused without a trace.
#[track_caller]
fn refused(arena: &Arena, lines: &str, because: &str) {
    let before = arena.files();
    let file = arena.write("lines.jsonl", lines);
    let file = file.to_str().unwrap();
    arena.call(&["append", file]).ends_with(2).says(because);
    assert_eq!(arena.files(), before);
}

fn nowhere() -> EventId {
    EventId::of(b"no event")
}

fn a_move(game: EventId) -> MoveAccepted {
    MoveAccepted {
        attempt: 1_u32.into(),
        call: None,
        game,
        ply: scoresheet::chess::Ply(1),
        uci: "e2e4".parse().unwrap(),
    }
}

#[test]
fn what_contradicts_the_ledger_is_refused_and_taken_only_when_asked_for() {
    let arena = Arena::new();
    let opening = arena.append(scoresheet::event::ExpenseRecorded {
        amount_usd: "1".parse().unwrap(),
        category: scoresheet::event::ExpenseCategory::Other,
        note: "a bill".to_owned(),
    });
    refused(&arena, &line(a_move(nowhere())), "which is not there");
    refused(&arena, &line(a_move(opening)), "names a expense.recorded");
    let good = line(scoresheet::event::ExpenseRecorded {
        amount_usd: "2".parse().unwrap(),
        category: scoresheet::event::ExpenseCategory::Other,
        note: "another".to_owned(),
    });
    // A good line before a bad one stays out too.
    refused(
        &arena,
        &format!("{good}\n{}\n", line(a_move(nowhere()))),
        "line 2",
    );
    let file = arena.write("lines.jsonl", &line(a_move(nowhere())));
    arena
        .call(&["append", "--with-findings", file.to_str().unwrap()])
        .ends_with(0)
        .says("contradicts the ledger");
    arena
        .call(&["verify"])
        .ends_with(1)
        .says("dangling-reference");
}

#[test]
fn a_line_that_a_sealed_segment_holds_is_refused() {
    let arena = Arena::new();
    let lines: Vec<_> = expenses(0, 4200)
        .iter()
        .map(|event| event.line().to_owned())
        .collect();
    let file = arena.write("many.jsonl", &lines.join("\n"));
    arena.call(&["append", file.to_str().unwrap()]).ends_with(0);
    refused(&arena, &lines[5], "the same line again");
}

#[test]
fn an_input_of_many_blocks_goes_in_whole_or_not_at_all() {
    let arena = Arena::new();
    // 24 MB: more than stays in memory, in six blocks.
    let bill = |number: usize| {
        line(scoresheet::event::ExpenseRecorded {
            amount_usd: "1".parse().unwrap(),
            category: scoresheet::event::ExpenseCategory::Other,
            note: format!("{number} {}", "a long bill ".repeat(3400)),
        })
    };
    let mut lines: Vec<_> = (0..600).map(bill).collect();
    let last = std::mem::replace(&mut lines[599], "nonsense".to_owned());
    refused(&arena, &lines.join("\n"), "line 600, column 1");
    lines[599] = lines[3].clone();
    refused(&arena, &lines.join("\n"), "line 600 contradicts");
    lines[599] = last;
    let file = arena.write("many.jsonl", &lines.join("\n"));
    arena
        .call(&["append", file.to_str().unwrap()])
        .ends_with(0)
        .says("appended 600 events from index 1; the ledger has 601 events");
    arena.call(&["verify"]).ends_with(0);
    arena.call(&["verify", "--hashes"]).ends_with(0);
}

#[test]
fn nothing_makes_a_line_stand_twice() {
    let arena = Arena::new();
    let good = line(scoresheet::event::ExpenseRecorded {
        amount_usd: "2".parse().unwrap(),
        category: scoresheet::event::ExpenseCategory::Other,
        note: "a bill".to_owned(),
    });
    let file = arena.write("twice.jsonl", &format!("{good}\n{good}\n"));
    let before = arena.files();
    for flags in [vec![], vec!["--with-findings"]] {
        let words = [vec!["append"], flags, vec![file.to_str().unwrap()]].concat();
        arena
            .call(&words)
            .ends_with(2)
            .says("line 2 contradicts the ledger; nothing was appended\n");
        assert_eq!(arena.files(), before);
    }
}

#[test]
fn facts_that_a_command_makes_are_not_appended_by_hand() {
    let arena = Arena::new();
    let checkpoint = CheckpointRef {
        root: Digest::of(b""),
        size: 1_u32.into(),
    };
    let facts: [What; 4] = [
        LedgerOpened {
            origin: "example.org/other".parse().unwrap(),
        }
        .into(),
        RecoveryRecorded {
            bytes: 1_u32.into(),
            cause: RecoveryCause::TornTail,
            rolled_forward: None,
            sha256: Digest::of(b"x"),
        }
        .into(),
        CohortFrozen {
            checkpoint,
            cohort: "cup".parse().unwrap(),
            label: None,
            manifest: Digest::of(b"x"),
            schedule: nowhere(),
            supersedes: None,
        }
        .into(),
        ReleasePublished {
            audit: Digest::of(b"x"),
            bundle: Digest::of(b"x"),
            checkpoint,
            evidence_status: EvidenceStatus::Confirmatory,
            release: "champion".parse().unwrap(),
            specification: Digest::of(b"x"),
            supersedes: None,
        }
        .into(),
    ];
    for what in facts {
        let name = what.kind().name;
        refused(&arena, &line(what), &format!("{name} is written by"));
    }
}

#[test]
fn a_second_result_is_refused() {
    let evidence = crate::evidence::Evidence::new();
    let (projection, _) = evidence.project();
    let game = projection
        .games
        .iter()
        .find(|game| game.result().is_some())
        .unwrap();
    let finished = line(GameFinished {
        game: game.id,
        plies: scoresheet::canonical::Count::saturating(game.moves.len()),
        result: game.result().unwrap(),
        termination: game.termination().unwrap(),
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines.jsonl");
    std::fs::write(&file, finished).unwrap();
    let ran = crate::program::scoresheet(&evidence.path(), &["append", file.to_str().unwrap()]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("a game that goes on"), "{}", ran.stderr);
}

#[test]
fn a_reader_that_has_gone_changes_no_verdict() {
    let arena = Arena::new();
    arena.append(a_move(nowhere()));
    let program = env!("CARGO_BIN_EXE_scoresheet");
    let ledger = arena.bench.path();
    // The reader is gone before the first byte.
    let script = format!(
        "set -o pipefail; (sleep 0.2; exec '{program}' --ledger '{}' verify) | true",
        ledger.display()
    );
    let done = std::process::Command::new("bash")
        .args(["-c", &script])
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn an_interruption_is_recovered_once_without_an_append() {
    let arena = Arena::new();
    let segment = arena.bench.path().join("events/000000.jsonl");
    let mut bytes = std::fs::read(&segment).unwrap();
    bytes.extend(b"{\"at\":");
    std::fs::write(&segment, bytes).unwrap();
    arena
        .call(&["verify"])
        .ends_with(1)
        .says("scoresheet recover");
    arena
        .call(&["recover"])
        .ends_with(0)
        .says("recorded 1 interruption; the ledger has 2 events");
    arena.call(&["verify"]).ends_with(0);
    let before = arena.files();
    arena
        .call(&["recover"])
        .ends_with(0)
        .says("nothing to recover");
    assert_eq!(arena.files(), before);
}

#[test]
fn output_is_never_written_over_a_file_or_into_the_ledger() {
    let arena = Arena::new();
    let mine = arena.write("mine", "notes");
    let ledger = arena.bench.path();
    let head = ledger.join("head");
    let inside = ledger.join("new");
    let before = arena.files();
    for (target, because) in [
        (&mine, "is there already"),
        (&head, "inside the ledger"),
        (&inside, "inside the ledger"),
    ] {
        let target = target.to_str().unwrap();
        arena
            .call(&["prove", "0", "--out", target])
            .ends_with(2)
            .says(because);
        arena
            .call(&["export", "pgn", "--output", target])
            .ends_with(2);
    }
    let tiles = inside.to_str().unwrap();
    arena
        .call(&["ledger", "export", tiles])
        .ends_with(2)
        .says("inside the ledger");
    assert_eq!(arena.files(), before);
    assert_eq!(std::fs::read(mine).unwrap(), b"notes");
}
