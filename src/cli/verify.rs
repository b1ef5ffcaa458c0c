use std::path::PathBuf;

use crate::cli::corrections::answered_json;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::policy::{in_json, read_policy};
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted, progress_bar};
use crate::finding::{Code, Finding, Place, any_blocker, visible};
use crate::ledger::{
    Disk, LedgerError, Policy, PolicyRefusal, PrivateCounts, SignedCheckpoint, Verification,
    all_checkpoints, verify, verify_hashes,
};
use crate::projection::{AnsweredFinding, Projection};
use crate::secret::Scanner;

/// Recompute the whole ledger from its bytes.
///
/// Reads every line of every segment, checks its form, its hash and its
/// references, adds up the Merkle tree, compares it with the head, the segment
/// index and the checkpoints, looks at every other file of the ledger, and
/// replays every game. Names the file, line and event that is wrong. With
/// --policy, a stored checkpoint must be signed as it demands, and the verdict
/// says how many events came later; without,
/// no signature is checked.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only hash the lines: whether a ledger that was verified is still the same.
    ///
    /// Holds every byte against head, segment index, checkpoints and the names
    /// of files, several times as fast, and reads no event: the verdict is
    /// `unchanged`, which is less than `sound`.
    #[arg(long)]
    hashes: bool,

    /// Whose signatures count, and how many.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// How to report.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let policy = args.policy.as_deref().map(read_policy).transpose()?;
    let looked = if args.hashes {
        look_at_hashes(disk).map(|verification| (verification, Vec::new()))
    } else {
        look(disk)
    };
    let mut answered = Vec::new();
    let (mut findings, verification) = match looked {
        Ok((verification, by_corrections)) => {
            answered = by_corrections;
            (verification.findings.clone(), Some(verification))
        }
        // A ledger that is there and says nothing right is evidence, not an accident.
        Err(LedgerError::Damaged { findings }) => (findings, None),
        Err(error) => return Err(error.into()),
    };
    let mut vouched = None;
    if let Some(verification) = &verification {
        let vouching = vouching(disk, verification, policy.as_ref())?;
        findings.extend(vouching.findings.iter().cloned());
        vouched = Some(vouching);
    }
    // Names of files and keys come from evidence too.
    let redacted = |finding: &mut Finding| {
        *finding = Scanner::shared().redacted_finding(finding.clone());
    };
    findings.iter_mut().for_each(redacted);
    match args.format {
        ReportFormat::Text => {
            screen.findings(&findings);
            if let Some(private) = verification.as_ref().and_then(private_in_words) {
                screen.line(&private);
            }
            if !answered.is_empty() {
                screen.line(&format!(
                    "{} answered by corrections; see scoresheet corrections --findings",
                    counted(answered.len(), "finding")
                ));
            }
            let verdict = verdict(&findings, verification.as_ref(), vouched.as_ref());
            screen.line(&verdict);
        }
        ReportFormat::Json => {
            let mut report = json(&findings, verification.as_ref(), vouched.as_ref());
            if !answered.is_empty() {
                report["answered"] = answered.iter().map(answered_json).collect();
            }
            screen.line(&format!("{report:#}"));
        }
    }
    Ok(Exit::of(&findings))
}

/// Verifies a ledger and folds it in one pass; the findings of both, and those
/// that corrections answer.
fn look(disk: &Disk) -> Result<(Verification, Vec<AnsweredFinding>), LedgerError> {
    let (looked, projection) = look_with(disk, Projection::forgetful())?;
    let has_corrections = projection.corrections.iter().next().is_some();
    let (mut verification, mut projection) = if !projection.knows_every_call() && has_corrections {
        // An event speaks of a call that was over. Of which game it is decides
        // whether a correction answers for it: all calls are remembered then.
        look_with(disk, Projection::default())?
    } else {
        (looked, projection)
    };
    verification.findings.append(&mut projection.findings);
    Ok((verification, projection.answered))
}

fn look_with(
    disk: &Disk,
    mut projection: Projection,
) -> Result<(Verification, Projection), LedgerError> {
    let bar = progress_bar("verifying");
    let progress = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let verification = verify(disk, &progress, &mut |_, event| projection.apply(event))?;
    bar.finish_and_clear();
    Ok((verification, projection))
}

