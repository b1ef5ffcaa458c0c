//! What is private can be erased, nothing else can, and nothing is left of it.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use scoresheet::finding::{Code, any_blocker};
use scoresheet::ledger::{PrivateStore, SystemKeys, verify};

use crate::bundle::{Bundle, Outcome};
use crate::mortal::{Mortal, Part};
use crate::story::{event, story};
use crate::vault::{
    BODIES, Fixed, append, converse, end, erase_all, folder, game, named, sent, start, vault,
};

fn erase(bundle: &Bundle) -> Outcome {
    bundle.run(&[
        "erase",
        &game().to_string()[..12],
        "--reason",
        "the game has ended",
        "--time",
        crate::story::TIME,
        "--by",
        "t",
    ])
}

/// What no file may hold any more: the key, and every part of a sealed body
/// that its nonce or a block of ciphertext tells from chance.
fn traces(bundle: &Bundle) -> Vec<Vec<u8>> {
    let inside = bundle.files().into_iter();
    let files = inside.filter(|(path, _)| path.starts_with(&folder()));
    let traces: Vec<_> = files
        .flat_map(|(_, bytes)| bytes.chunks(16).map(<[u8]>::to_vec).collect::<Vec<_>>())
        .filter(|chunk| chunk.len() == 16)
        .collect();
    assert!(3 * 16 < traces.len());
    traces
}

#[track_caller]
fn nothing_is_left(bundle: &Bundle, traces: &[Vec<u8>]) {
    for (path, bytes) in bundle.files() {
        assert!(!path.starts_with(&folder()), "{path}");
        let windows: BTreeSet<&[u8]> = bytes.windows(16).collect();
        assert!(
            !traces.iter().any(|trace| windows.contains(&trace[..])),
            "{path}"
        );
        for (_, text) in BODIES.iter().filter(|(_, text)| 10 < text.len()) {
            assert!(!String::from_utf8_lossy(&bytes).contains(text), "{path}");
        }
    }
}

fn n_erasures(bundle: &Bundle) -> usize {
    let segment = String::from_utf8(bundle.read("ledger/events/000000.jsonl")).unwrap();
    segment.matches("private.erased").count()
}

#[test]
fn an_erased_game_keeps_every_public_line_and_no_private_byte() {
    let bundle = vault();
    let traces = traces(&bundle);
    let before = bundle.read("ledger/events/000000.jsonl");
    let done = erase(&bundle);
    assert_eq!(done.code, 0, "{}", done.out);
    assert!(done.out.contains("4 files destroyed"), "{}", done.out);
    nothing_is_left(&bundle, &traces);
    let after = bundle.read("ledger/events/000000.jsonl");
    assert!(after.starts_with(&before));
    let said = String::from_utf8_lossy(&after[before.len()..]).into_owned();
    let digests = named(&bundle);
    let digests = digests.iter().map(|body| body.sha256.to_string() + "\n");
    let list: String = digests.collect();
    let digest = scoresheet::digest::Digest::of(list.as_bytes());
    assert!(
        said.contains(&format!(
            "\"bodies\":3,\"reason\":\"the game has ended\",\"sha256\":\"{digest}\""
        )),
        "{said}"
    );
    let verified = bundle.must(&["verify"]);
    assert!(
        verified.contains("private bodies: 0 present, 3 erased, 0 missing"),
        "{verified}"
    );
    let listed = bundle.must(&["bodies", &game().to_string()]);
    assert_eq!(listed.matches("| erased").count(), 3, "{listed}");
    // Once more changes nothing.
    let files = bundle.files();
    let again = erase(&bundle);
    assert!(again.out.contains("nothing to erase"), "{}", again.out);
    assert!(bundle.files() == files);
}

#[test]
fn while_the_game_goes_on_nothing_is_erased() {
    let bundle = Bundle::played();
    start(&bundle);
    converse(&bundle.disk(), &SystemKeys).unwrap();
    let files = bundle.files();
    let words = ["erase", &game().to_string(), "--reason", "x"];
    assert_eq!(bundle.run(&words).code, 2);
    let (_, err) = bundle.program(&words);
    assert!(err.contains("goes on"), "{err}");
    let dry = [&words[..], &["--dry-run"]].concat();
    assert_eq!(bundle.run(&dry).code, 2);
    assert!(bundle.files() == files);
    end(&bundle);
    let line = bundle.must(&dry);
    assert!(line.contains("\"kind\":\"private.erased\""), "{line}");
    assert_eq!(
        verify(&bundle.disk(), &|_, _| (), &mut |_, _| ())
            .unwrap()
            .private
            .present,
        3
    );
    bundle.must(&words);
}

