use std::path::PathBuf;

use serde_json::json;

use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::files::{NOTE_BYTES_MAX, read_input};
use crate::cli::policy::{in_json, in_words, read_policy};
use crate::cli::reading::ReportFormat;
use crate::cli::screen::{Screen, counted};
use crate::digest::ProofFault;
use crate::event::EventId;
use crate::finding::{Code, Finding, Place, visible};
use crate::ledger::{ConsistencyProof, InclusionProof, NoteFault, SignedCheckpoint};
use crate::secret::Scanner;

/// Check a proof, without the ledger.
///
/// A C2SP tlog-proof is held against the event that it is about: the one of
/// --event, or else the line that came along with it. The body of an
/// add-checkpoint request is held against an earlier checkpoint that you kept:
/// --old. With --policy, the checkpoint must be signed as the policy demands;
/// without, nobody's signature is checked, and only the arithmetic is.
///
/// Exit codes: 0 proven; 1 refused; 2 something could not be looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file of the proof, or - for standard input.
    file: PathBuf,

    /// The event: its id, or a file that holds its line.
    #[arg(long, value_name = "ID|FILE")]
    event: Option<String>,

    /// The earlier checkpoint, which you trust because you kept it.
    #[arg(long, value_name = "FILE")]
    old: Option<PathBuf>,

    /// Whose signatures count, and how many.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// How to report.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
}

/// What is proven where nothing is found: in words and for programs, and which
/// checkpoint it rests on.
struct Claim {
    words: Vec<String>,
    json: serde_json::Value,
    checkpoint: SignedCheckpoint,
    fault: Option<(ProofFault, String)>,
}

pub(crate) fn run(args: &Args, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let file = read_input(&args.file, NOTE_BYTES_MAX)?;
    let policy = args.policy.as_deref().map(read_policy).transpose()?;
    let place = Place::file(args.file.display().to_string());
    let claim = if InclusionProof::is_one(&file) {
        inclusion(args, &file)?
    } else {
        consistency(args, &file)?
    };
    let mut words = Vec::new();
    let mut json = json!({});
    let mut findings = Vec::new();
    match claim {
        Ok(claim) => {
            let origin = &claim.checkpoint.checkpoint().origin;
            words = claim.words;
            json = claim.json;
            if let Some((fault, expected)) = claim.fault {
                findings.push(not_proven(place.clone(), &expected, &fault.to_string()));
            }
            json["checkpoint"] = checkpoint_json(&claim.checkpoint);
            match policy
                .as_ref()
                .map(|policy| policy.judge(&claim.checkpoint))
            {
                Some(Ok(judgement)) => {
                    words.extend(in_words(&judgement));
                    json["policy"] = in_json(&judgement);
                }
                Some(Err(refusal)) => findings.push(refusal.finding(place)),
                None => words.push(unchecked(&claim.checkpoint, origin.as_str())),
            }
        }
        Err(fault) => {
            let line = u64::try_from(fault.line).unwrap_or(u64::MAX);
            let finding = not_proven(place.line(line), fault.expected, &fault.found);
            findings.push(finding.with_remedy(
                "this is no proof file, or it was changed on its way: have it made again with scoresheet prove",
            ));
        }
    }
    let verdict = if findings.is_empty() {
        "proven"
    } else {
        "refused"
    };
    match args.format {
        ReportFormat::Text if findings.is_empty() => {
            for line in &words {
                screen.line(line);
            }
        }
        ReportFormat::Text => {
            screen.findings(&findings);
            screen.line(&format!("refused: {}", counted(findings.len(), "finding")));
        }
        ReportFormat::Json => {
            json["findings"] = json!(findings);
            json["verdict"] = verdict.into();
            screen.line(&format!("{json:#}"));
        }
    }
    Ok(Exit::of(&findings))
}

fn not_proven(place: Place, expected: &str, found: &str) -> Finding {
    let finding = Finding::new(Code::ProofRefused, place, expected, found);
    Scanner::shared().redacted_finding(finding)
}

