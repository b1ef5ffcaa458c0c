use std::path::Path;

use crate::audit::{AUDITOR, Evidence, Subject, audit, gather, read_specification, refused};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::{read_whole, write_whole};
use crate::cli::project::Project;
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, progress_bar};
use crate::digest::Digest;
use crate::finding::Code;
use crate::ledger::LedgerError;
use crate::manifest::{self, AuditManifest, Mode, Verdict};
use crate::projection::Published;
use crate::release::{AUDITS_FOLDER, SPECIFICATION};
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
    /// Explain a finding's code: what it finds, how grave it is, what to do.
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

/// An audit that has been made, with what is needed to publish.
pub(crate) struct Audited {
    pub(crate) manifest: AuditManifest,
    /// The manifest's file.
    pub(crate) file: Vec<u8>,
    /// The digest of that file.
    pub(crate) digest: Digest,
    pub(crate) published: Vec<Published>,
    pub(crate) evidence: Option<Evidence>,
}

pub(crate) fn run(
    args: &Args,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    if let Some(What::Explain { code }) = &args.what {
        return explain(code.as_deref(), screen);
    }
    let audited = look(project, args.mode.into())?;
    match args.format {
        ReportFormat::Text => report(&audited, screen),
        ReportFormat::Json => screen.data(&audited.file),
    }
    Ok(match audited.manifest.verdict {
        Verdict::Passed => Exit::Clean,
        Verdict::Refused | Verdict::Unfinished => Exit::Blocked,
    })
}

fn path_of(mode: Mode) -> std::path::PathBuf {
    Path::new(AUDITS_FOLDER).join(format!("{}.json", mode.as_str()))
}

/// Audits the release and writes the manifest of the audit.
///
/// A failing one is written first: an audit that dies half-way leaves no
/// earlier pass in its place.
pub(crate) fn look(project: &Project, mode: Mode) -> Result<Audited, CliError> {
    let text = read_whole(&project.at(SPECIFICATION), "the publication specification")?;
    let path = path_of(mode);
    write_whole(
        &project.at(&path),
        &file_of(&AuditManifest::unfinished(AUDITOR, mode))?,
    )?;
    let audited = recompute(project, &text, mode)?;
    write_whole(&project.at(&path), &audited.file)?;
    Ok(audited)
}

fn file_of(manifest: &AuditManifest) -> Result<Vec<u8>, CliError> {
    manifest::file(manifest).map_err(|error| CliError::Input(error.to_string()))
}

/// Audits the release and writes nothing.
pub(crate) fn recompute(project: &Project, text: &[u8], mode: Mode) -> Result<Audited, CliError> {
    let (manifest, evidence) = match read_specification(text) {
        Err(finding) => (refused(vec![finding], mode), None),
        Ok(specification) => {
            let bar = progress_bar("auditing");
            let progress = |done, total| {
                bar.set_length(total);
                bar.set_position(done);
            };
            let size = specification.checkpoint.size.get();
            match gather(&project.disk(), Some(size), &progress) {
                Err(LedgerError::Damaged { findings }) => (refused(findings, mode), None),
                Err(error) => return Err(error.into()),
                Ok(evidence) => {
                    let tree = Tree::open(project.folder());
                    let tree = tree.map_err(|fault| CliError::Input(fault.to_string()))?;
                    let subject = Subject {
                        tree: &tree,
                        specification,
                        specification_digest: Digest::of(text),
                        evidence: &evidence,
                        scanner: &Scanner::new(),
                    };
                    (audit(&subject, mode), Some(evidence))
                }
            }
        }
    };
    let file = file_of(&manifest)?;
    Ok(Audited {
        digest: Digest::of(&file),
        file,
        manifest,
        published: evidence
            .as_ref()
            .map_or_else(Vec::new, |evidence| evidence.whole.published.clone()),
        evidence,
    })
}

fn report(audited: &Audited, screen: &mut Screen<'_>) {
    let manifest = &audited.manifest;
    screen.findings(&manifest.findings);
    for finding in &manifest.permitted {
        screen.line(&format!(
            "permitted by a named gap: {} {}",
            finding.code, finding.place
        ));
    }
    let blockers = manifest
        .findings
        .iter()
        .filter(|finding| finding.is_blocker())
        .count();
    let bundle = manifest
        .bundle
        .map_or_else(|| "none".to_owned(), |bundle| bundle.to_string());
    screen.line(&format!(
        "{} in {} mode: {blockers} blockers, bundle {bundle}, manifest {}",
        manifest.verdict.as_str(),
        manifest.mode.as_str(),
        path_of(manifest.mode).display()
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
    screen.line(&format!("what:   {}", code.what()));
    screen.line(&format!("remedy: {}", code.remedy()));
    Ok(Exit::Clean)
}
