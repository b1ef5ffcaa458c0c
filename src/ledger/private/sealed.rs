//! The bytes of a sealed body: a version, a nonce, ciphertext with its tag.
//!
//! XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03; RFC 8439). Unit and role are
//! bound as associated data, so that no sealed body passes for another. The
//! body is padded first: of a short answer its length would tell all.

use std::io;

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

use crate::event::{BodyRole, EventId};
use crate::ledger::private::key::UnitKey;

pub(crate) const NONCE_BYTES: usize = 24;

/// The first byte of every sealed body.
const VERSION: u8 = 1;

/// A padded body has a multiple of so many bytes.
const BLOCK: usize = 256;

/// The byte after the body; zeros follow (ISO/IEC 7816-4).
const END: u8 = 0x80;

/// What a block has, as a length of a file.
const BLOCK_BYTES: u64 = 256;

/// Version, nonce and tag.
const FRAME_BYTES: u64 = 1 + 24 + 16;

/// The length of the file of a sealed body that has so many bytes.
pub(crate) const fn sealed_bytes(body: u64) -> u64 {
    let padded = (body / BLOCK_BYTES)
        .saturating_add(1)
        .saturating_mul(BLOCK_BYTES);
    padded.saturating_add(FRAME_BYTES)
}

/// Returns the file of a sealed body.
pub(crate) fn seal(
    key: &UnitKey,
    unit: &EventId,
    role: BodyRole,
    nonce: [u8; NONCE_BYTES],
    body: &[u8],
) -> io::Result<Vec<u8>> {
    let length = (body.len() / BLOCK + 1) * BLOCK;
    // As long as it will be from the first: what a growing vector leaves behind is not wiped.
    let mut padded = Zeroizing::new(Vec::with_capacity(length));
    padded.extend_from_slice(body);
    padded.push(END);
    padded.resize(length, 0);
    let payload = Payload {
        msg: &padded,
        aad: &bound(unit, role),
    };
    let ciphertext = cipher(key)
        .encrypt(&XNonce::from(nonce), payload)
        .map_err(|_| io::Error::other("the body is too long to be sealed"))?;
    let mut file = Vec::with_capacity(1 + NONCE_BYTES + ciphertext.len());
    file.push(VERSION);
    file.extend_from_slice(&nonce);
    file.extend_from_slice(&ciphertext);
    Ok(file)
}

/// Returns the body, or nothing where the file was not sealed by this key, for
/// this unit and role, as it stands.
pub(crate) fn open(
    key: &UnitKey,
    unit: &EventId,
    role: BodyRole,
    file: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    let (version, rest) = file.split_first()?;
    let (nonce, msg) = rest.split_first_chunk::<NONCE_BYTES>()?;
    let aad = &bound(unit, role);
    let opened = cipher(key).decrypt(&XNonce::from(*nonce), Payload { msg, aad });
    let mut body = Zeroizing::new(opened.ok().filter(|_| *version == VERSION)?);
    let end = body.iter().rposition(|byte| *byte != 0)?;
    let is_padded = body[end] == END;
    body.truncate(end);
    is_padded.then_some(body)
}

fn cipher(key: &UnitKey) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new((&*key.sealing()).into())
}

fn bound(unit: &EventId, role: BodyRole) -> Vec<u8> {
    let label: &[u8] = b"scoresheet private body\n";
    [label, unit.digest().as_bytes(), role.as_str().as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ledger::private::SystemKeys;

    fn sealed(key: &UnitKey, unit: &EventId, body: &[u8]) -> Vec<u8> {
        seal(key, unit, BodyRole::Response, [7; NONCE_BYTES], body).unwrap()
    }

    proptest! {
        #[test]
        fn what_is_sealed_opens_again_and_nowhere_else(
            body in proptest::collection::vec(prop_oneof![Just(0), Just(END), any::<u8>()], 0..600),
            flip: prop::sample::Index,
            bit in 0..8_u8,
        ) {
            let (key, other) = (UnitKey::new(&SystemKeys)?, UnitKey::new(&SystemKeys)?);
            let (unit, elsewhere) = (EventId::of(b"a"), EventId::of(b"b"));
            let file = sealed(&key, &unit, &body);
            let opened = open(&key, &unit, BodyRole::Response, &file).unwrap();
            prop_assert_eq!(&*opened, &body);
            prop_assert!(open(&other, &unit, BodyRole::Response, &file).is_none());
            prop_assert!(open(&key, &elsewhere, BodyRole::Response, &file).is_none());
            prop_assert!(open(&key, &unit, BodyRole::Request, &file).is_none());
            let mut flipped = file.clone();
            flipped[flip.index(file.len())] ^= 1 << bit;
            prop_assert!(open(&key, &unit, BodyRole::Response, &flipped).is_none());
            let cut = &file[..flip.index(file.len())];
            prop_assert!(open(&key, &unit, BodyRole::Response, cut).is_none());
        }

        #[test]
        fn the_length_tells_no_more_than_a_block(length in 0..1200_usize) {
            let key = UnitKey::new(&SystemKeys)?;
            let file = sealed(&key, &EventId::of(b"a"), &vec![b'x'; length]);
            prop_assert_eq!(file.len(), 1 + NONCE_BYTES + (length / BLOCK + 1) * BLOCK + 16);
            let foreseen = sealed_bytes(u64::try_from(length)?);
            prop_assert_eq!(u64::try_from(file.len())?, foreseen);
        }
    }
}
