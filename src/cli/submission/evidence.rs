use std::path::Path;

use crate::cli::error::CliError;
use crate::cli::project::Project;
use crate::cli::reading::fold_with;
use crate::finding::{Code, Finding, visible};
use crate::ledger::{Disk, LedgerError, Policy, Prefix, SignedCheckpoint, all_checkpoints};
use crate::projection::{Projection, Source};
use crate::submission::{Derived, EvidencePart, Marked, Observed, Reading, Submission, reconcile};

/// The ledger of a submission: the one in its folder, unless another one is named.
pub(crate) fn ledger_of(project: &Project, folder: &Path) -> Disk {
    let beside = folder.join(LEDGER);
    if project.ledger == Path::new(LEDGER) && beside.is_dir() {
        return Disk::new(beside);
    }
    project.disk()
}

/// The folder of a ledger, where nobody says otherwise.
const LEDGER: &str = "ledger";

/// Returns what a submission says other than its raw events.
pub(crate) fn check_evidence(
    reading: &Reading,
    submission: &Submission,
    disk: &Disk,
    policy: Option<&Policy>,
) -> Result<Vec<Marked>, CliError> {
    let evidence = &submission.evidence;
    let mut observed = Observed::new(evidence.cohort.clone(), evidence.system);
    let found = match fold(evidence, disk, &mut observed)? {
        Ok(found) => found,
        Err(fault) => return Ok(vec![fault.marked(reading)]),
    };
    let derived = Derived::of(
        &found.projection,
        &found.source,
        &observed,
        (&evidence.cohort, &evidence.system),
        &cosigned(disk, policy)?,
    );
    Ok(match derived {
        Ok(derived) => reconcile(reading, submission, &derived),
        Err(why) => {
            let expected = "raw events of this cohort and system";
            vec![Fault::new("/evidence", expected, why.to_string()).marked(reading)]
        }
    })
}

/// The raw events that a submission names.
struct Found {
    projection: Projection,
    source: Source,
}

/// Why there are none.
struct Fault {
    pointer: &'static str,
    expected: String,
    found: String,
}

impl Fault {
    fn new(pointer: &'static str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            pointer,
            expected: expected.into(),
            found: found.into(),
        }
    }

    fn marked(self, reading: &Reading) -> Marked {
        let expected = format!("{}: {}", self.pointer, self.expected);
        reading.mark(self.pointer, |place| {
            let finding = Finding::new(Code::SubmissionEvidence, place, expected, self.found);
            if self.pointer == "/evidence" {
                return finding;
            }
            let remedy = "name the prefix and the ledger that the figures were computed from";
            finding.with_remedy(remedy)
        })
    }

    fn damaged(shown: &str, findings: &[Finding]) -> Self {
        let first = findings.first();
        let first = first.map(|one| format!(": {} at {}", one.code, one.place));
        let first = first.unwrap_or_default();
        Self::new(
            "/evidence",
            format!("a whole ledger in {shown}"),
            format!("a damaged one{first}; see scoresheet verify"),
        )
    }
}

/// Folds the prefix that a submission names, and holds it against the checkpoint.
fn fold(
    evidence: &EvidencePart,
    disk: &Disk,
    observed: &mut Observed,
) -> Result<Result<Found, Fault>, CliError> {
    let shown = visible(&disk.root().display().to_string());
    if !disk.root().is_dir() {
        let expected = format!("a ledger of raw events in {shown}");
        return Ok(Err(Fault::new("/evidence", expected, "no folder")));
    }
    let prefix = match Prefix::open(disk) {
        Ok(prefix) => prefix,
        Err(LedgerError::Damaged { findings }) => {
            return Ok(Err(Fault::damaged(&shown, &findings)));
        }
        Err(error) => return Err(error.into()),
    };
    let (origin, size) = (&prefix.description().origin, evidence.checkpoint.size.get());
    if *origin != evidence.ledger {
        let expected = format!("`{origin}`, the ledger in {shown}");
        return Ok(Err(Fault::new(
            "/evidence/ledger",
            expected,
            "another name",
        )));
    }
    if prefix.size() < size {
        let expected = format!("at most the {} events of the ledger", prefix.size());
        let pointer = "/evidence/checkpoint/size";
        return Ok(Err(Fault::new(pointer, expected, size.to_string())));
    }
    let (projection, source) = match fold_with(&prefix, size, |_, event| observed.take(event)) {
        Ok(folded) => folded,
        Err(CliError::Damaged(findings)) => return Ok(Err(Fault::damaged(&shown, &findings))),
        Err(error) => return Err(error),
    };
    let root = source.checkpoint().root;
    if root != evidence.checkpoint.root {
        let expected = format!("`{root}`, the root of the first {size} events");
        let pointer = "/evidence/checkpoint/root";
        return Ok(Err(Fault::new(pointer, expected, "another root")));
    }
    let mut contradictions = projection.findings.iter();
    if let Some(first) = contradictions.find(|finding| finding.is_blocker()) {
        let expected = "raw events that do not contradict one another";
        let found = format!("{} at {}; see scoresheet verify", first.code, first.place);
        return Ok(Err(Fault::new("/evidence", expected, found)));
    }
    Ok(Ok(Found { projection, source }))
}

/// The sizes of stored checkpoints that are right and that witnesses co-signed, as
/// many as the policy asks for; none without a policy, which says whose word counts.
fn cosigned(disk: &Disk, policy: Option<&Policy>) -> Result<Vec<u64>, CliError> {
    let Some(policy) = policy else {
        return Ok(Vec::new());
    };
    let prefix = Prefix::open(disk)?;
    let stored = all_checkpoints(disk, &prefix.description().origin)?;
    let witnessed = stored.iter().filter(|stored| {
        let judgement = policy.judge(stored);
        judgement.is_ok_and(|judgement| judgement.quorum.is_some())
    });
    let mut sizes = Vec::new();
    for checkpoint in witnessed.map(SignedCheckpoint::checkpoint) {
        if prefix.root_at(checkpoint.size)? == checkpoint.root {
            sizes.push(checkpoint.size);
        }
    }
    Ok(sizes)
}
