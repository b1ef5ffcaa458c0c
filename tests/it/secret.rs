//! Every rule fires wherever a token of its kind may stand, and on nothing
//! that evidence is full of; and this repository holds no credential.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use scoresheet::digest::Digest;
use scoresheet::finding::Place;
use scoresheet::secret::{Hit, Scanner, redacted_excerpt};
use scoresheet::tree::Tree;

const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const SMALL: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &str = "0123456789abcdef";

/// Returns text that looks random and is the same in every run.
fn random(alphabet: &str, n: usize) -> String {
    let digests = (0_u32..).flat_map(|block| *Digest::of(&block.to_be_bytes()).as_bytes());
    let letters = alphabet.as_bytes();
    let letter = |byte: u8| char::from(letters[usize::from(byte) % letters.len()]);
    digests.map(letter).take(n).collect()
}

/// A credential that was never one: what stands before it, what is the same in
/// all of its kind, and the rest. It is put together here because the
/// repository has to scan clean.
struct Sample(&'static str, &'static str, String);

#[rustfmt::skip]
fn samples() -> Vec<(&'static str, Sample)> {
    let jwt = || format!("{}.{}.{}", random(ALNUM, 20), random(SMALL, 30), random(BASE64, 20).replace(['+', '/'], "-"));
    let tokens = [
        ("encoded-private-key", "LS0tLS1CRUdJTiBQUklWQVRF", random(BASE64, 80)),
        ("age-key", "AGE-SECRET-KEY-1", random(CAPITALS, 58)),
        ("note-signing-key", concat!("PRIVATE", "+KEY+"), format!("example.org/log+{}+{}", random(HEX, 8), random(BASE64, 44))),
        ("openrouter", "sk-or-", format!("v1-{}", random(HEX, 64))),
        ("anthropic", "sk-ant-", format!("api03-{}", random(ALNUM, 95))),
        ("openai", "sk-proj-", random(ALNUM, 48)),
        ("openai", "sk-svcacct-", random(ALNUM, 48)),
        ("langfuse", "sk-lf-", random(HEX, 36)),
        ("secret-key", "sk-", random(ALNUM, 48)),
        ("secret-key", "sk-", random(HEX, 32)),
        ("google", "AIza", random(ALNUM, 35)),
        ("google-auth", "ya29.", random(ALNUM, 60)),
        ("google-auth", "AQ.Ab", random(ALNUM, 48)),
        ("google-client", "GOCSPX-", random(ALNUM, 28)),
        ("xai", "xai-", random(ALNUM, 80)),
        ("groq", "gsk_", random(ALNUM, 52)),
        ("hugging-face", "hf_", random(LETTERS, 34)),
        ("replicate", "r8_", random(ALNUM, 37)),
        ("together", "tgp_v1_", random(ALNUM, 43)),
        ("fireworks", "fw_", random(ALNUM, 24)),
        ("perplexity", "pplx-", random(ALNUM, 48)),
        ("nvidia", "nvapi-", random(ALNUM, 64)),
        ("cerebras", "csk-", random(SMALL, 48)),
        ("langsmith", "lsv2_", format!("pt_{}", random(HEX, 32))),
        ("elevenlabs", "sk_", random(HEX, 48)),
        ("azure-key", "", format!("{}{}{}", random(ALNUM, 52), "JQQJ99", random(ALNUM, 26))),
        ("azure-client", "", format!("{}{}{}", "abc8", "Q~", random(ALNUM, 34))),
        ("bedrock", "ABSK", random(BASE64, 128)),
        ("aws", "AKIA", random(CAPITALS, 16)),
        ("github", "ghp_", random(ALNUM, 36)),
        ("github", "ghs_", format!("1234_eyJ{}", jwt())),
        ("github", "github_pat_", random(ALNUM, 82)),
        ("gitlab", "glpat-", random(ALNUM, 20)),
        ("slack", "xoxb-", format!("{}-{}", random("0123456789", 12), random(ALNUM, 24))),
        ("slack-hook", "hooks.slack.com/", format!("services/T0{}", random(ALNUM, 40))),
        ("npm", "npm_", random(ALNUM, 36)),
        ("pypi", "pypi-AgE", random(ALNUM, 150)),
        ("crates-io", "cio", random(ALNUM, 32)),
        ("docker", "dckr_pat_", random(ALNUM, 27)),
        ("stripe", "sk_live_", random(ALNUM, 24)),
        ("sendgrid", "SG.", format!("{}.{}", random(ALNUM, 22), random(ALNUM, 43))),
        ("twilio", "SK", random(HEX, 32)),
        ("mongodb", "mdb_sa_sk_", random(ALNUM, 40)),
        ("other-service", "dop_v1_", random(HEX, 64)),
        ("jwt", "eyJ", jwt()),
    ];
    let named = [
        ("authorization", "Authorization: Bearer ", random(ALNUM, 24)),
        ("authorization", r#"{\"authorization\":\"Basic "#, random(BASE64, 24)),
        ("key-header", "x-api-key: ", random(ALNUM, 32)),
        ("userinfo", "postgres://me:", format!("{}@db", random(ALNUM, 12))),
        ("password-parameter", "jdbc:x://db?user=me&password=", random(ALNUM, 12)),
        ("docker-auth", r#"{"auth": ""#, random(BASE64, 24)),
        ("npm-auth", "//npm/:_authToken=", random(HEX, 32)),
        ("connection-string", "AccountName=me;AccountKey=", random(BASE64, 86)),
        ("aws-secret", "AWS_SECRET_ACCESS_KEY=", random(BASE64, 40)),
        ("named-key", r#""apiKey": ""#, random(HEX, 32)),
        ("vendor-key", "mistral_key = ", random(ALNUM, 32)),
        ("named-token", "token: ", random(ALNUM, 32)),
    ];
    let tokens = tokens.map(|(rule, prefix, rest)| (rule, Sample("", prefix, rest)));
    let named = named.map(|(rule, before, rest)| (rule, Sample(before, "", rest)));
    tokens.into_iter().chain(named).collect()
}

/// The texts of all samples.
pub(crate) fn sample_texts() -> Vec<String> {
    let text = |(_, Sample(named, prefix, rest)): (_, Sample)| format!("{named}{prefix}{rest}");
    samples().into_iter().map(text).collect()
}

/// Returns the rules that speak of all of those bytes.
fn rules_over(scanner: &Scanner, text: &str, start: usize, end: usize) -> Vec<&'static str> {
    let hits = scanner.scan(text.as_bytes()).into_iter();
    let over = hits.filter(|hit| hit.start <= start && end <= hit.end);
    over.map(|hit| hit.rule).collect()
}

#[test]
fn every_rule_fires_whatever_stands_before_and_after() {
    let scanner = Scanner::new();
    let befores = [
        "",
        " ",
        "\"",
        "'",
        "(",
        "[",
        "{",
        ">",
        ",",
        "&x=",
        "\\n",
        "%3D",
        "\u{1b}[31m",
        "é",
        "\0",
    ];
    let afters = [
        "",
        " ",
        "\"",
        "'",
        ")",
        "]",
        "}",
        "<",
        ",",
        ".",
        ";",
        "&",
        "|",
        "\u{1b}[0m",
        "\\n",
        "\r\n",
        "é",
        "\0",
    ];
    for (rule, Sample(named, prefix, rest)) in samples() {
        for before in befores {
            for after in afters {
                let text = format!("x{before}{named}{prefix}{rest}{after}");
                let text = text
                    .strip_prefix(if before.is_empty() { "x" } else { "" })
                    .unwrap();
                let end = text.len() - after.len();
                let start = end - prefix.len() - rest.len();
                let host = if rule == "userinfo" { "@db".len() } else { 0 };
                let rules = rules_over(&scanner, text, start, end - host);
                // A rule of names may see more of the text, and then it speaks.
                let is_plain = before.is_empty() && after.is_empty();
                let fires = rules.contains(&rule) || !is_plain && !rules.is_empty();
                assert!(fires, "{rule} between {before:?} and {after:?}: {rules:?}");
            }
        }
    }
}

#[test]
fn private_keys_of_all_forms_are_found_with_their_bodies() {
    let scanner = Scanner::new();
    let body = random(BASE64, 64);
    for kind in ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "] {
        for newline in ["\n", "\r\n", "\\n", "\\r\\n", " ", "\n    ", "\" +\n\"", ""] {
            let begin = format!("-----BEGIN {kind}{}", "PRIVATE KEY-----");
            let end = format!("-----END {kind}{}", "PRIVATE KEY-----");
            let text = format!("{begin}{newline}{body}{newline}{body}=={newline}{end}");
            assert_eq!(
                rules_over(&scanner, &text, 0, text.len()),
                ["private-key"],
                "{text}"
            );
            // Even the header alone, and a key that was cut off.
            assert_eq!(
                rules_over(&scanner, &begin, 0, begin.len()),
                ["private-key"]
            );
            let cut = format!("{begin}{newline}{body}");
            assert_eq!(rules_over(&scanner, &cut, 0, cut.len()), ["private-key"]);
        }
    }
    let encrypted = format!(
        "-----BEGIN RSA {}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n{body}\n",
        "PRIVATE KEY-----"
    );
    assert_eq!(
        rules_over(&scanner, &encrypted, 0, encrypted.len()),
        ["private-key"]
    );
    for (rule, begin, end) in [
        ("private-key", "-----BEGIN PGP ", "PRIVATE KEY BLOCK-----"),
        (
            "ssh2-private-key",
            "---- BEGIN SSH2 ",
            "ENCRYPTED PRIVATE KEY ----",
        ),
        (
            "putty-private-key",
            "PuTTY-User-Key-File-",
            "3: ssh-ed25519",
        ),
    ] {
        let text = format!("{begin}{end}");
        assert_eq!(rules_over(&scanner, &text, 0, text.len()), [rule]);
    }
    let public = format!(
        "-----BEGIN {}\n{body}\n-----END {}",
        "PUBLIC KEY-----", "PUBLIC KEY-----"
    );
    assert_eq!(scanner.scan(public.as_bytes()), []);
}

#[test]
fn every_rule_finds_its_own_canary() {
    let scanner = Scanner::new();
    assert_eq!(scanner.prove(), Ok(()));
    for (rule, canary) in Scanner::canaries() {
        for (before, after) in [
            ("", ""),
            ("(", ")"),
            ("> ", "<"),
            ("\"", "\","),
            ("{", ". "),
        ] {
            let text = format!("{before}{canary}{after}");
            let hits = scanner.scan(text.as_bytes());
            assert!(!hits.is_empty(), "{rule} in {before:?} and {after:?}");
        }
    }
}

/// A text in another spelling.
type Spelling = (&'static str, fn(&str) -> Vec<u8>);

#[rustfmt::skip]
const SPELLINGS: [Spelling; 14] = [
    ("JSON escapes", |text| each_char(text, |c| format!("\\u{:04x}", u32::from(c)))),
    ("JSON in JSON", |text| each_char(text, |c| format!("\\\\u{:04X}", u32::from(c)))),
    ("hex escapes", |text| each_char(text, |c| format!("\\x{:02x}", u32::from(c)))),
    ("percent", |text| each_char(text, |c| format!("%{:02X}", u32::from(c)))),
    ("entities", |text| each_char(text, |c| format!("&#{};", u32::from(c)))),
    ("hex entities", |text| each_char(text, |c| format!("&#x{:x};", u32::from(c)))),
    ("zero-width", |text| each_char(text, |c| format!("{c}\u{200b}"))),
    ("base64", |text| STANDARD.encode(text).into_bytes()),
    ("base64url", |text| URL_SAFE_NO_PAD.encode(format!("?>{text}")).into_bytes()),
    ("base64 twice", |text| STANDARD.encode(STANDARD.encode(text)).into_bytes()),
    ("base64 in lines", |text| {
        let encoded = STANDARD.encode(format!("{}{text}", "what stands before it; ".repeat(4)));
        let lines = encoded.as_bytes().chunks(76);
        lines.collect::<Vec<_>>().join(&b"\r\n"[..])
    }),
    ("hex", |text| each_char(text, |c| format!("{:02x}", u32::from(c)))),
    ("UTF-16LE", |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
    ("UTF-16BE", |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
];

fn each_char(text: &str, spelled: impl Fn(char) -> String) -> Vec<u8> {
    text.chars().map(spelled).collect::<String>().into_bytes()
}

#[test]
fn every_rule_finds_its_canary_however_it_is_spelled_and_says_where() {
    let scanner = Scanner::new();
    for (rule, canary) in Scanner::canaries() {
        for (name, spelled) in SPELLINGS {
            let spelled = spelled(&format!(" {canary} "));
            let text = [b"\"first\":\"", &*spelled, b"\", \"second\""].concat();
            let hits = scanner.scan(&text);
            let range = 9..9 + spelled.len();
            let is_inside = |hit: &Hit| range.contains(&hit.start) && rule == hit.rule;
            assert!(hits.iter().any(is_inside), "{rule} in {name}: {hits:?}");
            let shown = hits.iter().map(|hit| redacted_excerpt(&text, hit));
            assert!(shown.clone().all(|text| text.starts_with('…')), "{name}");
        }
    }
}

#[test]
fn what_is_only_spelled_is_redacted_too() {
    let scanner = Scanner::new();
    for (_, canary) in Scanner::canaries().step_by(5) {
        for (name, spelled) in SPELLINGS {
            let text = String::from_utf8_lossy(&spelled(&canary)).into_owned();
            let redacted = scanner.redacted(&text);
            assert_eq!(scanner.scan(redacted.as_bytes()), [], "{name}: {redacted}");
        }
    }
}

#[test]
fn a_long_prefix_may_be_glued_to_a_word_and_a_short_one_may_not() {
    let scanner = Scanner::new();
    for glue in ["key_", "Key"] {
        let text = format!("my{glue}{}{}", "sk-or-", random(ALNUM, 60));
        assert_eq!(scanner.scan(text.as_bytes()).len(), 1, "{text}");
    }
    let short = format!("{}{}", "sk-", random(ALNUM, 60));
    assert_eq!(scanner.scan(format!("a_{short}").as_bytes()).len(), 1);
    assert_eq!(scanner.scan(format!("ri{short}").as_bytes()), []);
}

#[test]
fn filler_is_no_credential() {
    let scanner = Scanner::new();
    for (rule, Sample(named, prefix, rest)) in samples() {
        let filler: String = rest
            .chars()
            .map(|c| if c.is_alphanumeric() { 'x' } else { c })
            .collect();
        let text = format!("{named}{prefix}{filler}");
        assert_eq!(scanner.scan(text.as_bytes()), [], "{rule}: {text}");
    }
}

#[test]
fn what_evidence_is_full_of_is_no_credential() {
    let hex = Digest::of(b"x").to_string();
    let base64 = format!("{}=", random(BASE64, 43));
    let uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";
    for text in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq e3 0 1",
        "[Event \"Anchored 3\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 {[%clk 0:03:00]} Nc6 3. Bb5 a6 1/2-1/2",
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
        "id name Stockfish 15.1; option name EvalFile type string default nn-ad9b42354671.nnue",
        &format!(
            "{{\"digest\":\"{hex}\",\"root\":\"{hex}\",\"key\":\"{hex}\",\"commitment\":\"{hex}\"}}"
        ),
        &format!(
            "{{\"body\":\"sha256-{base64}\",\"token_digest\":\"{hex}\",\"cancel_token\":\"{uuid}\"}}"
        ),
        &format!(
            "{{\"completion_tokens\":1234,\"prompt_tokens\":98765,\"request_id\":\"gen-1731000000-{}\"}}",
            random(ALNUM, 20)
        ),
        &format!(
            "req_{} msg_{} chatcmpl-{}",
            random(ALNUM, 24),
            random(ALNUM, 24),
            random(ALNUM, 29)
        ),
        "{\"model\":\"mistralai/mistral-large-2411\",\"route\":\"https://openrouter.ai/api/v1/chat/completions\"}",
        "Authorization: Bearer $OPENROUTER_API_KEY and api_key = \"YOUR_API_KEY_GOES_HERE\"",
        "https://example.org:8080/a@b and https://${user}:${password}@host and git@example.org:a/b.git",
        "the risk-adjusted task-oriented disk-based asia-pacific AQ.1 SKILL eyJ Q~ SG.1 fw_set_value_of_register",
        "checksum = \"41d60ef07df457506a0a1a2073112eb4aae5733dbd2813c3da77d1b0fd441158\"",
    ] {
        let scanner = Scanner::new();
        let shown: Vec<_> = scanner
            .scan(text.as_bytes())
            .iter()
            .map(|hit| format!("{}: {}", hit.rule, &text[hit.start..hit.end]))
            .collect();
        assert_eq!(shown, [""; 0], "{text}");
    }
}

#[test]
fn an_excerpt_shows_the_public_prefix_and_no_more() {
    let scanner = Scanner::new();
    for (_, Sample(named, prefix, rest)) in samples() {
        let text = format!("{named}{prefix}{rest}");
        for hit in scanner.scan(text.as_bytes()) {
            let excerpt = redacted_excerpt(text.as_bytes(), &hit);
            let shown = excerpt.split('…').next().unwrap();
            assert!(prefix.starts_with(shown) && shown.len() < 18, "{excerpt}");
        }
    }
}

#[test]
fn what_is_redacted_scans_clean_though_one_credential_hides_the_next() {
    let scanner = Scanner::new();
    let texts = sample_texts();
    for (first, second) in texts.iter().zip(texts.iter().rev()) {
        let glued = format!("{first}{second}");
        for text in [&glued, &glued.repeat(2), &glued.repeat(20)] {
            let redacted = scanner.redacted(text);
            assert_eq!(scanner.scan(redacted.as_bytes()), [], "{redacted}");
        }
    }
}

#[test]
fn this_repository_holds_no_credential() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tree = Tree::open(root).unwrap();
    let scanner = Scanner::new();
    let mut n_files = 0;
    for path in crate::tool::tracked_files(root) {
        let read = tree.read(&path.parse().unwrap(), 1 << 28).unwrap();
        let findings = scanner.findings(&Place::file(path), read.bytes());
        let shown: Vec<_> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(shown, [""; 0]);
        n_files += 1;
    }
    assert!(20 < n_files, "only {n_files} files were scanned");
}