#[test]
fn moves_results_costs_and_calls_have_no_way_to_be_erased() {
    let bundle = vault();
    let before = bundle.files();
    for game in &story().games {
        let words = ["erase", &game.to_string(), "--reason", "a bad result"];
        let said = bundle.must(&words);
        assert!(
            said.contains("no private bodies: nothing to erase"),
            "{said}"
        );
    }
    // Neither a system nor a call is a game.
    for id in [story().systems[0], story().schedule] {
        assert_eq!(
            bundle
                .run(&["erase", &id.to_string(), "--reason", "x"])
                .code,
            2
        );
    }
    assert!(bundle.files() == before);
}

#[test]
fn an_erasure_is_not_appended_by_hand_nor_made_where_the_bodies_are_not() {
    let bundle = vault();
    let erased = event(crate::vault::erasure(&bundle.disk()).unwrap());
    bundle.write("lines", erased.line().as_bytes());
    let lines = bundle.at("lines");
    let (_, err) = bundle.program(&["append", lines.to_str().unwrap()]);
    assert!(err.contains("written by scoresheet erase"), "{err}");
    std::fs::remove_dir_all(bundle.at("ledger/private")).unwrap();
    let words = ["erase", &game().to_string(), "--reason", "x"];
    let (_, err) = bundle.program(&words);
    assert!(
        err.contains("3 private bodies of game") && err.contains("not in this copy"),
        "{err}"
    );
    // What is lost for good can be said to be.
    std::fs::create_dir(bundle.at("ledger/private")).unwrap();
    assert_eq!(bundle.run(&["verify"]).code, 1);
    bundle.must(&words);
    bundle.must(&["verify"]);
    assert_eq!(n_erasures(&bundle), 1);
}

#[test]
fn what_is_named_after_an_erasure_is_erased_by_another_one() {
    let bundle = vault();
    erase_all(&bundle.disk()).unwrap();
    let disk = bundle.disk();
    let store = PrivateStore::new(&disk, &SystemKeys);
    let late = store.seal(&game(), BODIES[0].0, b"a late answer").unwrap();
    append(&disk, &[event(sent(vec![late]))]).unwrap();
    let verified = bundle.must(&["verify"]);
    assert!(verified.contains("1 present, 3 erased"), "{verified}");
    erase(&bundle);
    let verified = bundle.must(&["verify"]);
    assert!(verified.contains("0 present, 4 erased"), "{verified}");
    assert_eq!(n_erasures(&bundle), 2);
}

/// Kills whoever erases at each change of the disk, after this part of it.
fn kill_while_erasing(last: Part) {
    let (mut n_left, mut n_whole) = (0, 0);
    for changes in 1.. {
        let bundle = vault();
        let traces = traces(&bundle);
        let is_done = erase_all(&Mortal::new(bundle.disk(), changes, last)).is_ok();
        let verification = verify(&bundle.disk(), &|_, _| (), &mut |_, _| ()).unwrap();
        let found: BTreeSet<_> = verification.findings.iter().map(|f| f.code).collect();
        let expected = [Code::HeadSlot, Code::UnacknowledgedTail, Code::PrivateLeft];
        assert!(
            found.is_subset(&expected.into()),
            "change {changes}: {found:?}"
        );
        let (left, whole) = (
            found.contains(&Code::PrivateLeft),
            verification.private.present == 3,
        );
        assert!(!(left && whole), "change {changes}");
        n_left += usize::from(left);
        // Without the key the rest is noise, so the key goes first.
        let has = |name: &str| bundle.at(&format!("{}/{name}", folder())).exists();
        let bodies = named(&bundle);
        let n_bodies = bodies.iter().filter(|body| has(&body.sha256.to_string()));
        assert!(n_bodies.count() == 3 || !has("key"), "change {changes}");
        n_whole += usize::from(whole);
        erase_all(&bundle.disk()).unwrap();
        nothing_is_left(&bundle, &traces);
        assert_eq!(n_erasures(&bundle), 1, "change {changes}");
        let verification = verify(&bundle.disk(), &|_, _| (), &mut |_, _| ()).unwrap();
        assert!(
            !any_blocker(&verification.findings),
            "{:?}",
            verification.findings
        );
        assert_eq!(verification.private.erased, 3);
        if is_done {
            break;
        }
    }
    assert!(3 < n_left && 0 < n_whole, "{n_left} left, {n_whole} whole");
}

