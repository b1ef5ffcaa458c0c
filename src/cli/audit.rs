use crate::audit::{
    Auditor, Evidence, Examination, Subject, audit_path, checkpoint_of, examine, gather,
    held_checkpoints, open_specification, retained_path,
};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::project::Project;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted, progress_bar, progress_bar_of};
use crate::digest::Digest;
use crate::event::What as Event;
use crate::finding::{Code, n_blockers};
use crate::ledger::{LedgerError, Prefix};
use crate::manifest::{self, AuditManifest, Mode, Verdict};
use crate::release::{ARTIFACTS_FOLDER, Specification};
use crate::secret::Scanner;
use crate::tree::Tree;

/// Audit the release: recompute everything, compare bytes, and say what blocks.
///
/// Writes the manifest of the audit to release/audits/ whatever it finds; the
/// manifest of a refused audit lists the blockers. It changes nothing else.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,

    /// Draft permits the gaps that the specification names; publication permits none.
    #[arg(long, value_enum, default_value = "publication")]
    mode: ModeArg,

    /// How to report.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Explain a finding's code: what it finds, why it matters, what to do, and a case of it.
    Explain {
        /// The code, such as artifact-changed; all codes when left out.
        code: Option<String>,
    },
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ModeArg {
    Draft,
    Publication,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Draft => Self::Draft,
            ModeArg::Publication => Self::Publication,
        }
    }
}

/// What recomputing a release gave.
pub(crate) struct Recomputed {
    pub(crate) examination: Examination,
    /// The specification, where it can be read.
    pub(crate) specification: Option<Specification>,
    /// The ledger, where it can be read.
    pub(crate) evidence: Option<Evidence>,
    /// The project's folder.
    pub(crate) tree: Tree,
}

pub(crate) fn run(
    args: &Args,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    if let Some(What::Explain { code }) = &args.what {
        return explain(code.as_deref(), screen);
    }
    let mode = args.mode.into();
    let (recomputed, verdicts) = look(project, &[mode])?;
    let manifest = recomputed.examination.manifest(mode);
    match args.format {
        ReportFormat::Text => report(&manifest, screen),
        ReportFormat::Json => screen.data(&file_of(&manifest)?),
    }
    // What counts is what stands on the disk now.
    let is_passed = verdicts.iter().all(|verdict| *verdict == Verdict::Passed);
    Ok(if is_passed {
        Exit::Clean
    } else {
        Exit::Blocked
    })
}

/// Audits the release, writes the manifest of the audit in these modes, and
/// returns the verdicts as they are read back.
///
/// A failing one is written first: an audit that dies half-way leaves no
/// earlier pass in its place. Where not even that can be written, the earlier
/// one is removed.
pub(crate) fn look(
    project: &Project,
    modes: &[Mode],
) -> Result<(Recomputed, Vec<Verdict>), CliError> {
    // Where no project stands, none is begun.
    let is_project = project.ledger.exists() || project.at(ARTIFACTS_FOLDER).exists();
    if is_project {
        retain(project)?;
    }
    for mode in modes.iter().filter(|_| is_project) {
        let unfinished = AuditManifest::unfinished(Auditor::NEWEST.as_str(), *mode);
        let path = audit_path(*mode);
        if let Err(error) = project.write(&path, &file_of(&unfinished)?) {
            // A link or a folder in its place was never written by an audit.
            if project.read(&path).is_ok() {
                project.remove(&path)?;
            }
            return Err(error);
        }
    }
    let recomputed = recompute(project, Rules::Newest)?;
    let mut verdicts = Vec::new();
    for mode in modes {
        let file = file_of(&recomputed.examination.manifest(*mode))?;
        project.write(&audit_path(*mode), &file)?;
        verdicts.push(read_back(project, *mode, &file)?);
    }
    Ok((recomputed, verdicts))
}

/// The verdict of the manifest that stands on the disk.
fn read_back(project: &Project, mode: Mode, written: &[u8]) -> Result<Verdict, CliError> {
    #[derive(serde::Deserialize)]
    struct Part {
        verdict: Verdict,
    }
    let path = audit_path(mode);
    let other = |why: String| CliError::Input(format!("{path} is not what was written: {why}"));
    let file = project.read(&path).map_err(|why| other(why.to_string()))?;
    if file != written {
        return Err(other("other bytes".to_owned()));
    }
    let part: Part = serde_json::from_slice(&file).map_err(|why| other(why.to_string()))?;
    Ok(part.verdict)
}

