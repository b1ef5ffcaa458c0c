use crate::finding::{Code, Finding, Place};
use crate::ledger::{
    Checkpoint, KeyKind, LedgerError, Memory, Prover, ReadError, SignedCheckpoint, SigningKey,
    Storage, add_signatures, stored_checkpoint,
};

/// Signs a stored checkpoint with the key of its log, and returns it with all
/// its signatures.
///
/// A log must never sign what contradicts what it signed before (C2SP
/// tlog-checkpoint). So the checkpoint, every stored one, and what the key
/// remembers must be prefixes of the ledger as it stands.
///
/// # Errors
///
/// When one of them is none, when the key is not one of a log under the ledger's
/// own name, or what the system says; nothing is signed then.
pub fn sign_checkpoint(
    storage: &dyn Storage,
    checkpoint: &Checkpoint,
    key: &SigningKey,
    memory: &mut Memory<'_>,
) -> Result<SignedCheckpoint, ReadError> {
    let mut prover = Prover::open(storage)?;
    if key.kind() != KeyKind::Note || key.name() != prover.origin().as_str() {
        let why = "a log signs with a key of its own, under its own name";
        let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, why);
        return Err(LedgerError::io("sign", checkpoint.path())(error).into());
    }
    prover.check_checkpoints()?;
    let known = memory
        .latest(prover.origin())
        .map(|(size, root)| Checkpoint {
            origin: prover.origin().clone(),
            size,
            root,
        });
    let place = Place::file(checkpoint.path());
    for signed in known.iter().chain([checkpoint]) {
        let there = if signed.size <= prover.size() {
            Some(prover.checkpoint(signed.size)?)
        } else {
            None
        };
        if there.as_ref() != Some(signed) {
            let expected = format!(
                "a ledger that begins with the {} events of root {}, which the key signs or has signed",
                signed.size, signed.root
            );
            let found = match there {
                Some(there) => format!("root {} there", there.root),
                None => format!("a ledger of size {}", prover.size()),
            };
            let finding = Finding::new(Code::CheckpointChanged, place, expected, found)
                .with_remedy("restore the ledger from a trusted copy that is not older than what was signed; nothing was signed");
            return Err(ReadError::Damaged(vec![finding]));
        }
    }
    memory.remember(checkpoint)?;
    add_signatures(storage, checkpoint, &[key.sign(&checkpoint.to_string(), 0)])?;
    let signed = stored_checkpoint(storage, &checkpoint.origin, checkpoint.size)?;
    Ok(signed.unwrap_or_else(|| SignedCheckpoint::unsigned(checkpoint.clone())))
}
