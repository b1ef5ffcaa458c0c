use std::path::Path;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted, progress_bar};
use crate::finding::{Finding, any_blocker};
use crate::ledger::{Disk, LedgerError, PrivateCounts, Verification, verify, verify_hashes};
use crate::projection::Projection;
use crate::secret::Scanner;

/// Recompute the whole ledger from its bytes.
///
/// Reads every line of every segment, checks its form, its hash and its
/// references, adds up the Merkle tree, compares it with the head, the segment
/// index and the checkpoints, looks at every other file of the ledger, and
/// replays every game. Names the file, line and event that is wrong.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only hash the lines: whether a ledger that was verified is still the same.
    ///
    /// Holds every byte against head, segment index, checkpoints and the names
    /// of files, several times as fast, and reads no event.
    #[arg(long)]
    hashes: bool,

    /// How to report.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

pub(crate) fn run(args: &Args, ledger: &Path, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let disk = Disk::new(ledger);
    let looked = if args.hashes {
        look_at_hashes(&disk)
    } else {
        look(&disk)
    };
    let (mut findings, verification) = match looked {
        Ok(verification) => (verification.findings.clone(), Some(verification)),
        // A ledger that is there and says nothing right is evidence, not an accident.
        Err(LedgerError::Damaged { findings }) => (findings, None),
        Err(error) => return Err(error.into()),
    };
    // Names of files and keys come from evidence too.
    let redacted = |finding: &mut Finding| {
        *finding = Scanner::shared().redacted_finding(finding.clone());
    };
    findings.iter_mut().for_each(redacted);
    match args.format {
        ReportFormat::Text => report(&findings, verification.as_ref(), screen),
        ReportFormat::Json => screen.line(&json(&findings, verification.as_ref())),
    }
    Ok(Exit::of(&findings))
}

/// Verifies a ledger and folds it in one pass; the findings of both.
fn look(disk: &Disk) -> Result<Verification, LedgerError> {
    let mut projection = Projection::for_findings();
    let bar = progress_bar("verifying");
    let progress = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let mut verification = verify(disk, &progress, &mut |_, event| projection.apply(event))?;
    bar.finish_and_clear();
    verification.findings.append(&mut projection.findings);
    Ok(verification)
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

fn report(findings: &[Finding], verification: Option<&Verification>, screen: &mut Screen<'_>) {
    screen.findings(findings);
    let verdict = if any_blocker(findings) {
        "damaged"
    } else {
        "sound"
    };
    if let Some(private) = verification.map(|verification| verification.private)
        && private != PrivateCounts::default()
    {
        screen.line(&format!(
            "private bodies: {} present, {} erased, {} missing, {} withheld, {} changed",
            private.present, private.erased, private.missing, private.withheld, private.changed
        ));
    }
    match verification {
        Some(verification) => screen.line(&format!(
            "{verdict}: {}, {}, root {}, {}",
            verification.origin,
            counted(verification.size, "event"),
            verification.root,
            counted(findings.len(), "finding")
        )),
        None => screen.line(&format!(
            "{verdict}: {}",
            counted(findings.len(), "finding")
        )),
    }
}

fn json(findings: &[Finding], verification: Option<&Verification>) -> String {
    let mut report = serde_json::json!({
        "findings": findings,
        "verdict": if any_blocker(findings) { "damaged" } else { "sound" },
    });
    if let Some(verification) = verification {
        report["origin"] = verification.origin.as_str().into();
        let private = &verification.private;
        report["private"] = serde_json::json!({
            "changed": private.changed,
            "erased": private.erased,
            "missing": private.missing,
            "present": private.present,
            "withheld": private.withheld,
        });
        report["root"] = verification.root.to_string().into();
        report["size"] = verification.size.into();
    }
    format!("{report:#}")
}
