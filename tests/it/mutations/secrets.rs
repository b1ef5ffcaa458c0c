//! Credentials, wherever they hide: the audit looks into names, archives,
//! encodings, the ledger, and what the project says of itself.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use scoresheet::digest::Digest;
use scoresheet::event::ScheduleCommitted;
use scoresheet::finding::Code;
use scoresheet::ledger::blob_path;
use scoresheet::secret::Scanner;
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::codes::release::waive;
use crate::mutations::completeness::pin;
use crate::mutations::{Mutation, blocks, not_applicable};
use crate::secret_containers::{gzip, tar, zip, zstd};
use crate::story::{event, expense, story};

/// A credential that was never one, of a rule that knows it by its shape.
fn token() -> String {
    canary("openrouter")
}

fn canary(rule: &str) -> String {
    let mut canaries = Scanner::canaries();
    canaries.find(|(name, _)| *name == rule).unwrap().1
}

/// Puts these bytes in the place of the notes, under a name that says nothing.
fn hide(bundle: &Bundle, bytes: &[u8]) {
    pin(bundle, "release/notes.txt", "notes", bytes);
}

/// Puts a text with the token in the place of the notes: `@` stands for it.
fn say(bundle: &Bundle, text: &str) {
    hide(bundle, text.replace('@', &token()).as_bytes());
}

/// Puts a text in the place of the notes in which `@` stands for what an encoding
/// makes of the token.
fn encode(bundle: &Bundle, text: &str, encoding: fn(&str) -> String) {
    hide(bundle, text.replace('@', &encoding(&token())).as_bytes());
}

/// The token, letter by letter.
fn spelled(text: &str, spell: impl Fn(u8) -> String) -> String {
    text.bytes().map(spell).collect()
}

/// A text in two bytes a letter.
fn wide(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes_of).collect()
}

/// A private key in the usual armor, with lines that end so.
fn armored(label: &str, end: &str) -> String {
    let body: Vec<u8> = (0..96_u8).map(|n| n.wrapping_mul(151) ^ 0x5a).collect();
    let body = STANDARD.encode(body);
    let label = format!("{label} KEY");
    let lines = [
        format!("-----BEGIN {label}-----"),
        body[..64].to_owned(),
        body[64..].to_owned(),
        format!("-----END {label}-----"),
    ];
    lines.join(end) + end
}

fn inside(depth: usize, bytes: Vec<u8>) -> Vec<u8> {
    (0..depth).fold(bytes, |bytes, _| gzip(&bytes))
}

/// A gzip file whose header names its content.
fn named_gzip(name: &str) -> Vec<u8> {
    let mut file = gzip(b"Notes.\n");
    file[3] |= 8;
    let behind = file.split_off(10);
    [file, name.as_bytes().to_vec(), vec![0], behind].concat()
}

/// A zip file with a comment behind its directory.
fn commented_zip(comment: &str) -> Vec<u8> {
    let mut file = zip(&[("a", b"Notes.\n")]);
    let at = file.len() - 2;
    file[at..].copy_from_slice(&u16::try_from(comment.len()).unwrap().to_le_bytes());
    [file, comment.as_bytes().to_vec()].concat()
}

/// A picture of no size with a text in it.
fn picture(text: &str) -> Vec<u8> {
    let chunk = [b"tEXtComment\0", text.as_bytes()].concat();
    let mut crc = flate2::Crc::new();
    crc.update(&chunk);
    let length = u32::try_from(chunk.len() - 4).unwrap().to_be_bytes();
    let head = b"\x89PNG\r\n\x1a\n";
    [&head[..], &length, &chunk, &crc.sum().to_be_bytes()].concat()
}

/// Appends an event and binds the release to it.
fn append(bundle: &Bundle, text: &str) {
    bundle.append(&[event(expense(text))]);
    bundle.bind();
}

/// Puts a blob into the ledger past the door, and an event that names it.
fn smuggle(bundle: &Bundle) {
    let bytes = token();
    let blob = Digest::of(bytes.as_bytes());
    bundle.write(&format!("ledger/{}", blob_path(&blob)), bytes.as_bytes());
    let second = ScheduleCommitted {
        run_file: Some(blob),
        ..story().second("u")
    };
    bundle.append(&[event(second)]);
    bundle.bind();
}

