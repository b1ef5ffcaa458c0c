//! Sealed bodies of many games in one file: each is found, each can be erased
//! alone, and no damage passes.

use std::collections::BTreeSet;

use proptest::prelude::*;
use scoresheet::event::{BodyRole, EventId};
use scoresheet::finding::{Code, any_blocker};
use scoresheet::ledger::{
    Disk, Erasing, LedgerError, PackWriter, PrivateStore, SealedBody, Storage, SystemKeys,
    Verification, open_body, private_path, verify,
};
use serde_json::json;

use crate::bundle::Bundle;
use crate::mortal::{Mortal, Part};
use crate::story::{body, event, story};
use crate::vault::{BODIES, answered, append, end, erase_all, folder, game, named, sent, start};

const PACK: &str = "ledger/private/packs/000000";
const OTHER: &str = "The other game is nobody's business here.";

fn other() -> EventId {
    story().games[0]
}

fn seal(storage: &dyn Storage, unit: EventId, role: BodyRole, text: &str) -> SealedBody {
    let store = PrivateStore::new(storage, &SystemKeys);
    let sealer = store.sealer(&unit).unwrap();
    sealer.seal(role, text.as_bytes()).unwrap()
}

/// Two games talk, and what they say goes into one pack: the last body is the
/// other game's.
fn converse(storage: &dyn Storage) -> Result<(), LedgerError> {
    let mut packs = PackWriter::new(storage);
    let [request, response, reasoning] =
        BODIES.map(|(role, text)| seal(storage, game(), role, text));
    packs.append(std::slice::from_ref(&request))?;
    let call = event(sent(vec![request.body().clone()]));
    append(storage, std::slice::from_ref(&call))?;
    let others = seal(storage, other(), BodyRole::Request, OTHER);
    packs.append(&[response.clone(), reasoning.clone(), others.clone()])?;
    let bodies = [response, reasoning].map(|sealed| sealed.body().clone());
    let more = scoresheet::event::CallSent {
        bodies: vec![others.body().clone()],
        ..body(json!({"attempt": 9, "system": story().systems[0]}))
    };
    append(
        storage,
        &[event(answered(call.id(), bodies.to_vec())), event(more)],
    )
}

fn packed() -> Bundle {
    let bundle = Bundle::played();
    start(&bundle);
    converse(&bundle.disk()).unwrap();
    end(&bundle);
    bundle
}

fn verified(bundle: &Bundle) -> Verification {
    verify(&bundle.disk(), &|_, _| (), &mut |_, _| ()).unwrap()
}

fn codes(verification: &Verification) -> BTreeSet<Code> {
    let findings = verification.findings.iter();
    findings.map(|finding| finding.code).collect()
}

#[test]
fn a_pack_holds_the_bodies_of_many_games_and_no_readable_word() {
    let bundle = packed();
    let verification = verified(&bundle);
    assert_eq!(verification.findings, []);
    assert_eq!(verification.private.present, 4);
    let texts = BODIES.iter().map(|(_, text)| *text).chain([OTHER]);
    for (body, text) in named(&bundle).iter().zip(texts) {
        let opened = open_body(&bundle.disk(), body).unwrap();
        assert_eq!(&opened[..], text.as_bytes());
    }
    let pack = String::from_utf8_lossy(&bundle.read(PACK)).into_owned();
    assert!(!pack.contains("center") && !pack.contains("business"));
    let said = bundle.must(&["bodies", &game().to_string(), "--open"]);
    assert!(said.contains("e2e4"), "{said}");
}