#[test]
fn killed_in_any_change_of_the_disk_an_erasure_is_completed_by_another() {
    kill_while_erasing(Part::Third);
}

#[test]
fn killed_after_any_change_of_the_disk_an_erasure_is_completed_by_another() {
    kill_while_erasing(Part::Whole);
}

#[test]
fn a_key_is_overwritten_before_it_is_unlinked() {
    let bundle = vault();
    // Whoever has the file open sees what became of its bytes.
    let mut key = std::fs::File::open(bundle.at(&format!("{}/key", folder()))).unwrap();
    erase_all(&bundle.disk()).unwrap();
    let mut bytes = Vec::new();
    key.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, [0; 40]);
}

/// What somebody puts in the way of an erasure, given the unit's folder and a
/// place outside the ledger.
type Obstacle = fn(&Path, &Path);

#[test]
fn an_erasure_that_would_destroy_more_or_less_is_refused_before_anything_is_said() {
    let obstacles: [Obstacle; 5] = [
        |unit, outside| {
            std::fs::rename(unit, outside).unwrap();
            std::os::unix::fs::symlink(outside, unit).unwrap();
        },
        |unit, _| std::fs::create_dir(unit.join("keep")).unwrap(),
        |unit, outside| {
            std::fs::write(outside, b"a thesis").unwrap();
            std::fs::hard_link(outside, unit.join("making-x")).unwrap();
        },
        |unit, outside| std::os::unix::fs::symlink(outside, unit.join("making-x")).unwrap(),
        |unit, _| {
            let name = std::ffi::OsStr::from_bytes(b"making-\xff");
            std::fs::write(unit.join(name), b"x").unwrap();
        },
    ];
    for obstacle in obstacles {
        let bundle = vault();
        let outside = tempfile::tempdir().unwrap();
        let outside = outside.path().join("outside");
        obstacle(&bundle.at(&folder()), &outside);
        let head = bundle.read("ledger/head");
        let refused = erase_all(&bundle.disk()).unwrap_err().to_string();
        assert!(refused.contains("cannot erase private/"), "{refused}");
        assert!(refused.contains(" first"), "{refused}");
        assert_eq!(bundle.read("ledger/head"), head);
        if outside.is_file() {
            assert_eq!(std::fs::read(outside).unwrap(), b"a thesis");
        }
    }
}

#[test]
fn what_is_left_of_an_erased_unit_is_found_whatever_it_is() {
    let bundle = vault();
    erase(&bundle);
    let unit = bundle.at(&folder());
    for make in [
        |path: &Path| std::fs::create_dir_all(path).unwrap(),
        |path: &Path| std::os::unix::fs::symlink("elsewhere", path).unwrap(),
        |path: &Path| std::fs::write(path, b"x").unwrap(),
    ] {
        std::fs::create_dir_all(&unit).unwrap();
        make(&unit.join("left"));
        let found = bundle.run(&["verify"]);
        assert!(found.out.contains("blocker[private-left]"), "{}", found.out);
        std::fs::remove_dir_all(&unit).unwrap();
    }
}

#[test]
fn a_number_of_events_that_there_are_not_excuses_nothing() {
    let bundle = vault();
    std::fs::remove_dir_all(bundle.at(&folder())).unwrap();
    bundle.write("ledger/private/since", b"99999\n");
    let found = bundle.run(&["verify"]);
    assert_eq!(found.code, 1);
    assert!(found.out.contains("private/since"), "{}", found.out);
}

#[test]
fn what_a_killed_process_was_still_writing_goes_too() {
    let bundle = vault();
    for name in ["making-key", "making-x", "x"] {
        bundle.write(&format!("{}/{name}", folder()), &[7; 100]);
    }
    assert!(bundle.must(&["verify"]).contains("private-stray"));
    erase(&bundle);
    assert!(
        !bundle
            .files()
            .iter()
            .any(|(path, _)| path.starts_with(&folder()))
    );
    let keys = Fixed::new(5);
    converse(&bundle.disk(), &keys).unwrap();
    bundle.must(&["verify"]);
}
