//! What is sealed, what `verify` says of it, and what of it anybody can learn.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use proptest::prelude::*;
use scoresheet::digest::Digest;
use scoresheet::event::{BodyRole, EventId, PrivateBody};
use scoresheet::finding::{Code, Finding, Place, any_blocker};
use scoresheet::ledger::{
    BodyFault, PrivateCounts, PrivateRoll, PrivateStore, SystemKeys, Verification, open_body,
    verify,
};

use crate::bundle::Bundle;
use crate::mortal::{Mortal, Part};
use crate::story::event;
use crate::vault::{
    BODIES, Fixed, append, converse, end, erase_all, first_sealed, folder, game, named, sent,
    start, vault,
};

fn verified(bundle: &Bundle) -> Verification {
    verify(&bundle.disk(), &|_, _| (), &mut |_, _| ()).unwrap()
}

fn codes(findings: &[Finding]) -> BTreeSet<Code> {
    findings.iter().map(|finding| finding.code).collect()
}

const NONE: PrivateCounts = PrivateCounts {
    present: 0,
    erased: 0,
    missing: 0,
    withheld: 0,
    changed: 0,
};

/// Every file of the ledger that is not private, in one.
fn public(bundle: &Bundle) -> Vec<u8> {
    let files = bundle.files().into_iter();
    let public = files.filter(|(path, _)| !path.starts_with("ledger/private/"));
    public.flat_map(|(_, bytes)| bytes).collect()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn what_is_sealed_opens_again_and_is_counted_as_present() {
    let bundle = vault();
    let verification = verified(&bundle);
    assert_eq!(verification.findings, []);
    let present = PrivateCounts { present: 3, ..NONE };
    assert_eq!(verification.private, present);
    for (body, (role, text)) in named(&bundle).iter().zip(BODIES) {
        let opened = open_body(&bundle.disk(), body).unwrap();
        assert_eq!((body.role, &opened[..]), (role, text.as_bytes()));
        let elsewhere = PrivateBody {
            role: BodyRole::Redacted,
            ..body.clone()
        };
        let refused = open_body(&bundle.disk(), &elsewhere);
        assert!(matches!(refused, Err(BodyFault::Unopened)), "{role}");
    }
    for (path, bytes) in bundle.files() {
        for (_, text) in BODIES.iter().filter(|(_, text)| 10 < text.len()) {
            assert!(!contains(&bytes, text.as_bytes()), "{path}");
        }
    }
}

#[test]
fn the_folder_is_for_its_owner_alone_and_keeps_itself_out_of_git() {
    let bundle = Bundle::played();
    start(&bundle);
    let before = bundle.files().len();
    converse(&bundle.disk(), &SystemKeys).unwrap();
    for folder in ["ledger/private", &folder()] {
        let mode = fs::metadata(bundle.at(folder))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{folder}");
    }
    assert_eq!(bundle.read("ledger/private/.gitignore"), b"*\n");
    assert_eq!(
        bundle.files().len(),
        before + 6,
        "2 of the store, a key, 3 bodies"
    );
}

#[test]
fn git_takes_no_private_file_also_where_nobody_told_it() {
    let bundle = vault();
    let git = |words: &[&str]| {
        let done = std::process::Command::new("git")
            .args(words)
            .current_dir(bundle.folder())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    let tracked = git(&["ls-files"]);
    assert!(tracked.contains("ledger/head"), "{tracked}");
    assert!(!tracked.contains("private"), "{tracked}");
}

#[test]
fn an_event_that_names_a_body_which_is_not_here_is_not_appended() {
    let bundle = vault();
    let disk = bundle.disk();
    let store = PrivateStore::new(&disk, &SystemKeys);
    let body = store
        .seal(&game(), BodyRole::Request, b"a question")
        .unwrap();
    let absent = PrivateBody {
        sha256: Digest::of(b"nowhere"),
        ..body.clone()
    };
    let append = |body: PrivateBody| {
        bundle.write("lines", event(sent(vec![body])).line().as_bytes());
        let path = bundle.at("lines");
        bundle.program(&["append", path.to_str().unwrap()])
    };
    let (_, err) = append(absent.clone());
    assert!(err.contains("not in this copy's private store"), "{err}");
    let (out, err) = append(body);
    assert!(out.contains("appended 1 event"), "{err}");
    // A copy without a store has nobody to ask.
    fs::remove_dir_all(bundle.at("ledger/private")).unwrap();
    let (out, err) = append(absent);
    assert!(out.contains("appended 1 event"), "{err}");
}

#[test]
fn a_guess_cannot_be_confirmed_from_anything_public() {
    let [one, other] = [(); 2].map(|()| {
        let bundle = Bundle::played();
        start(&bundle);
        converse(&bundle.disk(), &SystemKeys).unwrap();
        bundle
    });
    for (a, b) in named(&one).iter().zip(named(&other)) {
        assert_ne!(a.sha256, b.sha256, "the same body in two ledgers");
        assert_eq!(a.bytes, b.bytes);
    }
    // Whoever guesses the answer, and knows how it is sealed but not the key,
    // finds no value of it.
    let guess = BODIES[1].1.as_bytes();
    let mut padded = guess.to_vec();
    padded.push(0x80);
    padded.resize(256, 0);
    let bound = [b"response".as_slice(), guess].concat();
    for bundle in [&one, &other] {
        let public = public(bundle);
        let events = String::from_utf8_lossy(&public);
        for text in [guess, &padded, &bound] {
            assert!(!events.contains(&Digest::of(text).to_string()));
            assert!(!events.contains(blake3::hash(text).to_hex().as_str()));
        }
        assert!(events.contains(&named(bundle)[1].sha256.to_string()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn two_short_bodies_look_alike_in_public(a in ".{0,60}", b in ".{0,60}") {
        let bundle = Bundle::played();
        let disk = bundle.disk();
        let store = PrivateStore::new(&disk, &SystemKeys);
        let seal = |text: &str| store.seal(&game(), BodyRole::Response, text.as_bytes()).unwrap();
        let (a, b) = (seal(&a), seal(&b));
        prop_assert_eq!(a.bytes, b.bytes);
        prop_assert_ne!(a.sha256, b.sha256);
    }
}

#[test]
fn any_changed_byte_of_a_sealed_body_or_of_the_key_is_noticed() {
    let bundle = vault();
    for path in [first_sealed(&bundle), format!("{}/key", folder())] {
        let whole = bundle.read(&path);
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            bundle.write(&path, &flipped);
            let verification = verified(&bundle);
            let found = codes(&verification.findings);
            assert_eq!(found, [Code::PrivateChanged].into(), "{path}, byte {at}");
            assert!(0 < verification.private.changed);
        }
        for length in [0, 1, whole.len() - 1] {
            bundle.write(&path, &whole[..length]);
            assert!(codes(&verified(&bundle).findings).contains(&Code::PrivateChanged));
        }
        bundle.write(&path, &whole);
    }
    assert_eq!(verified(&bundle).findings, []);
}

#[test]
fn bodies_cannot_be_exchanged_with_one_another() {
    let bundle = vault();
    let paths = named(&bundle)
        .into_iter()
        .map(|body| format!("{}/{}", folder(), body.sha256));
    let paths: Vec<_> = paths.collect();
    let (first, second) = (bundle.read(&paths[0]), bundle.read(&paths[1]));
    bundle.write(&paths[0], &second);
    bundle.write(&paths[1], &first);
    assert_eq!(verified(&bundle).private.changed, 2);
}

#[test]
fn a_copy_without_the_store_lacks_nothing_and_one_that_goes_on_owes_only_its_own() {
    let bundle = Bundle::played();
    start(&bundle);
    converse(&bundle.disk(), &SystemKeys).unwrap();
    fs::remove_dir_all(bundle.at("ledger/private")).unwrap();
    let withheld = |n| PrivateCounts {
        withheld: n,
        ..NONE
    };
    let verification = verified(&bundle);
    assert_eq!(
        codes(&verification.findings),
        [Code::PrivateWithheld].into()
    );
    assert_eq!(verification.private, withheld(3));
    assert!(!any_blocker(&verification.findings));
    // The copy seals a body of its own: that one it must have.
    let store = bundle.disk();
    let body = PrivateStore::new(&store, &SystemKeys)
        .seal(&game(), BodyRole::Request, b"again")
        .unwrap();
    append(&store, &[event(sent(vec![body.clone()]))]).unwrap();
    let present = PrivateCounts {
        present: 1,
        ..withheld(3)
    };
    assert_eq!(verified(&bundle).private, present);
    bundle.remove(&format!("{}/{}", folder(), body.sha256));
    let verification = verified(&bundle);
    let missing = PrivateCounts {
        missing: 1,
        ..withheld(3)
    };
    assert_eq!(verification.private, missing);
    assert!(codes(&verification.findings).contains(&Code::PrivateMissing));
    // A store that has lost the word since when it is one owes everything.
    bundle.remove("ledger/private/since");
    assert_eq!(
        verified(&bundle).private,
        PrivateCounts { missing: 4, ..NONE }
    );
}

#[test]
fn a_store_does_not_forget_since_when_it_is_one() {
    let bundle = vault();
    let since = bundle.read("ledger/private/since");
    bundle.remove("ledger/private/since");
    converse(&bundle.disk(), &SystemKeys).unwrap();
    assert!(fs::metadata(bundle.at("ledger/private/since")).is_err());
    for wrong in ["", "x\n", "-1\n", "+1\n", "01\n", "99"] {
        bundle.write("ledger/private/since", wrong.as_bytes());
        let verification = verified(&bundle);
        assert_eq!(
            codes(&verification.findings),
            [Code::PrivateStray].into(),
            "{wrong}"
        );
        assert_eq!(verification.private.present, 6);
    }
    bundle.write("ledger/private/since", &since);
    assert_eq!(verified(&bundle).findings, []);
}

/// The states of all bodies of the game, as `bodies` lists them.
fn listed(bundle: &Bundle) -> PrivateCounts {
    let listed = bundle.run(&["bodies", &game().to_string(), "--format", "json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
    let mut counts = NONE;
    for body in listed["bodies"].as_array().unwrap() {
        *match body["state"].as_str().unwrap() {
            "present" => &mut counts.present,
            "erased" => &mut counts.erased,
            "missing" => &mut counts.missing,
            "withheld" => &mut counts.withheld,
            "changed" => &mut counts.changed,
            other => panic!("{other}"),
        } += 1;
    }
    counts
}

#[test]
fn verify_counts_what_bodies_lists_in_every_state() {
    let bundle = Bundle::played();
    start(&bundle);
    converse(&bundle.disk(), &SystemKeys).unwrap();
    let earlier = first_sealed(&bundle);
    let sealed = bundle.read(&earlier);
    let agree = |expected: PrivateCounts| {
        assert_eq!(verified(&bundle).private, expected);
        assert_eq!(listed(&bundle), expected);
    };
    agree(PrivateCounts { present: 3, ..NONE });
    // A copy that never had them, and goes on with a store of its own.
    fs::remove_dir_all(bundle.at("ledger/private")).unwrap();
    agree(PrivateCounts {
        withheld: 3,
        ..NONE
    });
    let disk = bundle.disk();
    let own = PrivateStore::new(&disk, &SystemKeys)
        .seal(&game(), BodyRole::Request, b"again")
        .unwrap();
    append(&disk, &[event(sent(vec![own.clone()]))]).unwrap();
    let (present, withheld) = (1, 3);
    agree(PrivateCounts {
        present,
        withheld,
        ..NONE
    });
    // A body that this copy does not owe is put there, under another key.
    bundle.write(&earlier, &sealed);
    let (changed, withheld) = (1, 2);
    agree(PrivateCounts {
        present,
        withheld,
        changed,
        ..NONE
    });
    // And the key goes: what is here does not open, whether it is owed or not.
    bundle.remove(&format!("{}/key", folder()));
    agree(PrivateCounts {
        missing: 2,
        withheld,
        ..NONE
    });
    bundle.remove(&earlier);
    let (missing, withheld) = (1, 3);
    agree(PrivateCounts {
        missing,
        withheld,
        ..NONE
    });
}

#[test]
fn a_file_of_the_store_that_is_far_too_long_is_a_stray_one() {
    let bundle = vault();
    let long = b"*\n".repeat(3_000);
    for name in [".gitignore", "since"] {
        let path = format!("ledger/private/{name}");
        let good = bundle.read(&path);
        bundle.write(&path, &long);
        let found = codes(&verified(&bundle).findings);
        assert_eq!(found, [Code::PrivateStray].into(), "{name}");
        bundle.write(&path, &good);
    }
    // A key that is far too long is there, and not as it was made.
    bundle.write(&format!("{}/key", folder()), &long);
    assert_eq!(
        verified(&bundle).private,
        PrivateCounts { changed: 3, ..NONE }
    );
}

/// Kills whoever seals at each change of the disk, after this part of it.
fn kill_while_sealing(last: Part) {
    let mut n_strays = 0;
    for changes in 1.. {
        let bundle = Bundle::played();
        start(&bundle);
        let mortal = Mortal::new(bundle.disk(), changes, last);
        let is_done = converse(&mortal, &Fixed::new(changes)).is_ok();
        let found = codes(&verified(&bundle).findings);
        let expected = [Code::HeadSlot, Code::UnacknowledgedTail, Code::PrivateStray];
        assert!(
            found.is_subset(&expected.into()),
            "change {changes}: {found:?}"
        );
        n_strays += usize::from(found.contains(&Code::PrivateStray));
        // Another process goes on.
        converse(&bundle.disk(), &Fixed::new(1 << 20)).unwrap();
        let verification = verified(&bundle);
        assert!(!any_blocker(&verification.findings), "change {changes}");
        assert!(3 <= verification.private.present);
        end(&bundle);
        erase_all(&bundle.disk()).unwrap();
        let left: Vec<_> = bundle.files().into_iter().map(|(path, _)| path).collect();
        assert!(
            !left.iter().any(|path| path.starts_with(&folder())),
            "{left:?}"
        );
        let verification = verified(&bundle);
        assert!(
            !any_blocker(&verification.findings),
            "{:?}",
            verification.findings
        );
        if is_done {
            assert!(20 < changes, "{changes} changes are not all there is");
            break;
        }
    }
    assert!(2 < n_strays);
}

#[test]
fn killed_in_any_change_of_the_disk_sealing_leaves_nothing_that_is_missing() {
    kill_while_sealing(Part::Third);
}

#[test]
fn killed_after_any_change_of_the_disk_sealing_leaves_nothing_that_is_missing() {
    kill_while_sealing(Part::Whole);
}

proptest! {
    #[test]
    fn what_is_named_is_erased_once_and_each_unit_for_itself(
        steps in proptest::collection::vec((0..3_u8, 0..4_u8), 0..40),
    ) {
        let bundle = Bundle::empty();
        let units = [b"a", b"b", b"c"].map(|line| EventId::of(line));
        let mut roll = PrivateRoll::open(&bundle.disk()).unwrap();
        let mut models = [0; 3];
        let place = Place::default();
        for (number, (which, step)) in steps.into_iter().enumerate() {
            let which = usize::from(which);
            let (unit, open) = (units[which], &mut models[which]);
            let erasure = roll.erasure(&unit, "x");
            prop_assert_eq!(erasure.as_ref().map_or(0, |erased| erased.bodies.get()), *open);
            let body = PrivateBody {
                bytes: 297_u32.into(),
                redaction: None,
                role: BodyRole::Request,
                sha256: Digest::of(&[u8::try_from(number).unwrap()]),
                unit,
            };
            if let (0, Some(mut erased)) = (step, erasure) {
                // Its own digest is the only one that is taken without a word.
                let mut other = roll.clone();
                prop_assert_eq!(roll.take(&event(erased.clone()), &place), None);
                erased.sha256 = Digest::of(b"others");
                let finding = other.take(&event(erased), &place).unwrap();
                prop_assert_eq!(finding.code, Code::ErasureContradicted);
                *open = 0;
            } else {
                prop_assert_eq!(roll.take(&event(sent(vec![body])), &place), None);
                *open += 1;
            }
        }
        for (unit, open) in units.iter().zip(models) {
            prop_assert_eq!(roll.elsewhere(&bundle.disk(), unit).unwrap(), open);
        }
    }
}
