use std::path::PathBuf;

use crate::board::{Format, placement, render};
use crate::cli::audit::{Audited, recompute};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::write_whole;
use crate::cli::project::Project;
use crate::cli::release::artifacts;
use crate::cli::screen::Screen;
use crate::digest::Digest;
use crate::finding::{Code, Finding, Place, any_blocker};
use crate::manifest::Mode;
use crate::projection::{Projection, Published, Source};
use crate::release::{AUDITS_FOLDER, SPECIFICATION, Specification};

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
}

pub(crate) fn run(
    args: &Args,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    let text = match std::fs::read(project.at(SPECIFICATION)) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && project.ledger.exists() => {
            let place = Place::file(SPECIFICATION);
            let finding = Finding::new(
                Code::SpecInvalid,
                place,
                "the publication specification",
                "no such file",
            );
            return Ok(refuse(&[finding], screen));
        }
        Err(error) => return Err(CliError::io(format!("read {SPECIFICATION}"))(error)),
    };
    let audited = recompute(project, &text, Mode::Publication)?;
    let mut findings = audited.manifest.findings.clone();
    let Some(published) = audited.published.last() else {
        if any_blocker(&findings) {
            return Ok(refuse(&findings, screen));
        }
        return Err(CliError::Input(
            "nothing has been published from this ledger yet; scoresheet release publish"
                .to_owned(),
        ));
    };
    findings.extend(compare_published(published, &audited, &text));
    findings.extend(compare_audits(project, &audited, &text)?);
    if let Ok(specification) = Specification::parse(&text) {
        findings.extend(regenerate(args, project, &specification, &audited)?);
        boards(&specification, &audited, screen)?;
    }
    if any_blocker(&findings) {
        return Ok(refuse(&findings, screen));
    }
    screen.findings(&findings);
    verdict(published, &audited, screen);
    Ok(Exit::Clean)
}

fn refuse(findings: &[Finding], screen: &mut Screen<'_>) -> Exit {
    screen.findings(findings);
    let blockers = findings
        .iter()
        .filter(|finding| finding.is_blocker())
        .count();
    screen.line(&format!("refused: {blockers} blockers"));
    Exit::Blocked
}

/// What was published names the specification, the inventory and the audit.
fn compare_published(published: &Published, audited: &Audited, text: &[u8]) -> Vec<Finding> {
    let event = &published.published;
    let mut findings = Vec::new();
    let digest = Digest::of(text);
    if digest != event.specification {
        findings.push(Finding::new(
            Code::SpecChanged,
            Place::file(SPECIFICATION),
            format!("digest {} that was published", event.specification),
            format!("digest {digest}"),
        ));
    }
    if audited.digest != event.audit || audited.manifest.bundle != Some(event.bundle) {
        findings.push(Finding::new(
            Code::ManifestChanged,
            Place::event(*published.id.digest()),
            format!("the audit {} of bundle {}", event.audit, event.bundle),
            format!(
                "the audit {} of bundle {}",
                audited.digest,
                audited
                    .manifest
                    .bundle
                    .map_or_else(|| "none".to_owned(), |bundle| bundle.to_string())
            ),
        ));
    }
    findings
}

/// Each stored audit manifest must be what an audit finds now.
fn compare_audits(
    project: &Project,
    audited: &Audited,
    text: &[u8],
) -> Result<Vec<Finding>, CliError> {
    let mut findings = Vec::new();
    for mode in [Mode::Draft, Mode::Publication] {
        let path = format!("{AUDITS_FOLDER}/{}.json", mode.as_str());
        let stored = match std::fs::read(project.at(&path)) {
            Ok(stored) => stored,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if mode == Mode::Publication {
                    let place = Place::file(path);
                    findings.push(Finding::new(
                        Code::ManifestChanged,
                        place,
                        "the audit manifest",
                        "no such file",
                    ));
                }
                continue;
            }
            Err(error) => return Err(CliError::io(format!("read {path}"))(error)),
        };
        let is_same = match mode {
            Mode::Publication => stored == audited.file,
            Mode::Draft => stored == recompute(project, text, mode)?.file,
        };
        if !is_same {
            let finding = Finding::new(
                Code::ManifestChanged,
                Place::file(path),
                "what an audit finds now",
                "another text",
            );
            findings.push(finding.with_remedy(format!(
                "audit again: scoresheet audit --mode {}",
                mode.as_str()
            )));
        }
    }
    Ok(findings)
}

/// The prefix that the release is computed from, where the audit got so far.
fn prefix_of<'a>(
    specification: &Specification,
    audited: &'a Audited,
) -> Option<(&'a Projection, Source)> {
    let evidence = audited.evidence.as_ref()?;
    let source = Source {
        origin: evidence.origin().clone(),
        size: specification.checkpoint.size.get(),
        root: specification.checkpoint.root,
    };
    Some((evidence.prefix.as_ref()?, source))
}

/// Writes every artifact anew elsewhere and compares it with the one that is there.
fn regenerate(
    args: &Args,
    project: &Project,
    specification: &Specification,
    audited: &Audited,
) -> Result<Vec<Finding>, CliError> {
    let Some((prefix, source)) = prefix_of(specification, audited) else {
        return Ok(Vec::new());
    };
    let Ok(made) = artifacts(specification, prefix, &source) else {
        // The audit has said already which artifact cannot be made.
        return Ok(Vec::new());
    };
    let temporary = tempfile::tempdir().map_err(CliError::io("make a temporary folder"))?;
    let folder = args.keep.as_deref().unwrap_or(temporary.path());
    let mut findings = Vec::new();
    for (path, bytes) in made {
        let again = folder.join(&path);
        write_whole(&again, &bytes)?;
        let again = std::fs::read(&again).map_err(CliError::io("read a regenerated artifact"))?;
        let place = Place::file(path.display().to_string());
        let there = std::fs::read(project.at(&path)).unwrap_or_default();
        // What the audit found too need not be said twice.
        let is_known = audited
            .manifest
            .findings
            .iter()
            .any(|known| known.place == place);
        if again != there && !is_known {
            let [expected, found] =
                [again, there].map(|bytes| format!("digest {}", Digest::of(&bytes)));
            findings.push(Finding::new(Code::ArtifactChanged, place, expected, found));
        }
    }
    Ok(findings)
}

fn boards(
    specification: &Specification,
    audited: &Audited,
    screen: &mut Screen<'_>,
) -> Result<(), CliError> {
    let Some((prefix, source)) = prefix_of(specification, audited) else {
        return Ok(());
    };
    for cohort in &specification.cohorts {
        if let Ok(board) = placement(prefix, cohort.as_str(), source.clone()) {
            screen.data(&render(&board, Format::Text)?);
            screen.line("");
        }
    }
    Ok(())
}

fn verdict(published: &Published, audited: &Audited, screen: &mut Screen<'_>) {
    let event = &published.published;
    let artifacts = audited
        .manifest
        .inventory
        .as_ref()
        .map_or(0, |inventory| inventory.artifacts.len());
    screen.line(&format!(
        "{artifacts} artifacts regenerated, all equal; bundle {}",
        event.bundle
    ));
    let size = audited
        .evidence
        .as_ref()
        .map_or(0, |evidence| evidence.verification.size);
    screen.line(&format!(
        "{} events since this release",
        size.saturating_sub(published.index + 1)
    ));
    screen.line(&format!(
        "release {}: published as {}",
        event.release,
        event.evidence_status.as_str()
    ));
}