#[test]
fn one_game_is_erased_from_a_pack_and_the_other_stays() {
    let bundle = packed();
    let before = bundle.read(PACK);
    assert_eq!(
        erase_all(&bundle.disk()).unwrap(),
        1 + 3,
        "a key, and bodies"
    );
    assert!(!bundle.at(&format!("{}/key", folder())).exists());
    let after = bundle.read(PACK);
    assert_eq!(before.len(), after.len());
    for body in &named(&bundle)[..3] {
        let at = before
            .windows(32)
            .position(|part| part == body.sha256.as_bytes())
            .unwrap();
        let sealed = &after[at + 40..][..usize::try_from(body.bytes.get()).unwrap()];
        assert!(sealed.iter().all(|byte| *byte == 0));
    }
    let verification = verified(&bundle);
    assert!(!any_blocker(&verification.findings));
    let counts = verification.private;
    assert_eq!((counts.present, counts.erased), (1, 3));
    assert_eq!(erase_all(&bundle.disk()).unwrap(), 0);
    // Put back from a backup, it is found.
    bundle.write(PACK, &before);
    let found = codes(&verified(&bundle));
    assert!(found.contains(&Code::PrivateLeft), "{found:?}");
    erase_all(&bundle.disk()).unwrap();
    assert!(!any_blocker(&verified(&bundle).findings));
}

/// Destroys what packs hold of a unit. Returns how many bodies there were, its key
/// left out.
fn forget(disk: &Disk, packs: &mut PackWriter<'_>, unit: EventId) -> Result<u64, LedgerError> {
    let erasing = Erasing::prepare(disk, unit, packs.of_unit(&unit)?)?;
    let key = u64::from(
        disk.list(&private_path(&unit))
            .is_ok_and(|there| !there.is_empty()),
    );
    let destroyed = erasing.destroy(disk)?;
    packs.forget(&erasing)?;
    Ok(destroyed - key)
}

#[test]
fn a_pack_of_which_nothing_is_left_is_removed_and_the_next_one_is_another() {
    let bundle = packed();
    let disk = bundle.disk();
    erase_all(&disk).unwrap();
    let mut packs = PackWriter::new(&disk);
    assert_eq!(forget(&disk, &mut packs, other()).unwrap(), 1);
    assert!(!bundle.at(PACK).exists());
    packs
        .append(&[seal(&disk, other(), BodyRole::Request, "again")])
        .unwrap();
    assert!(bundle.at("ledger/private/packs/000001").exists());
}

#[test]
fn every_writer_begins_a_pack_of_its_own() {
    let bundle = packed();
    let disk = bundle.disk();
    for _ in 0..2 {
        let more = seal(&disk, game(), BodyRole::Request, "more");
        PackWriter::new(&disk).append(&[more]).unwrap();
    }
    assert!(bundle.at("ledger/private/packs/000002").exists());
    // Killed before the events that name them were there.
    assert_eq!(codes(&verified(&bundle)), [Code::PrivateStray].into());
}

#[test]
fn many_games_that_begin_at_once_make_one_store() {
    for _ in 0..20 {
        let bundle = Bundle::played();
        let disk = bundle.disk();
        std::thread::scope(|scope| {
            for number in 0..16_u8 {
                let disk = &disk;
                scope.spawn(move || {
                    let unit = EventId::of(&[number]);
                    PrivateStore::new(disk, &SystemKeys)
                        .sealer(&unit)
                        .map(drop)
                        .unwrap();
                });
            }
            for attempt in 1..4 {
                let more = scoresheet::event::CallSent {
                    ..body(json!({"attempt": attempt, "system": story().systems[0]}))
                };
                append(&disk, &[event(more)]).unwrap();
            }
        });
        // One number, and every key can be read.
        let since = String::from_utf8(bundle.read("ledger/private/since")).unwrap();
        assert!(since.trim().parse::<u64>().is_ok(), "{since}");
        for number in 0..16_u8 {
            let sealed = seal(&disk, EventId::of(&[number]), BodyRole::Request, "x");
            PackWriter::new(&disk)
                .append(std::slice::from_ref(&sealed))
                .unwrap();
            assert_eq!(&open_body(&disk, sealed.body()).unwrap()[..], b"x");
        }
    }
}

/// Kills whoever erases at each change of the disk, after this part of it.
fn kill_while_erasing(last: Part) {
    let mut n_left = 0;
    for changes in 1.. {
        let bundle = packed();
        let is_done = erase_all(&Mortal::new(bundle.disk(), changes, last)).is_ok();
        let found = codes(&verified(&bundle));
        n_left += usize::from(found.contains(&Code::PrivateLeft));
        erase_all(&bundle.disk()).unwrap();
        let verification = verified(&bundle);
        assert!(!any_blocker(&verification.findings), "change {changes}");
        let counts = verification.private;
        assert_eq!((counts.present, counts.erased), (1, 3), "change {changes}");
        if is_done {
            break;
        }
    }
    assert!(3 < n_left, "{n_left}");
}

