use crate::audit::{place_of, read_specification, retained_path};
use crate::cli::audit::{Rules, look, recompute};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::read_whole;
use crate::cli::project::Project;
use crate::cli::reading::fold;
use crate::cli::screen::{Screen, counted, hint};
use crate::cli::signing::{SigningArgs, issue};
use crate::cli::writing::WritingArgs;
use crate::digest::Digest;
use crate::event::{Name, ReleasePublished};
use crate::ledger::{Checkpoint, Prefix};
use crate::manifest::{self, Mode, State, Verdict};
use crate::projection::{Projection, Source};
use crate::release::{
    ArtifactSpec, Footing, GENERATORS, SPECIFICATION, Specification, Statement, generate,
    provenance_path,
};
use crate::tree::{ParsePathError, RelativePath};

/// Specify, build and publish a release.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, clap::Subcommand)]
enum Step {
    New(NewArgs),
    Build(BuildArgs),
    Publish(PublishArgs),
    /// List the generators of artifacts.
    Generators,
}

/// Write release/publication.json with the usual artifacts of frozen cohorts.
///
/// The release is bound to the ledger as it stands now.
#[derive(Debug, clap::Args)]
struct NewArgs {
    /// The name of the release.
    release: String,

    /// A frozen cohort that the release rests on; may be given more than once.
    #[arg(long, required = true, value_name = "COHORT")]
    cohort: Vec<String>,

    /// Replace a specification that is there already.
    #[arg(long)]
    replace: bool,

    #[command(flatten)]
    signing: SigningArgs,
}

/// Generate the artifacts that release/publication.json declares.
#[derive(Debug, clap::Args)]
struct BuildArgs {
    /// Print what would be written, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Audit the release and, when it passes in publication mode, append `release.published`.
///
/// Writes the manifests of the audit in both modes. A published release has
/// both, so that neither can go missing unnoticed.
#[derive(Debug, clap::Args)]
struct PublishArgs {
    #[command(flatten)]
    writing: WritingArgs,