/// Keeps the audit of a published release, before the next one is written over
/// it. Where the ledger cannot say which that is, or no longer begins with what
/// the audit was about, every one that passed is kept.
fn retain(project: &Project) -> Result<(), CliError> {
    let Ok(file) = project.read(&audit_path(Mode::Publication)) else {
        return Ok(());
    };
    let Some(checkpoint) = checkpoint_of(&file) else {
        return Ok(());
    };
    let digest = Digest::of(&file);
    let path = retained_path(&digest);
    if project.at(&path).exists() {
        return Ok(());
    }
    let mut is_published = false;
    let disk = project.disk();
    let mut is_prefix = false;
    let looked = Prefix::open(&disk).map(|prefix| {
        let root = prefix.root_at(checkpoint.size.get());
        is_prefix = root.is_ok_and(|root| root == checkpoint.root);
        prefix.read(prefix.size(), |_, event| {
            if let Event::ReleasePublished(published) = &event.what {
                is_published |= published.audit == digest;
            }
        })
    });
    let is_known = matches!(looked, Ok(Ok(_)));
    if is_published || !is_known || !is_prefix {
        project.write(&path, &file)?;
    }
    Ok(())
}

fn file_of(manifest: &AuditManifest) -> Result<Vec<u8>, CliError> {
    manifest::file(manifest).map_err(|error| CliError::Input(error.to_string()))
}

/// Which version of the rules an audit goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// The newest.
    Newest,
    /// The one that passed the newest release.
    OfRelease,
}

/// Looks at the release and everything that it rests on, once, and writes nothing.
pub(crate) fn recompute(project: &Project, rules: Rules) -> Result<Recomputed, CliError> {
    let proved = Scanner::proved();
    proved.map_err(|missed| CliError::Input(missed.to_string()))?;
    let tree = project.tree()?;
    let declared = open_specification(&tree);
    let size = declared.as_ref().ok();
    let size = size.map(|(_, _, specification)| specification.checkpoint.size.get());
    let bar = progress_bar("auditing");
    let progress = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let gathered = match gather(&project.disk(), size, &held_checkpoints(&tree), &progress) {
        Ok(evidence) => Ok(evidence),
        Err(LedgerError::Damaged { findings }) => Err(findings),
        Err(error) => return Err(error.into()),
    };
    bar.finish_and_clear();
    let bar = progress_bar_of("making again", "artifacts");
    let progress = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let (examination, specification, evidence) = match (declared, gathered) {
        (Ok((digest, text, specification)), Ok(evidence)) => {
            let auditor = match rules {
                Rules::Newest => Auditor::NEWEST,
                Rules::OfRelease => Auditor::of_release(&evidence.whole, &tree),
            };
            let examination = examine(
                &Subject {
                    auditor,
                    tree: &tree,
                    tracked: project.tracked()?,
                    specification: specification.clone(),
                    specification_text: text,
                    specification_digest: digest,
                    evidence: &evidence,
                },
                &progress,
            );
            (examination, Some(specification), Some(evidence))
        }
        (Ok((digest, _, specification)), Err(damage)) => {
            let examination = Examination::refused(damage, Some(digest));
            (examination, Some(specification), None)
        }
        (Err((digest, findings)), gathered) => {
            let (mut damage, evidence) = match gathered {
                Ok(evidence) => (evidence.damage(), Some(evidence)),
                Err(damage) => (damage, None),
            };
            damage.extend(findings);
            (Examination::refused(damage, digest), None, evidence)
        }
    };
    bar.finish_and_clear();
    Ok(Recomputed {
        examination,
        specification,
        evidence,
        tree,
    })
}

fn report(manifest: &AuditManifest, screen: &mut Screen<'_>) {
    screen.findings(&manifest.findings);
    for finding in &manifest.permitted {
        screen.line(&format!(
            "permitted by a named gap: {} {}",
            finding.code, finding.place
        ));
    }
    if !manifest.answered.is_empty() {
        let answered = counted(manifest.answered.len(), "finding");
        screen.line(&format!("{answered} answered by corrections"));
    }
    let bundle = manifest
        .bundle
        .map_or_else(|| "none".to_owned(), |bundle| bundle.to_string());
    screen.line(&format!(
        "{} in {} mode: {}, bundle {bundle}, manifest {}",
        manifest.verdict.as_str(),
        manifest.mode.as_str(),
        counted(n_blockers(&manifest.findings), "blocker"),
        audit_path(manifest.mode)
    ));
}

fn explain(code: Option<&str>, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let Some(wanted) = code else {
        for code in Code::ALL {
            screen.line(&format!("{code} ({}): {}", code.severity(), code.what()));
        }
        return Ok(Exit::Clean);
    };
    let found = Code::ALL.iter().find(|code| code.as_str() == wanted);
    let code = found.ok_or_else(|| {
        let shown = crate::finding::visible(wanted);
        CliError::Input(format!(
            "there is no code {shown}; scoresheet audit explain lists them"
        ))
    })?;
    screen.line(&format!("{code} ({})", code.severity()));
    screen.line(&format!("what:    {}", code.what()));
    screen.line(&format!("why:     {}", code.why()));
    screen.line(&format!("remedy:  {}", code.remedy()));
    screen.line(&format!("example: {}", code.example()));
    Ok(Exit::Clean)
}
