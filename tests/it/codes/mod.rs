//! Every code: what it says, and the smallest change that raises it.

mod allocation;
pub(crate) mod claims;
mod events;
mod imports;
mod ladder;
mod ledger;
mod oracle;
mod positions;
mod puzzles;
pub(crate) mod release;
pub(crate) mod submissions;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use scoresheet::finding::{Code, Place, Severity};

use crate::bundle::Bundle;

/// A project that does not raise a code, and a change after which it does.
pub(crate) struct Case {
    code: Code,
    start: fn() -> Bundle,
    change: fn(&Bundle),
    look: Look,
}

/// Who looks.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    Verify,
    Draft,
    Publication,
    Reproduce,
    /// An audit during which somebody else changes this file.
    Meddled(&'static str),
    /// `verify` under a policy that names this key of the ledger and no witness.
    Policy(&'static str),
    /// `check-proof` of a file of the project.
    Proof(&'static str),
    /// `submission check` of the document in its folder.
    Submission,
    /// The schema of an event, which no command asks yet, at this document.
    Schema(&'static str),
}

/// A case that begins with the smallest published project.
pub(crate) const fn case(code: Code, look: Look, change: fn(&Bundle)) -> Case {
    Case {
        code,
        start: Bundle::new,
        change,
        look,
    }
}

fn cases() -> Vec<Case> {
    let ladder = ladder::cases();
    let (events, puzzles) = (events::cases(), puzzles::cases());
    let oracle = oracle::cases();
    [
        allocation::cases(),
        ledger::cases(),
        events,
        imports::cases(),
        ladder,
        oracle,
        puzzles,
        positions::cases(),
        claims::cases(),
        release::cases(),
        submissions::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Look {
    const fn args(self) -> &'static [&'static str] {
        match self {
            Self::Verify => &["verify", "--format", "json"],
            Self::Draft => &["audit", "--mode", "draft", "--format", "json"],
            Self::Publication | Self::Meddled(_) => &["audit", "--format", "json"],
            Self::Reproduce => &["reproduce", "--format", "json"],
            Self::Submission => &["submission", "check", "--format", "json"],
            Self::Policy(_) | Self::Proof(_) | Self::Schema(_) => &[],
        }
    }

    /// The file that the audit leaves behind.
    const fn manifest(self) -> Option<&'static str> {
        match self {
            Self::Verify
            | Self::Reproduce
            | Self::Policy(_)
            | Self::Proof(_)
            | Self::Submission
            | Self::Schema(_) => None,
            Self::Draft => Some("release/audits/draft.json"),
            Self::Publication | Self::Meddled(_) => Some("release/audits/publication.json"),
        }
    }

    /// The codes that are found, and the exit code.
    fn codes(self, bundle: &Bundle) -> (BTreeSet<String>, u8) {
        if let Self::Schema(file) = self {
            let document = serde_json::from_slice(&bundle.read(file)).unwrap();
            let violations = scoresheet::schema::check("ledger.opened.v1", &document).unwrap();
            let found = violations.findings(&Place::file(file)).into_iter();
            let codes: BTreeSet<_> = found.map(|finding| finding.code.to_string()).collect();
            let exit = u8::from(!codes.is_empty());
            return (codes, exit);
        }
        let mut args = self.args().to_vec();
        let file = match self {
            Self::Policy(path) | Self::Proof(path) => bundle.at(path),
            _ => bundle.at(""),
        };
        let file = file.to_str().unwrap();
        match self {
            Self::Policy(_) => args.extend(["verify", "--format", "json", "--policy", file]),
            Self::Proof(_) => args.extend(["check-proof", "--format", "json", file]),
            Self::Submission => args.push(file),
            _ => {}
        }
        let outcome = bundle.run(&args);
        let codes = codes_of(outcome.out.as_bytes());
        if let Some(path) = self.manifest() {
            assert_eq!(codes, codes_of(&bundle.read(path)), "the manifest on disk");
        }
        (codes, outcome.code)
    }

    /// As `codes`, while somebody changes a file now and then.
    fn codes_while_meddled(self, bundle: &Bundle, file: &str) -> (BTreeSet<String>, u8) {
        let path = bundle.at(file);
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for mode in [0o644, 0o600].into_iter().cycle() {
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
                }
            });
            let found = self.codes(bundle);
            is_over.store(true, Ordering::Relaxed);
            found
        })
    }
}

