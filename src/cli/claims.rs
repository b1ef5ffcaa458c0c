use serde_json::json;

use crate::board::Format;
use crate::cli::board::parse_format;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::reading::ReadingArgs;
use crate::cli::screen::Screen;
use crate::event::Name;
use crate::finding::visible;
use crate::ledger::Disk;
use crate::release::{ClaimAt, claims_at, claims_json, claims_table, figure_in_words};

/// List the claims: what they say, how they stand, and where their numbers come
/// from.
///
/// Every table that a claim names is made again. A claim is stale when a table
/// says another number than the claim, or when what it stands on was corrected
/// or frozen after its last review.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only claims that stand on this cohort or on none.
    #[arg(long, value_name = "COHORT")]
    cohort: Option<String>,

    /// How to print.
    #[arg(long, default_value = "text", value_parser = parse_format, value_name = "text|json|csv|markdown")]
    format: Format,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(crate) fn run(args: &Args, disk: &Disk, screen: &mut Screen<'_>) -> Result<Exit, CliError> {
    let (projection, source) = args.reading.project(disk)?;
    if let Some(cohort) = &args.cohort {
        crate::board::cohort(&projection, cohort)?;
    }
    let claims = claims_at(&projection, &source, args.cohort.as_deref());
    match args.format {
        Format::Csv => {
            let csv = claims_table(&claims, str::to_owned).csv();
            screen.line(String::from_utf8_lossy(&csv).trim_end());
        }
        Format::Markdown => screen.line(claims_table(&claims, visible).markdown().trim_end()),
        Format::Json => {
            let report = json!({
                "claims": claims_json(&claims),
                "origin": source.origin.as_str(),
                "root": source.root.to_string(),
                "size": source.size,
                "v": 1,
            });
            screen.line(&format!("{report:#}"));
        }
        Format::Text => {
            for claim in &claims {
                list(claim, screen);
            }
            if claims.is_empty() {
                screen.line(&format!("no claim before event {}", source.size));
            }
        }
    }
    Ok(Exit::Clean)
}

fn list(one: &ClaimAt<'_>, screen: &mut Screen<'_>) {
    let said = one.claim.said();
    let negative = match said.is_negative {
        Some(true) => ", negative",
        _ => "",
    };
    screen.line(&format!(
        "{}: {}, {}, {}{negative}",
        said.name,
        one.standing.as_str(),
        said.kind.as_str(),
        said.evidence_status.as_str()
    ));
    screen.line(&format!("  claim     {}", visible(&said.statement)));
    for (figure, found) in &one.figures {
        let now = found
            .as_ref()
            .map_or_else(String::new, |found| format!("; now {}", found.in_words()));
        screen.line(&visible(&format!(
            "  figure    {} from {}{now}",
            figure.value,
            figure_in_words(figure)
        )));
    }
    if let Some(endpoint) = &said.endpoint {
        screen.line(&visible(&format!(
            "  endpoint  {} {}",
            endpoint.position, endpoint.text
        )));
    }
    let cohorts: Vec<_> = said.cohorts.iter().map(Name::as_str).collect();
    if !cohorts.is_empty() {
        screen.line(&format!("  cohorts   {}", cohorts.join(", ")));
    }
    if let Some(review) = one.claim.last_review() {
        screen.line(&visible(&format!(
            "  review    {} at size {} by {}: {}",
            review.said.verdict.as_str(),
            review.said.checkpoint.size,
            review.said.reviewer,
            review.said.reason
        )));
    }
    if let Some(later) = one.claim.superseded_by {
        screen.line(&format!("  later     {later}"));
    }
    screen.line(&format!("  event     {}", one.claim.recorded.id));
}
