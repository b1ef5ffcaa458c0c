//! A file as it is without its packing.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The bytes in a Zstandard file: all its frames, one after another, each held
/// against its checksum where it has one.
pub struct Unpacked<R> {
    packed: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: BufRead> Unpacked<R> {
    /// Returns the bytes in this file.
    pub fn of(packed: R) -> Self {
        Self {
            packed,
            decoder: FrameDecoder::new(),
            is_in_frame: false,
        }
    }

    /// Begins the next frame, or says that there is none.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.packed.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.packed) {
                Ok(()) => {
                    self.is_in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped = io::copy(&mut self.packed.by_ref().take(length), &mut io::sink());
                    if skipped? != length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
        Ok(false)
    }

    fn end(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        let said = self.decoder.get_checksum_from_data();
        let found = self.decoder.get_calculated_checksum();
        match said {
            Some(said) if found != Some(said) => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a frame has not the checksum that it says; the file is damaged",
            )),
            Some(_) | None => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_in_frame && !self.begin()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let step = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.decoder.decode_blocks(&mut self.packed, step);
                decoded.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            }
            let length = self.decoder.read(buffer)?;
            if length != 0 {
                return Ok(length);
            }
            self.end()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn packed(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    fn unpacked(packed: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Unpacked::of(packed).read_to_end(&mut bytes).map(|_| bytes)
    }

    #[test]
    fn frames_are_read_one_after_another_and_skippable_ones_skipped() {
        let long = "a line of many\n".repeat(100_000);
        let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let file = [packed(b"first\n"), skippable, packed(long.as_bytes())].concat();
        let found = unpacked(&file).unwrap();
        assert_eq!(found, [b"first\n", long.as_bytes()].concat());
        assert_eq!(unpacked(b"").unwrap(), b"");
    }

    #[test]
    fn a_file_that_is_cut_off_or_damaged_is_not_read_to_its_end() {
        let text: Vec<u8> = (0..50_000_u32)
            .flat_map(|n| (n * n).to_le_bytes())
            .collect();
        let whole = packed(&text);
        assert_eq!(unpacked(&whole).unwrap(), text);
        for length in [3, 9, whole.len() / 2, whole.len() - 1] {
            assert!(unpacked(&whole[..length]).is_err(), "{length}");
        }
        let mut damaged = whole.clone();
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        let error = unpacked(&damaged).unwrap_err();
        assert!(error.to_string().contains("checksum"), "{error}");
        assert!(unpacked(b"PuzzleId,FEN\n").is_err());
    }
}