    #[command(flatten)]
    signing: SigningArgs,
}

pub(crate) fn run(
    args: &Args,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    match &args.step {
        Step::New(args) => new(args, project, screen),
        Step::Build(args) => build(args, project, screen),
        Step::Publish(args) => publish(args, project, screen),
        Step::Generators => {
            for generator in GENERATORS {
                let formats: Vec<_> = generator.formats().collect();
                screen.line(&format!(
                    "{}@{}  {}",
                    generator.name, generator.version, generator.what
                ));
                screen.line(&format!(
                    "  arguments: {}; formats: {}",
                    generator.arguments_in_words(),
                    formats.join(", ")
                ));
            }
            Ok(Exit::Clean)
        }
    }
}

fn new(args: &NewArgs, project: &Project, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let name = |text: &String| {
        let parsed = text.parse::<Name>();
        parsed.map_err(|error| CliError::Input(format!("{text}: {error}")))
    };
    let release = name(&args.release)?;
    let cohorts = args
        .cohort
        .iter()
        .map(name)
        .collect::<Result<Vec<_>, _>>()?;
    if project.at(SPECIFICATION).exists() && !args.replace {
        return Err(CliError::Input(format!(
            "{SPECIFICATION} is there already; --replace writes another"
        )));
    }
    let distinct: std::collections::BTreeSet<_> = cohorts.iter().collect();
    if distinct.len() != cohorts.len() {
        return Err(CliError::Input("name each cohort once".to_owned()));
    }
    let disk = project.disk();
    let key = args.signing.load(&disk)?;
    let prefix = Prefix::open(&disk)?;
    let (projection, source) = fold(&prefix, prefix.size())?;
    let mut published = projection.published.iter();
    if published.any(|published| published.published.release == release) {
        return Err(CliError::Input(format!(
            "a release named {release} is published already; give this one a name of its own"
        )));
    }
    for cohort in &cohorts {
        crate::board::cohort(&projection, cohort.as_str())?;
        if !projection
            .frozen
            .iter()
            .any(|frozen| frozen.frozen.cohort == *cohort && !frozen.frozen.is_live())
        {
            return Err(CliError::Input(format!(
                "cohort {cohort} is not frozen; scoresheet freeze {cohort}"
            )));
        }
    }
    let checkpoint = Checkpoint::new(source.origin.clone(), source.checkpoint());
    issue(key.as_ref(), &disk, &checkpoint)?;
    let mut specification =
        Specification::usual(release, source.checkpoint(), cohorts, &projection);
    specification.declare_inputs(&projection);
    let file = specification
        .file()
        .map_err(|error| CliError::Input(error.to_string()))?;
    project.write(SPECIFICATION, &file)?;
    screen.line(&format!(
        "wrote {SPECIFICATION}: {} at size {}; next: scoresheet release build",
        counted(specification.artifacts.len(), "artifact"),
        source.size
    ));
    Ok(Exit::Clean)
}

/// Reads the specification that stands in the project.
pub(crate) fn specification(project: &Project) -> Result<(Vec<u8>, Specification), CliError> {
    let bytes = read_whole(
        &project.at(SPECIFICATION),
        "the publication specification",
        1 << 26,
    )?;
    let specification = read_specification(&bytes);
    let specification = specification.map_err(CliError::Damaged)?;
    Ok((bytes, specification))
}

fn build(args: &BuildArgs, project: &Project, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (_, specification) = specification(project)?;
    let disk = project.disk();
    let prefix = Prefix::open(&disk)?;
    let checkpoint = specification.checkpoint;
    let (projection, source) = fold(&prefix, checkpoint.size.get())?;
    if source.root != checkpoint.root {
        return Err(CliError::Input(format!(
            "the release is bound to root {} at size {}, but this ledger has {} there",
            checkpoint.root, checkpoint.size, source.root
        )));
    }
    let has_live = !specification.is_first() && specification.artifacts.iter().any(is_live);
    let whole = has_live.then(|| fold(&prefix, prefix.size())).transpose()?;
    let mut made = Vec::new();
    for artifact in &specification.artifacts {
        let (projection, source) = match &whole {
            Some((whole, end)) if is_live(artifact) => (whole, end),
            _ => (&projection, &source),
        };
        made.extend(files_of(&specification, artifact, projection, source)?);
    }
    for (path, bytes) in &made {
        if !args.dry_run {
            project.write(path.as_str(), bytes)?;
        }
        screen.line(&format!("{}  {path}", Digest::of(bytes)));
    }
    Ok(Exit::Clean)
}

fn is_live(artifact: &ArtifactSpec) -> bool {
    artifact.state == State::Live
}

/// Makes an artifact, and the statement of what it was made from; nothing where
/// it has no generator.
fn files_of(
    specification: &Specification,
    artifact: &ArtifactSpec,
    projection: &Projection,
    source: &Source,
) -> Result<Vec<(RelativePath, Vec<u8>)>, CliError> {
    let generator = artifact.generator.as_ref();
    let Some(generator) = generator.filter(|_| artifact.state.is_made()) else {
        return Ok(Vec::new());
    };
    let wrong = |error: String| CliError::Input(format!("artifact {:?}: {error}", artifact.path));
    let path = place_of(&artifact.path);
    let path = path.map_err(|finding| CliError::Damaged(vec![*finding]))?;
    let bytes =
        generate(generator, projection, source).map_err(|error| wrong(error.to_string()))?;
    if specification.is_first() {
        return Ok(vec![(path, bytes)]);
    }
    let inputs = Footing::of(generator).inputs(&source.checkpoint(), projection);
    let statement = Statement::of(path.as_str(), Digest::of(&bytes), generator, &inputs);
    let statement = statement.file().map_err(|error| wrong(error.to_string()))?;
    let beside = provenance_path(path.as_str()).unwrap_or_default();
    let beside: RelativePath = beside
        .parse()
        .map_err(|error: ParsePathError| wrong(error.to_string()))?;
    Ok(vec![(path, bytes), (beside, statement)])
}

/// Refuses to publish by a specification of version 1, which asks for less. What
/// cannot be read is a finding of the audit.
fn refuse_first(project: &Project) -> Result<(), CliError> {
    match specification(project) {
        Ok((_, specification)) if specification.is_first() => Err(CliError::Input(format!(
            "{SPECIFICATION} is of version 1, which only releases keep that are published \
             already; write one of version 2: scoresheet release new NAME --cohort COHORT --replace"
        ))),
        _ => Ok(()),
    }
}

fn publish(
    args: &PublishArgs,
    project: &Project,
    screen: &mut Screen<'_>,
) -> Result<Exit, CliError> {
    refuse_first(project)?;
    let key = args.signing.load(&project.disk())?;
    let recomputed = if args.writing.dry_run {
        recompute(project, Rules::Newest)?
    } else {
        // Both, so that neither can go missing unnoticed.
        look(project, &[Mode::Draft, Mode::Publication])?.0
    };
    let audit = recomputed.examination.manifest(Mode::Publication);
    if audit.verdict != Verdict::Passed {
        screen.findings(&audit.findings);
        hint("the audit refuses the release; nothing was published");
        return Ok(Exit::Blocked);
    }
    let (Some(bundle), Some(status), Some(inventory), Some(evidence)) = (
        audit.bundle,
        audit.evidence_status,
        &audit.inventory,
        &recomputed.evidence,
    ) else {
        return Err(CliError::Input("the audit names no bundle".to_owned()));
    };
    let last = evidence.whole.published.last();
    if last.is_some_and(|last| last.published.bundle == bundle) {
        return Err(CliError::Input(
            "this very bundle is published already".to_owned(),
        ));
    }
    let file = manifest::file(&audit).map_err(|error| CliError::Input(error.to_string()))?;
    let digest = Digest::of(&file);
    let published = ReleasePublished {
        audit: digest,
        bundle,
        checkpoint: inventory.checkpoint,
        evidence_status: status,
        release: inventory.release.clone(),
        specification: inventory.specification,
        supersedes: last.map(|last| last.id),
    };
    let disk = project.disk();
    if !args.writing.dry_run {
        let checkpoint = Checkpoint::new(inventory.origin.clone(), inventory.checkpoint);
        issue(key.as_ref(), &disk, &checkpoint)?;
    }
    if let Some(receipt) = args.writing.append(&disk, &[published.into()], screen)? {
        // The next audit writes over the other one; this one is kept for ever.
        project.write(&retained_path(&digest), &file)?;
        screen.line(&format!(
            "published {} as {}: bundle {bundle}; the ledger has {}, root {}",
            inventory.release,
            status.as_str(),
            counted(receipt.size, "event"),
            receipt.root
        ));
    }
    Ok(Exit::Clean)
}
