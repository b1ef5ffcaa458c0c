//! Nothing inside a file is passed over: it is looked at, or it is an obstacle.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use scoresheet::secret::{Inspection, Scanner, inspect};

fn token() -> String {
    let (rule, canary) = Scanner::canaries().nth(7).unwrap();
    assert_eq!(rule, "openrouter");
    format!("first line\n x={canary})")
}

fn look(bytes: &[u8]) -> Inspection {
    inspect(bytes, &|bytes| Scanner::shared().scan(bytes))
}

/// Where the token is seen: members, line and column.
fn seen(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let looked = look(bytes);
    let places = looked.sightings.iter();
    let places = places.map(|s| format!("{}:{}:{}", s.member.join("!"), s.line, s.column));
    let obstacles = looked.obstacles.iter();
    let obstacles = obstacles.map(|o| format!("{}: {}", o.member.join("!"), o.what));
    (places.collect(), obstacles.collect())
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, content) in members {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
        archive.extend(header);
        archive.extend(*content);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn word(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap().to_le_bytes()
}

fn half(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap().to_le_bytes()
}

pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content).unwrap();
        let packed = encoder.finish().unwrap();
        // Flags, method, time, date; then what is true of the member.
        let mut fields = [&half(0)[..], &half(8), &[0; 4]].concat();
        fields.extend(crc(content).to_le_bytes());
        fields.extend(word(packed.len()));
        fields.extend(word(content.len()));
        fields.extend(half(name.len()));
        fields.extend(half(0));
        directory.extend([&b"PK\x01\x02\x14\0\x14\0"[..], &fields, &[0; 10]].concat());
        directory.extend(word(archive.len()));
        directory.extend(name.as_bytes());
        archive.extend([&b"PK\x03\x04\x14\0"[..], &fields, name.as_bytes()].concat());
        archive.extend(packed);
    }
    let offset = archive.len();
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([half(members.len()), half(members.len())].concat());
    archive.extend([word(directory.len()), word(offset)].concat());
    archive.extend(half(0));
    archive
}

/// Small files of each form, for the fuzzer.
pub(crate) fn seeds() -> Vec<(String, Vec<u8>)> {
    let text: &[u8] = b"1. e4 e5 2. Nf3 Nc6";
    let files = [
        ("text", text.to_vec()),
        ("gzip", gzip(text)),
        ("zstd", zstd(text)),
        ("tar", tar(&[("a", text), ("b/c", text)])),
        ("zip", zip(&[("a", text), ("b/c", text)])),
        ("zip-in-zip", zip(&[("a.zip", &zip(&[("b", &gzip(text))]))])),
        (
            "wide",
            [&b"\xff\xfe"[..], b"a\0 \0g\0a\0m\0e\0 \0o\0f\0"].concat(),
        ),
    ];
    let owned = files.into_iter();
    owned
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .collect()
}

#[test]
fn a_token_is_seen_in_every_container_with_its_member_line_and_column() {
    let token = token();
    let text = token.as_bytes();
    let png = b"\x89PNG\r\n\x1a\n\0\0\0";
    let cases: [(Vec<u8>, &str); 8] = [
        (text.to_vec(), ":2:4"),
        (gzip(text), "gzip:2:4"),
        (zstd(text), "zstd:2:4"),
        (zip(&[("a/b", b"x"), ("c.txt", text)]), "c.txt:2:4"),
        (gzip(&tar(&[("a", b"x"), ("b/c", text)])), "gzip!b/c:2:4"),
        (
            zip(&[("a.zip", &zip(&[("b", &gzip(text))]))]),
            "a.zip!b!gzip:2:4",
        ),
        ([gzip(b"a\n"), gzip(text)].concat(), "gzip:3:4"),
        ([zstd(b"a\n"), zstd(text)].concat(), "zstd:3:4"),
    ];
    for (bytes, place) in cases {
        let (places, obstacles) = seen(&bytes);
        assert!(
            places.iter().any(|found| found == place),
            "{place}: {places:?}"
        );
        assert_eq!(obstacles, [""; 0], "{place}");
    }
    let (places, obstacles) = seen(&[png, &zip(&[("a", text)])[..]].concat());
    assert_eq!(places, ["a:2:4"]);
    assert_eq!(obstacles, ["before the archive: bytes that are no text"]);
}

/// Changes bytes of a file that begin at a place.
fn changed(mut bytes: Vec<u8>, at: usize, with: &[u8]) -> Vec<u8> {
    bytes[at..at + with.len()].copy_from_slice(with);
    bytes
}

#[test]
fn whatever_cannot_be_looked_at_is_an_obstacle() {
    let one = || zip(&[("a", b"some text, some text")]);
    let central = one().windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let packed = gzip(b"some text");
    let archive = tar(&[("a", b"some text")]);
    let cut = |bytes: &[u8], n: usize| bytes[..bytes.len() - n].to_vec();
    let mut deep = b"text".to_vec();
    for _ in 0..9 {
        deep = gzip(&deep);
    }
    let cases = [
        (b"\0\x01".to_vec(), "bytes that are no text"),
        (b"BZh91AY".to_vec(), "bzip2"),
        (
            changed(packed.clone(), packed.len() - 5, &[9]),
            "check digits",
        ),
        (cut(&packed, 9), "broken or cut off"),
        ([&packed[..], b"behind"].concat(), "broken or cut off"),
        (cut(&zstd(b"some text"), 3), "cut off"),
        (gzip(&vec![0; 20 << 20]), "200 times its size"),
        (deep, "too many others"),
        (changed(one(), central + 8, &[1]), "encrypted"),
        (
            changed(one(), central + 10, &[12]),
            "not where the directory says",
        ),
        (changed(one(), central + 16, &[9]), "check digits"),
        (
            changed(one(), central + 42, &[1]),
            "not where the directory says",
        ),
        (changed(one(), 30, b"b"), "not where the directory says"),
        (cut(&one(), 1), "without a central directory"),
        ([one(), b"behind".to_vec()].concat(), "bytes behind"),
        (
            [&one()[..central], &[b' '; 40], &one()[central..]].concat(),
            "before the archive",
        ),
        (cut(&archive, 1024 + 512), "cut off"),
        (changed(archive.clone(), 100, b"x"), "no text"),
        (
            [archive.clone(), b"behind".to_vec()].concat(),
            "bytes behind the end",
        ),
    ];
    for (at, (bytes, what)) in cases.into_iter().enumerate() {
        let obstacles = seen(&bytes).1;
        let holds = obstacles.iter().any(|obstacle| obstacle.contains(what));
        assert!(holds, "case {at}, {what}: {obstacles:?}");
    }
}

#[test]
fn a_hostile_archive_ends_at_a_limit() {
    // Ten thousand members over the same bytes.
    let content = vec![b'x'; 60_000];
    let many: Vec<_> = (0..10_001).map(|n| format!("m{n}")).collect();
    let members: Vec<_> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    assert!(
        seen(&tar(&members))
            .1
            .iter()
            .any(|o| o.contains("more than 10000 members"))
    );
    let mut bomb = content;
    for _ in 0..3 {
        bomb = gzip(&bomb.repeat(40));
    }
    let started = std::time::Instant::now();
    assert!(!seen(&bomb).1.is_empty());
    assert!(started.elapsed().as_secs() < 60);
}