#[test]
fn killed_in_any_change_of_the_disk_an_erasure_from_a_pack_is_completed_by_another() {
    kill_while_erasing(Part::Third);
    kill_while_erasing(Part::Whole);
}

#[test]
fn what_a_machine_that_stopped_left_at_the_end_of_a_pack_is_nobodys() {
    let bundle = packed();
    let pack = bundle.read(PACK);
    for tail in [&[0; 5000][..], b"sealed1\n", &pack[..79]] {
        bundle.write(PACK, &[&pack, tail].concat());
        let verification = verified(&bundle);
        assert_eq!(verification.findings, []);
        assert_eq!(verification.private.present, 4);
    }
    // More of it than a header is something that nobody named.
    bundle.write(PACK, &[&pack, &pack[..200]].concat());
    let verification = verified(&bundle);
    assert!(!any_blocker(&verification.findings));
}

#[test]
fn a_damaged_pack_is_never_removed_and_no_erasure_reaches_beyond_its_own_bodies() {
    let bundle = packed();
    let disk = bundle.disk();
    let pack = bundle.read(PACK);
    // Nobody can say what is in it any more.
    let mut unreadable = pack.clone();
    unreadable[0] ^= 1;
    bundle.write(PACK, &unreadable);
    let more = seal(&disk, game(), BodyRole::Request, "more");
    PackWriter::new(&disk).append(&[more]).unwrap();
    assert_eq!(bundle.read(PACK), unreadable);
    // A length that swallows what others said.
    let mut long = pack.clone();
    long[74] = 1;
    bundle.write(PACK, &long);
    let refused = erase_all(&disk).unwrap_err().to_string();
    assert!(refused.contains("restore it from a backup"), "{refused}");
    assert_eq!(bundle.read(PACK), long);
    assert!(bundle.at(&format!("{}/key", folder())).exists());
    bundle.write(PACK, &pack);
    erase_all(&disk).unwrap();
    let verification = verified(&bundle);
    assert_eq!(
        (verification.private.present, verification.private.erased),
        (1, 3)
    );
}

#[test]
fn an_erasure_that_failed_between_two_packs_is_completed_without_touching_others() {
    let bundle = packed();
    let disk = bundle.disk();
    let late = seal(&disk, game(), BodyRole::Request, "late");
    PackWriter::new(&disk).append(&[late]).unwrap();
    let second = bundle.read("ledger/private/packs/000001");
    let mut packs = PackWriter::new(&disk);
    assert!(packs.has(&game()).unwrap());
    std::fs::remove_file(bundle.at("ledger/private/packs/000001")).unwrap();
    assert!(forget(&disk, &mut packs, game()).is_err());
    bundle.write("ledger/private/packs/000001", &second);
    // Once more for those that were overwritten already.
    assert_eq!(forget(&disk, &mut packs, game()).unwrap(), 4);
    assert_eq!(
        forget(&disk, &mut packs, other()).unwrap(),
        1,
        "it is still there"
    );
}

#[test]
fn what_is_no_pack_is_told() {
    let bundle = packed();
    bundle.write("ledger/private/packs/notes", b"x");
    assert_eq!(codes(&verified(&bundle)), [Code::PrivateStray].into());
    let pack = bundle.read(PACK);
    bundle.write(PACK, &[&pack, &b"something else"[..], &[7; 100]].concat());
    let found = codes(&verified(&bundle));
    assert!(found.contains(&Code::PrivateChanged), "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_flipped_bit_and_no_cut_of_a_pack_passes(at: prop::sample::Index, bit in 0..8_u8) {
        let bundle = packed();
        let pack = bundle.read(PACK);
        let mut flipped = pack.clone();
        flipped[at.index(pack.len())] ^= 1 << bit;
        for damaged in [&flipped[..], &pack[..at.index(pack.len())]] {
            bundle.write(PACK, damaged);
            let verification = verified(&bundle);
            prop_assert!(any_blocker(&verification.findings));
            prop_assert!(verification.private.present < 4);
        }
    }
}
