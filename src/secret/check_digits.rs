use serde::Deserialize;

/// Check digits that a format has. They say that a token was once given out,
/// or very nearly; wrong ones dismiss nothing, because formats change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CheckDigits {
    /// The last six letters are the CRC-32 of those before them, in base 62.
    Crc32Base62,
}

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const N_DIGITS: usize = 6;

impl CheckDigits {
    /// Whether the check digits of the part behind the prefix are right.
    pub(crate) fn confirm(self, rest: &[u8]) -> bool {
        match self {
            Self::Crc32Base62 => {
                let Some(split) = rest.len().checked_sub(N_DIGITS).filter(|at| 0 < *at) else {
                    return false;
                };
                rest[split..] == base62(crc32(&rest[..split]))
            }
        }
    }
}

/// The CRC-32 of zip and gzip.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    let step = |crc: u32, byte: &u8| (crc >> 8) ^ TABLE[usize::from(crc.to_le_bytes()[0] ^ byte)];
    !bytes.iter().fold(!0, step)
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    let mut start = 0_u32;
    while at < 256 {
        let mut crc = start;
        let mut bit = 0;
        while bit < 8 {
            let is_odd = crc & 1 == 1;
            crc >>= 1;
            if is_odd {
                crc ^= 0xedb8_8320;
            }
            bit += 1;
        }
        table[at] = crc;
        at += 1;
        start += 1;
    }
    table
}

fn base62(mut number: u32) -> [u8; N_DIGITS] {
    let mut digits = [b'0'; N_DIGITS];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[usize::try_from(number % 62).unwrap_or(0)];
        number /= 62;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_is_the_well_known_one_and_confirms_what_it_is_of() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let body = b"aB3dE5gH7kaB3dE5gH7kaB3dE5gH7k";
        let mut token = body.to_vec();
        token.extend(base62(crc32(body)));
        assert!(CheckDigits::Crc32Base62.confirm(&token));
        token[0] = b'b';
        assert!(!CheckDigits::Crc32Base62.confirm(&token));
        assert!(!CheckDigits::Crc32Base62.confirm(b"aB3dE5"));
    }
}