fn codes_of(report: &[u8]) -> BTreeSet<String> {
    let report: serde_json::Value = serde_json::from_slice(report).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let code = |finding: &serde_json::Value| finding["code"].as_str().unwrap().to_owned();
    findings.map(code).collect()
}

#[test]
fn every_code_is_raised_by_its_change_and_not_without() {
    for case in cases() {
        let bundle = (case.start)();
        let code = case.code.as_str();
        let (before, _) = case.look.codes(&bundle);
        assert!(!before.contains(code), "{code} without the change");
        (case.change)(&bundle);
        let (after, exit) = match case.look {
            // Whoever meddles may be late.
            Look::Meddled(file) => (0..50)
                .map(|_| case.look.codes_while_meddled(&bundle, file))
                .find(|(codes, _)| codes.contains(code))
                .unwrap_or_default(),
            _ => case.look.codes(&bundle),
        };
        assert!(after.contains(code), "{code} is not in {after:?}");
        let is_blocker = case.code.severity() == Severity::Blocker;
        assert_eq!(exit, u8::from(is_blocker), "{code} among {after:?}");
    }
}

#[test]
fn every_code_has_a_case() {
    let raised: BTreeSet<Code> = cases().iter().map(|case| case.code).collect();
    let missing: Vec<_> = Code::ALL
        .iter()
        .filter(|code| !raised.contains(code))
        .collect();
    assert!(missing.is_empty(), "without a case: {missing:?}");
}

/// The page of all codes, as `docs/findings.md` has it.
fn page() -> String {
    let mut page = "# Findings\n\nWhat `scoresheet audit explain CODE` says, of every code, in the order in which rules speak. A blocker\nkeeps a release from being published; a warning and a note do not.\n".to_owned();
    for code in Code::ALL {
        let (severity, what, why) = (code.severity(), code.what(), code.why());
        let (remedy, example) = (code.remedy(), code.example());
        writeln!(
            page,
            "\n## `{code}`\n\n{what} ({severity})\n\n- Why: {why}\n- What to do: {remedy}.\n- For example: {example}"
        )
        .unwrap();
    }
    page
}

#[test]
fn every_code_has_its_page_and_is_explained_in_the_same_words() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/findings.md");
    if crate::tool::environment("SCORESHEET_BLESS").is_some() {
        fs::write(&path, page()).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == page(),
        "docs/findings.md says other than the codes; SCORESHEET_BLESS=1 rewrites it"
    );
    let nowhere = Bundle::empty();
    for code in Code::ALL {
        let said = nowhere.must(&["audit", "explain", code.as_str()]);
        for text in [code.what(), code.why(), code.remedy(), code.example()] {
            assert!(said.contains(text), "{code}: {said}");
        }
        for sentence in [code.what(), code.why(), code.example()] {
            assert!(sentence.ends_with('.'), "{code}: {sentence}");
        }
    }
}

#[test]
fn codes_say_what_they_said() {
    let mut text = String::new();
    for code in Code::ALL {
        let (severity, what, remedy) = (code.severity(), code.what(), code.remedy());
        writeln!(text, "{code} ({severity})\n  {what}\n  {remedy}\n").unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codes.txt");
    if crate::tool::environment("SCORESHEET_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == text,
        "tests/codes.txt says other than the codes; SCORESHEET_BLESS=1 rewrites it"
    );
    let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    for name in names {
        let is_kebab = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(name.chars().all(is_kebab), "{name}");
    }
}
