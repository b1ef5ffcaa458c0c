//! What a witness signs (C2SP tlog-cosignature, Ed25519): a time, and all of a
//! checkpoint but its signatures.
//!
//! ```text
//! cosignature/v1
//! time 1679315147
//! example.com/behind-the-sofa
//! 20852163
//! CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
//! ```

/// The largest time: 2^63-1.
const SECONDS_MAX: u64 = u64::MAX >> 1;

/// The message over which the signature is made. The text ends in a newline.
pub(crate) fn message(unix_seconds: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {unix_seconds}\n{text}")
}

/// The bytes of the signature line: the time, big-endian, and the signature.
pub(crate) fn join(unix_seconds: u64, signature: &[u8]) -> Vec<u8> {
    [&unix_seconds.to_be_bytes(), signature].concat()
}

/// Takes the bytes apart again; nothing where the time cannot be.
pub(crate) fn split(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (seconds, signature) = bytes.split_first_chunk()?;
    let seconds = u64::from_be_bytes(*seconds);
    (seconds <= SECONDS_MAX).then_some((seconds, signature))
}
