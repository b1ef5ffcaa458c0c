use serde_json::json;

use crate::board::Table;
use crate::event::ClaimFigure;
use crate::finding::visible;
use crate::projection::{Claim, ClaimStanding, Projection, Source};
use crate::release::GenerateError;
use crate::release::cited::{Figures, Found, figure_in_words};
use crate::release::indexes::page;

/// The name of the generator of the table of claims.
pub const CLAIMS: &str = "claims";

/// A claim at a prefix, with what its tables say there.
pub struct ClaimAt<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// How it stands, its tables made again.
    pub standing: ClaimStanding,
    /// Each figure, with what its table says where that is something else.
    pub figures: Vec<(&'a ClaimFigure, Option<Found>)>,
}

/// Returns the claims of a prefix, in the order they were recorded: of a cohort
/// those that stand on it or on no cohort, else all of them.
pub fn claims_at<'a>(
    projection: &'a Projection,
    source: &Source,
    cohort: Option<&str>,
) -> Vec<ClaimAt<'a>> {
    let mut figures = Figures::new(projection, source);
    let is_of = |claim: &&Claim| {
        cohort.is_none_or(|name| claim.is_on(name) || claim.said().cohorts.is_empty())
    };
    let claims = projection.record.claims.iter().filter(is_of);
    claims
        .map(|claim| {
            let held = claim.said().figures.iter();
            let held: Vec<_> = held
                .map(|figure| (figure, figures.differing(figure)))
                .collect();
            let standing = projection.standing_of(claim);
            let differs = held.iter().any(|(_, found)| found.is_some());
            ClaimAt {
                claim,
                standing: if standing.is_made() && differs {
                    ClaimStanding::Stale
                } else {
                    standing
                },
                figures: held,
            }
        })
        .collect()
}

/// Returns the claims as CSV, JSON or Markdown.
pub(crate) fn make(
    projection: &Projection,
    source: &Source,
    cohort: &str,
    format: &str,
) -> Result<Vec<u8>, GenerateError> {
    crate::board::cohort(projection, cohort)?;
    let claims = claims_at(projection, source, Some(cohort));
    Ok(match format {
        "json" => {
            let document = json!({
                "claims": claims_json(&claims),
                "cohort": cohort,
                "origin": source.origin.as_str(),
                "root": source.root.to_string(),
                "size": source.size,
                "v": 1,
            });
            format!("{document:#}\n").into_bytes()
        }
        "markdown" => {
            let title = format!("Claims on {cohort}");
            page(&title, source, &claims_table(&claims, visible))
        }
        _ => claims_table(&claims, str::to_owned).csv(),
    })
}

/// One row a figure; a claim without figures has one row.
pub fn claims_table(claims: &[ClaimAt<'_>], shown: impl Fn(&str) -> String) -> Table {
    let mut table = Table::new(vec![
        "name",
        "kind",
        "standing",
        "verdict",
        "reviewed_at",
        "reviewer",
        "review_reason",
        "evidence_status",
        "is_negative",
        "cohorts",
        "statement",
        "value",
        "now",
        "from",
        "endpoint",
        "claim",
        "supersedes",
        "superseded_by",
    ]);
    for one in claims {
        let said = one.claim.said();
        let review = one.claim.last_review().map(|review| &review.said);
        let cohorts: Vec<_> = said.cohorts.iter().map(ToString::to_string).collect();
        let text = |id: Option<String>| id.unwrap_or_default();
        let head = vec![
            said.name.to_string(),
            said.kind.as_str().to_owned(),
            one.standing.as_str().to_owned(),
            text(review.map(|review| review.verdict.as_str().to_owned())),
            text(review.map(|review| review.checkpoint.size.to_string())),
            text(review.map(|review| shown(&review.reviewer))),
            text(review.map(|review| shown(&review.reason))),
            said.evidence_status.as_str().to_owned(),
            text(said.is_negative.map(|is_negative| is_negative.to_string())),
            cohorts.join(" "),
            shown(&said.statement),
        ];
        let endpoint = said.endpoint.as_ref();
        let tail = vec![
            text(endpoint.map(|endpoint| shown(&endpoint.text))),
            one.claim.recorded.id.to_string(),
            text(said.supersedes.map(|id| id.to_string())),
            text(one.claim.superseded_by.map(|id| id.to_string())),
        ];
        let mut figures: Vec<_> = one.figures.iter().map(figure_cells).collect();
        if figures.is_empty() {
            figures.push([String::new(), String::new(), String::new()]);
        }
        for cells in figures {
            let cells = cells.iter().map(|cell| shown(cell)).collect();
            table.push([head.clone(), cells, tail.clone()].concat());
        }
    }
    table
}

/// The stated number, what its table says now, and where it stands.
fn figure_cells((figure, found): &(&ClaimFigure, Option<Found>)) -> [String; 3] {
    let now = match found {
        None => figure.value.clone(),
        Some(Found::Value(value)) => value.clone(),
        // A table, row or column that is gone gives no number.
        Some(Found::Nothing(_)) => String::new(),
    };
    [figure.value.clone(), now, figure_in_words(figure)]
}

/// The claims for programs.
pub fn claims_json(claims: &[ClaimAt<'_>]) -> serde_json::Value {
    let claims = claims.iter();
    claims
        .map(|one| {
            let figures = one.figures.iter();
            let figures: Vec<_> = figures
                .map(|(figure, found)| {
                    let mut figure = json!({ "holds": found.is_none(), "what": figure });
                    if let Some(found) = found {
                        figure["found"] = found.in_words().into();
                    }
                    figure
                })
                .collect();
            let recorded = &one.claim.recorded;
            let reviews = one.claim.reviews.iter();
            let reviews: Vec<_> = reviews
                .map(|review| {
                    json!({
                        "at": review.at, "by": review.by, "id": review.id,
                        "index": review.index, "what": review.said,
                    })
                })
                .collect();
            let mut claim = json!({
                "at": recorded.at,
                "by": recorded.by,
                "figures": figures,
                "id": recorded.id,
                "index": recorded.index,
                "reviews": reviews,
                "standing": one.standing.as_str(),
                "what": recorded.said,
            });
            if let Some(later) = one.claim.superseded_by {
                claim["superseded_by"] = json!(later);
            }
            claim
        })
        .collect()
}
