use std::path::{Path, PathBuf};

use crate::audit::{Evidence, check_published};
use crate::board::{Format, placement, render};
use crate::cli::audit::{Recomputed, Rules, recompute};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::fresh;
use crate::cli::project::Project;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted};
use crate::digest::Digest;
use crate::finding::{Code, Finding, Place, any_blocker, n_blockers};
use crate::manifest::{Mode, State};
use crate::projection::{Published, Source};

/// Rebuild the published release from the raw events, and say whether it holds.
///
/// Verifies the whole ledger, folds the prefix that the release is bound to,
/// generates every artifact again in a temporary folder, compares bytes,
/// audits, and prints the boards and the verdict. It writes nothing in the
/// project.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Keep the regenerated artifacts in this folder, to look at or to compare.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Do it in a fresh copy of what git tracks, at this tag or in this folder.
    ///
    /// The copy is reproduced by this program in a process of its own: without
    /// environment, and cut off from every network where the system allows it.
    #[arg(long, value_name = "TAG|DIR", conflicts_with = "keep")]
    from: Option<String>,

    /// How to report.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

pub(crate) fn run(
    args: &Args,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    if let Some(from) = &args.from {
        return fresh::reproduce(from, args.format, project, screen);
    }
    if let Some(keep) = args.keep.as_ref().filter(|keep| keep.exists()) {
        return Err(CliError::Input(format!(
            "{} is there already; --keep makes a new folder",
            keep.display()
        )));
    }
    let recomputed = recompute(project, Rules::OfRelease)?;
    let mut findings = recomputed.examination.findings(Mode::Publication);
    let whole = recomputed.evidence.as_ref().map(|evidence| &evidence.whole);
    if let Some(whole) = whole {
        let (examination, tree) = (&recomputed.examination, &recomputed.tree);
        findings.extend(check_published(whole, examination, tree));
    }
    let temporary = tempfile::tempdir().map_err(CliError::io("make a temporary folder"))?;
    let folder = args.keep.as_deref().unwrap_or(temporary.path());
    findings.extend(regenerate(folder, &recomputed)?);
    let newest = whole.and_then(|whole| whole.published.last());
    match newest {
        Some(published) if !any_blocker(&findings) => {
            reproduced(published, &findings, &recomputed, args.format, screen)?;
            Ok(Exit::Clean)
        }
        None if !any_blocker(&findings) => Err(CliError::Input(
            "nothing has been published from this ledger yet; scoresheet release publish"
                .to_owned(),
        )),
        Some(_) | None => {
            refuse(&findings, args.format, screen);
            Ok(Exit::Blocked)
        }
    }
}

fn refuse(findings: &[Finding], format: ReportFormat, screen: &mut Screen<'_>) {
    match format {
        ReportFormat::Text => {
            screen.findings(findings);
            screen.line(&format!(
                "refused: {}",
                counted(n_blockers(findings), "blocker")
            ));
        }
        ReportFormat::Json => {
            let report = serde_json::json!({ "findings": findings, "verdict": "refused" });
            screen.line(&format!("{report:#}"));
        }
    }
}

/// Writes every artifact anew elsewhere, and compares it with the one that is there.
fn regenerate(folder: &Path, recomputed: &Recomputed) -> Result<Vec<Finding>, CliError> {
    let mut findings = Vec::new();
    let examination = &recomputed.examination;
    let known = examination.findings(Mode::Publication);
    for (path, bytes) in examination.made().iter().chain(examination.statements()) {
        let again = folder.join(path.as_str());
        again
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&again, bytes))
            .map_err(CliError::io("write a regenerated artifact"))?;
        let again = std::fs::read(&again).map_err(CliError::io("read a regenerated artifact"))?;
        let there = recomputed.tree.read(path, u64::MAX);
        let there = there.map_or_else(|_| Vec::new(), crate::tree::Read::into_bytes);
        let place = Place::file(path.as_str());
        // What the audit found too need not be said twice.
        if again != there && !known.iter().any(|known| known.place == place) {
            let [expected, found] =
                [again, there].map(|bytes| format!("digest {}", Digest::of(&bytes)));
            findings.push(Finding::new(Code::ArtifactChanged, place, expected, found));
        }
    }
    Ok(findings)
}

/// Prints the boards and the verdict of a release that holds.
fn reproduced(
    published: &Published,
    findings: &[Finding],
    recomputed: &Recomputed,
    format: ReportFormat,
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    let event = &published.published;
    let size = recomputed.evidence.as_ref().map_or(0, Evidence::size);
    let later = size.saturating_sub(published.index + 1);
    let artifacts = recomputed.examination.made().len();
    if format == ReportFormat::Json {
        let report = serde_json::json!({
            "artifacts_regenerated": artifacts,
            "bundle": event.bundle,
            "events_since": later,
            "evidence_status": event.evidence_status,
            "findings": findings,
            "release": event.release,
            "verdict": "reproduced",
        });
        screen.line(&format!("{report:#}"));
        return Ok(());
    }
    boards(recomputed, screen)?;
    screen.findings(findings);
    screen.line(&format!(
        "{} regenerated, all equal{}; bundle {}",
        counted(artifacts, "artifact"),
        pinned_in_words(recomputed),
        event.bundle
    ));
    screen.line(&format!("{} since this release", counted(later, "event")));
    screen.line(&format!(
        "release {}: published as {}",
        event.release,
        event.evidence_status.as_str()
    ));
    Ok(())
}

/// What nobody can compute anew, said beside what was.
fn pinned_in_words(recomputed: &Recomputed) -> String {
    let specification = recomputed.specification.iter();
    let artifacts = specification.flat_map(|specification| &specification.artifacts);
    match artifacts
        .filter(|artifact| artifact.state == State::Pinned)
        .count()
    {
        0 => String::new(),
        pinned => format!(", {pinned} pinned and not computed from the ledger"),
    }
}

fn boards(recomputed: &Recomputed, screen: &mut Screen<'_>) -> Result<(), CliError> {
    let (Some(specification), Some(evidence)) = (&recomputed.specification, &recomputed.evidence)
    else {
        return Ok(());
    };
    let Some(prefix) = &evidence.prefix else {
        return Ok(());
    };
    let source = Source {
        origin: evidence.origin().clone(),
        size: specification.checkpoint.size.get(),
        root: specification.checkpoint.root,
    };
    for cohort in &specification.cohorts {
        if let Ok(board) = placement(prefix, cohort.as_str(), source.clone()) {
            screen.data(&render(&board, Format::Text)?);
            screen.line("");
        }
    }
    Ok(())
}
