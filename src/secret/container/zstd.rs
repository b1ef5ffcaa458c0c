use ruzstd::decoding::StreamingDecoder;

use crate::secret::container::limits::Limits;
use crate::secret::container::{Opened, number};

/// A decoder keeps so much of what it gave.
const WINDOW_MAX: u64 = 64 << 20;

/// Opens a Zstandard file, which is one frame or several (RFC 8878). Frames to be
/// skipped are plain bytes, and are looked at with the rest of the file.
pub(super) fn open(bytes: &[u8], limits: &mut Limits) -> Opened {
    let mut opened = Opened::default();
    let mut rest = bytes;
    let mut whole = Vec::new();
    while !rest.is_empty() {
        if !limits.take_member() {
            opened.fault(Limits::too_many());
            break;
        }
        let behind = match rest {
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                number(rest, 4, 4).and_then(|length| rest.get(8..)?.get(length..))
            }
            _ => frame(rest, limits, &mut whole, &mut opened),
        };
        let Some(behind) = behind else {
            opened.fault("a Zstandard frame that is broken or cut off");
            break;
        };
        rest = behind;
    }
    opened.member("zstd", Ok(whole));
    opened
}

/// Adds what a frame holds, and returns what stands behind it.
fn frame<'a>(
    bytes: &'a [u8],
    limits: &mut Limits,
    whole: &mut Vec<u8>,
    opened: &mut Opened,
) -> Option<&'a [u8]> {
    let mut source = bytes;
    let mut decoder = StreamingDecoder::new_with_max_window_size(&mut source, WINDOW_MAX).ok()?;
    match limits.read(&mut decoder, "a Zstandard frame") {
        Ok(content) => whole.extend(content),
        Err(what) => {
            opened.fault(what);
            return Some(&[]);
        }
    }
    let sums = decoder.into_frame_decoder();
    let (told, found) = (
        sums.get_checksum_from_data(),
        sums.get_calculated_checksum(),
    );
    if told.is_some() && found.is_some() && told != found {
        opened.fault("a Zstandard frame whose check digits are wrong");
    }
    Some(source)
}
