use crate::board::{Basis, Comparison, ComparisonError, Table, cohort};
use crate::measure::{MatchElo, NotFinite, Sprt, decimal};
use crate::projection::{Projection, Source};

/// The test that every pair is put to: 20 Elo against none, each error at most one
/// in twenty.
pub const PAIRING_SPRT: Sprt = Sprt {
    elo0: 0.0,
    elo1: 20.0,
    alpha: 0.05,
    beta: 0.05,
};

/// Returns what is known of every two systems of a cohort, one row a pair, in the
/// order of the schedule. Two that have nothing in common have a row that says so.
///
/// # Errors
///
/// When there is no such cohort.
pub fn pairings(
    projection: &Projection,
    name: &str,
    source: &Source,
) -> Result<Vec<Comparison>, ComparisonError> {
    let systems = cohort(projection, name)?.schedule.committed.systems.clone();
    let names: Vec<_> = systems.iter().map(|id| projection.name_of(id)).collect();
    let mut compared = Vec::new();
    for (place, first) in names.iter().enumerate() {
        for second in names.iter().skip(place + 1) {
            let both = [first.as_str(), second.as_str()];
            compared.push(Comparison::of(
                projection,
                name,
                both,
                PAIRING_SPRT,
                source.clone(),
            )?);
        }
    }
    Ok(compared)
}

/// Returns the table of pairs. A bound is no Elo: one of the two is empty.
///
/// # Errors
///
/// When a number is not finite.
pub fn pairing_figures(projection: &Projection, pairs: &[Comparison]) -> Result<Table, NotFinite> {
    let mut table = Table::new(vec![
        "first",
        "first_id",
        "first_assistance",
        "second",
        "second_id",
        "second_assistance",
        "basis",
        "n",
        "wins",
        "draws",
        "losses",
        "pairs_by_half_points",
        "unpaired",
        "elo_kind",
        "elo",
        "elo_error_95",
        "likelihood_of_superiority",
        "log_likelihood_ratio",
        "sprt_state",
        "evidence_status",
    ]);
    for pair in pairs {
        let [first, second] = &pair.systems;
        let score = pair.score();
        let elo = score.elo().filter(|_| pair.basis == Basis::Games);
        let (kind, elo, error) = match elo {
            None => ("", None, None),
            Some(MatchElo::AtLeast(bound)) => ("at_least", Some(bound), None),
            Some(MatchElo::AtMost(bound)) => ("at_most", Some(bound), None),
            Some(MatchElo::Finite { elo, error }) => ("estimate", Some(elo), error),
        };
        let number = |number: Option<f64>| {
            let text = number.map(|number| decimal(number, 6)).transpose()?;
            Ok::<_, NotFinite>(text.unwrap_or_default())
        };
        let status = projection.cohort(&pair.cohort);
        let status = status.map_or("", |cohort| cohort.evidence_status().as_str());
        table.push(vec![
            first.name.clone(),
            first.id.to_string(),
            first.assistance.to_string(),
            second.name.clone(),
            second.id.to_string(),
            second.assistance.to_string(),
            match pair.basis {
                Basis::Games => "games",
                Basis::CommonAnchors => "common_anchors",
            }
            .to_owned(),
            pair.single.games().to_string(),
            pair.single.wins.to_string(),
            pair.single.draws.to_string(),
            pair.single.losses.to_string(),
            pair.pairs.map(|count| count.to_string()).join(" "),
            pair.unpaired.to_string(),
            kind.to_owned(),
            number(elo)?,
            number(error)?,
            number(score.superiority())?,
            number(Some(pair.sprt.log_likelihood_ratio(&score)))?,
            pair.sprt.state(&score).as_str().to_owned(),
            status.to_owned(),
        ]);
    }
    Ok(table)
}