/// Hashes a ledger; the findings.
fn look_at_hashes(disk: &Disk) -> Result<Verification, LedgerError> {
    let bar = progress_bar("hashing");
    let verification = verify_hashes(disk, &|done, total| {
        bar.set_length(total);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    Ok(verification)
}

/// Who vouches for the ledger: in words, for programs, and what is wrong with it.
struct Vouching {
    words: String,
    json: serde_json::Value,
    findings: Vec<Finding>,
}

/// Looks at the signatures below the stored checkpoints. Whether the texts above
/// them are right is found elsewhere.
fn vouching(
    disk: &Disk,
    verification: &Verification,
    policy: Option<&Policy>,
) -> Result<Vouching, LedgerError> {
    let stored = match all_checkpoints(disk, &verification.origin) {
        Err(LedgerError::Damaged { .. }) => Vec::new(),
        stored => stored?,
    };
    let place = |stored: &SignedCheckpoint| Place::file(stored.checkpoint().path());
    let Some(policy) = policy else {
        let newest = stored.iter().rev().find(|stored| stored.is_signed());
        let names = newest.map(|newest| newest.signers().into_iter().map(visible));
        let names: Option<Vec<_>> = names.map(Iterator::collect);
        let size = newest.map(|newest| newest.checkpoint().size);
        return Ok(Vouching {
            words: match (size, &names) {
                (Some(size), Some(names)) => {
                    format!("signed at size {size} by {} (unchecked)", names.join(", "))
                }
                _ => "unsigned".to_owned(),
            },
            json: serde_json::json!({"claimed_signers": names, "checked": false, "size": size}),
            findings: Vec::new(),
        });
    };
    let mut findings = Vec::new();
    // Not all of them must be signed as demanded, but no signature may be false.
    let judged: Vec<_> = stored
        .iter()
        .rev()
        .map(|stored| (stored, policy.judge(stored)))
        .collect();
    for (stored, judgement) in &judged {
        if let Err(refusal @ PolicyRefusal::Wrong { .. }) = judgement {
            findings.push(refusal.finding(place(stored)));
        }
    }
    let is_met = |judged: &&(_, Result<_, _>)| judged.1.is_ok();
    let newest = judged.iter().find(is_met).or(judged.first());
    let mut json = serde_json::json!({"checked": true});
    let mut words = "not signed as the policy demands".to_owned();
    match newest {
        None => {
            let expected = "a stored checkpoint that is signed as the policy demands";
            let ledger = Place::file("checkpoints");
            let finding = Finding::new(Code::PolicyUnmet, ledger, expected, "no checkpoint");
            findings.push(finding);
        }
        // That is said already.
        Some((_, Err(PolicyRefusal::Wrong { .. }))) => {}
        Some((newest, Err(refusal))) => findings.push(refusal.finding(place(newest))),
        Some((newest, Ok(judgement))) => {
            let size = newest.checkpoint().size;
            let later = verification.size.saturating_sub(size);
            let behind = counted(later, "event");
            words = match later {
                0 => format!("signed at size {size} as the policy demands"),
                _ => format!("signed at size {size} as the policy demands ({behind} later)"),
            };
            json = in_json(judgement);
            json["checked"] = true.into();
            json["size"] = size.into();
        }
    }
    Ok(Vouching {
        words,
        json,
        findings,
    })
}

/// The verdict in a word. A ledger that nobody vouches for as demanded may be
/// sound, and is refused; one whose events were not read is as it was, which
/// does not say that it is sound.
fn word_of(findings: &[Finding], verification: Option<&Verification>) -> &'static str {
    let mut blockers = findings.iter().filter(|finding| finding.is_blocker());
    if blockers.any(|finding| finding.code != Code::PolicyUnmet) {
        "damaged"
    } else if any_blocker(findings) {
        "refused"
    } else if verification.is_some_and(|verification| !verification.events_were_read) {
        "unchanged"
    } else {
        "sound"
    }
}

/// What became of the private bodies, where events name some.
fn private_in_words(verification: &Verification) -> Option<String> {
    let private = &verification.private;
    (*private != PrivateCounts::default()).then(|| {
        format!(
            "private bodies: {} present, {} erased, {} missing, {} withheld, {} changed",
            private.present, private.erased, private.missing, private.withheld, private.changed
        )
    })
}

fn verdict(
    findings: &[Finding],
    verification: Option<&Verification>,
    vouched: Option<&Vouching>,
) -> String {
    let verdict = word_of(findings, verification);
    let counted_findings = counted(findings.len(), "finding");
    match (verification, vouched) {
        (Some(verification), Some(vouched)) => format!(
            "{verdict}: {}, {}{}, root {}, {}, {counted_findings}",
            verification.origin,
            counted(verification.size, "event"),
            if verification.events_were_read {
                ""
            } else {
                " hashed and not read"
            },
            verification.root,
            vouched.words,
        ),
        _ => format!("{verdict}: {counted_findings}"),
    }
}

fn json(
    findings: &[Finding],
    verification: Option<&Verification>,
    vouched: Option<&Vouching>,
) -> serde_json::Value {
    let mut report = serde_json::json!({
        "findings": findings,
        "verdict": word_of(findings, verification),
    });
    if let Some(verification) = verification {
        report["origin"] = verification.origin.as_str().into();
        report["events_were_read"] = verification.events_were_read.into();
        let private = &verification.private;
        let counts = serde_json::json!({
            "changed": private.changed,
            "erased": private.erased,
            "missing": private.missing,
            "present": private.present,
            "withheld": private.withheld,
        });
        if verification.events_were_read {
            report["private"] = counts;
        }
        report["root"] = verification.root.to_string().into();
        report["size"] = verification.size.into();
    }
    if let Some(vouched) = vouched {
        report["signatures"] = vouched.json.clone();
    }
    report
}