/// Holds a tlog-proof against its event.
fn inclusion(args: &Args, file: &[u8]) -> Result<Result<Claim, NoteFault>, CliError> {
    if args.old.is_some() {
        let why =
            "the file proves that an event is included; --old is for proofs that a ledger grew";
        return Err(CliError::Input(why.to_owned()));
    }
    let proof = match InclusionProof::parse(file) {
        Ok(proof) => proof,
        Err(fault) => return Ok(Err(fault)),
    };
    let (id, line) = event(args, &proof)?;
    let there = proof.checkpoint.checkpoint();
    let (index, origin, size, root) = (proof.index, &there.origin, there.size, there.root);
    let mut words = vec![format!(
        "event {id} stands at position {index} of {origin} with {}, root {root}",
        counted(size, "event"),
    )];
    let shown = line.map(|line| {
        let line = Scanner::shared().redacted(&String::from_utf8_lossy(&line));
        visible(&line)
    });
    words.extend(shown);
    let expected = format!("event {id} at position {index} under root {root}");
    let fault = proof.verify(&id.leaf()).err();
    Ok(Ok(Claim {
        words,
        json: json!({"event": id.to_string(), "index": index, "proves": "inclusion"}),
        fault: fault.map(|fault| (fault, expected)),
        checkpoint: proof.checkpoint,
    }))
}

/// The event that a proof is held against, and its line where that is known.
fn event(args: &Args, proof: &InclusionProof) -> Result<(EventId, Option<Vec<u8>>), CliError> {
    let line = match (&args.event, &proof.extra) {
        (Some(event), _) => match event.parse::<EventId>() {
            Ok(id) => return Ok((id, None)),
            Err(_) => read_input(event.as_ref(), NOTE_BYTES_MAX)?,
        },
        // Nothing vouches for it but that its hash is included, which is what is
        // being checked.
        (None, Some(extra)) => return Ok((EventId::of(extra), Some(extra.clone()))),
        (None, None) => {
            let why = "the proof comes without the line of its event; name it: --event ID or --event FILE";
            return Err(CliError::Input(why.to_owned()));
        }
    };
    let line = line.strip_suffix(b"\n").unwrap_or(&line).to_vec();
    Ok((EventId::of(&line), Some(line)))
}

/// Holds a consistency proof against an earlier checkpoint.
fn consistency(args: &Args, file: &[u8]) -> Result<Result<Claim, NoteFault>, CliError> {
    let proof = match ConsistencyProof::parse(file) {
        Ok(proof) => proof,
        Err(fault) => return Ok(Err(fault)),
    };
    if args.event.is_some() {
        let why = "the file proves that a ledger grew; --event is for proofs that one is included";
        return Err(CliError::Input(why.to_owned()));
    }
    let Some(path) = &args.old else {
        let why = "the file proves that a ledger grew out of an earlier state; name the checkpoint that you kept of it: --old FILE";
        return Err(CliError::Input(why.to_owned()));
    };
    let old = SignedCheckpoint::parse(&read_input(path, NOTE_BYTES_MAX)?)
        .map_err(|fault| CliError::Input(format!("{}: {fault}", path.display())))?;
    let (old, new) = (old.checkpoint(), proof.checkpoint.checkpoint());
    if (&old.origin, old.size) != (&new.origin, proof.old) {
        return Err(CliError::Input(format!(
            "the proof is about {} at size {}, but {} is {} at size {}",
            new.origin,
            proof.old,
            path.display(),
            old.origin,
            old.size
        )));
    }
    let words = vec![format!(
        "{} with {}, root {}, begins with the {} that you know, root {}",
        new.origin,
        counted(new.size, "event"),
        new.root,
        counted(old.size, "event"),
        old.root
    )];
    let expected = format!("a ledger that begins with the {} events known", old.size);
    let fault = proof.verify(&old.root).err();
    let old = json!({"root": old.root.to_string(), "size": old.size});
    Ok(Ok(Claim {
        words,
        json: json!({"old": old, "proves": "consistency"}),
        fault: fault.map(|fault| (fault, expected)),
        checkpoint: proof.checkpoint,
    }))
}

fn checkpoint_json(checkpoint: &SignedCheckpoint) -> serde_json::Value {
    let there = checkpoint.checkpoint();
    json!({
        "claimed_signers": checkpoint.signers(),
        "origin": there.origin.as_str(),
        "root": there.root.to_string(),
        "size": there.size,
    })
}

/// What to say where no policy was given.
fn unchecked(checkpoint: &SignedCheckpoint, origin: &str) -> String {
    let claim = if checkpoint.is_signed() {
        let names: Vec<_> = checkpoint.signers().into_iter().map(visible).collect();
        format!(
            "it claims to be signed by {}; --policy FILE checks that",
            names.join(", ")
        )
    } else {
        "it is unsigned".to_owned()
    };
    format!(
        "nobody's signature was checked: whether this is {origin} rests on how you got the checkpoint; {claim}"
    )
}