fn specify(bundle: &Bundle, pointer: &str, value: Value) {
    bundle.specify(|spec| *spec.pointer_mut(pointer).unwrap() = value);
}

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn mutations() -> Vec<Mutation> {
    use Code::{ArtifactUndeclared, SecretLike, UnexpectedFile, Unscannable};
    vec![
        blocks("M59", "a token in a setting, behind a byte-order mark, with CR LF", SecretLike, |b| say(b, "\u{feff}KEY=@\r\n")),
        blocks("M59", "a token in a line of a megabyte", SecretLike, |b| say(b, &format!("{}@,{}", "x,".repeat(1 << 18), "y,".repeat(1 << 18)))),
        blocks("M59", "a token in JSON three deep", SecretLike, |b| {
            let deep = (0..3).fold(format!("{{\"key\":\"{}\"}}", token()), |text, _| json!({ "in": text }).to_string());
            hide(b, deep.as_bytes());
        }),
        blocks("M59", "a token in the comment of a game", SecretLike, |b| say(b, "1. e4 {@} e5 *\n")),
        blocks("M59", "a token glued to a name", SecretLike, |b| say(b, "my_@)\n")),
        blocks("M59", "a token in color", SecretLike, |b| say(b, "\u{1b}[31m@\u{1b}[0m\n")),
        blocks("M60", "a token in UTF-16, low byte first, with a mark", SecretLike, |b| hide(b, &wide(&format!("\u{feff}the key is {}\n", token()), u16::to_le_bytes))),
        blocks("M60", "a token in UTF-16, high byte first, without a mark", SecretLike, |b| hide(b, &wide(&format!("the key is {}\n", token()), u16::to_be_bytes))),
        blocks("M60", "a token among Latin-1", SecretLike, |b| hide(b, &[b"caf\xe9 ", token().as_bytes(), b" \xe4\n"].concat())),
        blocks("M60", "a token behind a NUL", SecretLike, |b| hide(b, &[b"\0", token().as_bytes()].concat())),
        blocks("M61", "a token in base64", SecretLike, |b| encode(b, "data: @\n", |it| STANDARD.encode(it))),
        blocks("M61", "a token in base64 for URLs", SecretLike, |b| encode(b, "?d=@\n", |it| URL_SAFE.encode(format!("?>~{it}")))),
        blocks("M61", "a token in base64 of base64", SecretLike, |b| encode(b, "@\n", |it| STANDARD.encode(STANDARD.encode(it)))),
        blocks("M61", "a token in base64 of short lines", SecretLike, |b| encode(b, "@\n", |it| {
            let encoded = STANDARD.encode(format!("{} {it} {}", "a word ".repeat(9), "another ".repeat(9)));
            let lines = encoded.as_bytes().chunks(76).map(|line| String::from_utf8_lossy(line).into_owned());
            lines.collect::<Vec<_>>().join("\r\n")
        })),
        blocks("M61", "a token in hexadecimal", SecretLike, |b| encode(b, "@\n", |it| spelled(it, |byte| format!("{byte:02x}")))),
        blocks("M61", "a token in percent signs", SecretLike, |b| encode(b, "/?k=@\n", |it| spelled(it, |byte| format!("%{byte:02X}")))),
        blocks("M61", "a token in escapes of JSON", SecretLike, |b| encode(b, "\"@\"\n", |it| spelled(it, |byte| format!("\\u{byte:04x}")))),
        blocks("M61", "a token in entities", SecretLike, |b| encode(b, "<p>@</p>\n", |it| spelled(it, |byte| format!("&#{byte};")))),
        blocks("M61", "a token in quoted-printable", SecretLike, |b| encode(b, "k=3D@\n", |it| spelled(it, |byte| format!("={byte:02X}")))),
        blocks("M62", "a token with zero-width spaces in it", SecretLike, |b| encode(b, "@\n", |it| spelled(it, |byte| format!("{}\u{200b}", char::from(byte))))),
        blocks("M63", "a token in gzip without an extension", SecretLike, |b| hide(b, &gzip(token().as_bytes()))),
        blocks("M63", "a token in zip", SecretLike, |b| hide(b, &zip(&[("a", b"x"), ("b", token().as_bytes())]))),
        blocks("M63", "a token in tar in gzip", SecretLike, |b| hide(b, &gzip(&tar(&[("a", token().as_bytes())])))),
        blocks("M63", "a token in Zstandard", SecretLike, |b| hide(b, &zstd(token().as_bytes()))),
        blocks("M63", "a token six archives deep", SecretLike, |b| hide(b, &inside(6, token().into_bytes()))),
        blocks("M63", "a token deeper than anybody looks", Unscannable, |b| hide(b, &inside(12, token().into_bytes()))),
        blocks("M63", "bzip2, which nobody opens", Unscannable, |b| hide(b, b"BZh91AY&SY\0\0")),
        blocks("M63", "xz, which nobody opens", Unscannable, |b| hide(b, b"\xfd7zXZ\0\0\x04")),
        blocks("M63", "a zip file behind a picture", SecretLike, |b| hide(b, &[picture("a board"), zip(&[("a", token().as_bytes())])].concat())),
        blocks("M64", "a token in a picture's text", SecretLike, |b| hide(b, &picture(&token()))),
        blocks("M64", "a token in a database", SecretLike, |b| hide(b, &[b"SQLite format 3\0\x10\0\x01\x01", token().as_bytes(), b"\0"].concat())),
        blocks("M64", "a token in a document, which is a zip file", SecretLike, |b| hide(b, &zip(&[("word/document.xml", format!("<w:t>{}</w:t>", token()).as_bytes())]))),
        blocks("M64", "a token in the comment of a drawing", SecretLike, |b| say(b, "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- @ --></svg>\n")),
        blocks("M64", "a token in the output of a notebook", SecretLike, |b| say(b, "{\"cells\":[{\"outputs\":[{\"text\":[\"@\\n\"]}]}]}\n")),
        blocks("M64", "a pack of git, which nobody opens", Unscannable, |b| hide(b, b"PACK\0\0\0\x02\0\0\0\x01\x9d\x0e\x78\x9c")),
        blocks("M65", "a token as the name of a file", ArtifactUndeclared, |b| b.write(&format!("release/{}", token()), b"x")),
        blocks("M65", "a token as the name of a folder", ArtifactUndeclared, |b| b.write(&format!("release/{}/x", token()), b"x")),
        blocks("M65", "a token as the name of a file in the ledger", UnexpectedFile, |b| b.write(&format!("ledger/{}", token()), b"x")),
        blocks("M65", "a token as the name of a member", SecretLike, |b| hide(b, &tar(&[(&token(), b"x")]))),
        blocks("M65", "a token as the comment of a zip file", SecretLike, |b| hide(b, &commented_zip(&token()))),
        blocks("M65", "a token as the name in a gzip file", SecretLike, |b| hide(b, &named_gzip(&token()))),
        not_applicable("M65", "a token in an extended attribute", "git does not keep them, so no clone has any"),
        blocks("M66", "a token that a comment allows", SecretLike, |b| say(b, "key = \"@\" # gitleaks:allow pragma: allowlist secret nosec\n")),
        blocks("M66", "a list of what to ignore", ArtifactUndeclared, |b| b.write("release/.gitleaksignore", b"notes.md\n")),
        blocks("M67", "a token in a lock file", SecretLike, |b| pin(b, "release/Cargo.lock", "notes", format!("checksum = \"{}\"\n", token()).as_bytes())),
        blocks("M67", "a token in a vendored folder", SecretLike, |b| pin(b, "release/vendor/x/y.go", "notes", token().as_bytes())),
        blocks("M67", "a token in a minified script", SecretLike, |b| pin(b, "release/node_modules/a.min.js", "notes", format!("var a=\"{}\";", token()).as_bytes())),
        blocks("M68", "a token that holds the word example", SecretLike, |b| hide(b, (canary("openrouter") + "example").as_bytes())),
        blocks("M68", "a token that holds the alphabet", SecretLike, |b| hide(b, ["gsk", "_", "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQ"].concat().as_bytes())),
        blocks("M69", "a token longer than any was", SecretLike, |b| hide(b, (token() + &"aB3dE5gH7k".repeat(40)).as_bytes())),
        blocks("M69", "a token of a forge in its new form", SecretLike, |b| hide(b, ["gh", "s_", &"aB3dE5gH7k".repeat(12), "_", &"Kj8Hg6".repeat(40)].concat().as_bytes())),
        blocks("M70", "a token in the specification", SecretLike, |b| specify(b, "/artifacts/0/role", json!(token()))),
        blocks("M70", "a token as a key of the specification", SecretLike, |b| b.specify(|spec| spec[token()] = json!(1))),
        blocks("M70", "a token in the reason of a waiver", SecretLike, |b| waive(b, "reason", json!(token()))),
        blocks("M70", "a token in the manifest of a cohort", SecretLike, |b| b.edit(&b.only("manifests/"), |text| text.to_owned() + &token())),
        blocks("M70", "a token in a statement of what was made", SecretLike, |b| b.edit("release/provenance/board.csv.json", |text| text.to_owned() + &token())),
        blocks("M70", "a token in a line of the ledger", SecretLike, |b| append(b, &token())),
        blocks("M70", "a token in base64 in a line of the ledger", SecretLike, |b| append(b, &STANDARD.encode(token()))),
        blocks("M70", "a token in a blob of the ledger", SecretLike, smuggle),
        blocks("M71", "a private key with CR LF", SecretLike, |b| hide(b, armored("PRIVATE", "\r\n").as_bytes())),
        blocks("M71", "a private key, indented", SecretLike, |b| hide(b, armored("RSA PRIVATE", "\n    ").as_bytes())),
        blocks("M71", "a private key in JSON", SecretLike, |b| hide(b, json!({"key": armored("EC PRIVATE", "\n")}).to_string().as_bytes())),
        blocks("M71", "a private key on one line", SecretLike, |b| hide(b, armored("OPENSSH PRIVATE", " ").as_bytes())),
        blocks("M71", "a private key in base64", SecretLike, |b| hide(b, STANDARD.encode(armored("PRIVATE", "\n")).as_bytes())),
        blocks("M71", "an encrypted private key", SecretLike, |b| hide(b, armored("ENCRYPTED PRIVATE", "\n").as_bytes())),
        blocks("M71", "a private key of PuTTY", SecretLike, |b| hide(b, canary("putty-private-key").as_bytes())),
        blocks("M71", "a private key of age", SecretLike, |b| hide(b, canary("age-key").as_bytes())),
        blocks("M72", "a header in a log of requests", SecretLike, |b| hide(b, json!({"headers": [{"name": "Authorization", "value": format!("Bearer {}", token())}]}).to_string().as_bytes())),
        blocks("M72", "a password in a URL", SecretLike, |b| hide(b, ["https://ada:", "x7Kq9vLm2Zt4", "@example.org/\n"].concat().as_bytes())),
        blocks("M72", "a password in the URL of a database", SecretLike, |b| hide(b, ["postgres://ada:", "x7Kq9vLm2Zt4", "@db.example.org:5432/games\n"].concat().as_bytes())),
    ]
}

#[test]
fn the_token_of_every_rule_is_refused_by_an_audit() {
    let bundle = Bundle::new();
    let canaries: Vec<_> = Scanner::canaries().collect();
    let files = canaries.iter().map(|(_, canary)| format!("({canary})\n\n"));
    let members: Vec<_> = (0..).map(|n: u32| n.to_string()).zip(files).collect();
    let members: Vec<_> = members
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_bytes()))
        .collect();
    hide(&bundle, &tar(&members));
    let outcome = bundle.run(&["audit", "--format", "json"]);
    assert_eq!(outcome.code, 1);
    for (at, (rule, canary)) in canaries.iter().enumerate() {
        let is_told = outcome.out.contains(rule);
        assert!(is_told, "rule {rule}, member {at}");
        assert!(!outcome.out.contains(canary), "{rule} is shown");
    }
}
