//! A witness signs only what its log signed and what grew out of what it signed
//! before, whatever is sent to it.

use std::sync::LazyLock;

use scoresheet::ledger::{
    Begin, ConsistencyProof, Memory, NoteSignature, Policy, SignedCheckpoint, SigningKey, Status,
    Witness,
};

use super::folder::Folder;
use super::message;
use crate::keys;

static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    let log = keys::log("example.org/log").verifier_key();
    let file = format!("log {log}\nquorum none\n");
    Policy::parse(file.as_bytes()).unwrap()
});
static KEY: LazyLock<SigningKey> = LazyLock::new(|| keys::witness("w1.example"));

pub(crate) fn check(body: &[u8]) {
    let folder = Folder::default();
    let memory = Memory::open(&folder, "memory", Begin::New).unwrap();
    let mut witness = Witness::new(&POLICY, &KEY, memory).unwrap();
    let answer = witness.answer(body, 1_700_000_000).unwrap();
    let is_signed = answer.status == Status::Ok;
    assert_eq!(is_signed, answer.status.code() == 200);
    let line = answer.body.strip_suffix('\n').unwrap_or(&answer.body);
    message::is_sayable(line);
    let request = ConsistencyProof::parse(body);
    let is_growth =
        |request: &ConsistencyProof| request.old <= request.checkpoint.checkpoint().size;
    if answer.status == Status::BadRequest {
        assert!(!request.as_ref().is_ok_and(is_growth), "{line}");
    }
    let Ok(request) = request else { return };
    // One who has signed nothing signs any state of a log, if asked from zero.
    assert!(!is_signed || request.old == 0 && request.hashes.is_empty());
    drop(witness);
    let memory = Memory::open(&folder, "memory", Begin::Known)
        .or_else(|_| Memory::open(&folder, "memory", Begin::New))
        .unwrap();
    let checkpoint = request.checkpoint.checkpoint();
    let latest = memory.latest(&checkpoint.origin);
    if !is_signed {
        return assert_eq!(latest, None);
    }
    assert!(latest == Some((checkpoint.size, checkpoint.root)));
    let signature: NoteSignature = line.parse().unwrap();
    let plain = SignedCheckpoint::parse(request.checkpoint.note().text().as_bytes()).unwrap();
    let signed = plain.with(&[signature]);
    assert!(signed.note().verify(&[&KEY.verifier_key()]).is_ok());
    // Asked again from zero, it says how far it is.
    let mut witness = Witness::new(&POLICY, &KEY, memory).unwrap();
    let again = witness.answer(body, 1_700_000_001).unwrap();
    let is_known = again.body == format!("{}\n", checkpoint.size) || checkpoint.size == 0;
    assert!(is_known, "{}", again.body);
}
