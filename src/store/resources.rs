use crate::projection::{Resources, Tally};
use crate::store::row::{Row, integer, known_integer, known_text};

/// The columns that say what calls took; they are the same in every table
/// that has them.
pub(crate) fn columns(resources: &Resources) -> Row {
    let mut row = vec![
        ("calls_sent", integer(resources.sent)),
        ("calls_answered", integer(resources.answered)),
        ("calls_failed", integer(resources.failures())),
    ];
    row.extend(tally(
        ["nodes", "nodes_reported", "nodes_base"],
        &resources.nodes,
    ));
    row.extend(tally(
        ["time_ms", "time_reported", "time_base"],
        &resources.time_ms,
    ));
    row.extend(tally(
        [
            "prompt_tokens",
            "prompt_tokens_reported",
            "prompt_tokens_base",
        ],
        &resources.prompt_tokens,
    ));
    row.extend(tally(
        [
            "completion_tokens",
            "completion_tokens_reported",
            "completion_tokens_base",
        ],
        &resources.completion_tokens,
    ));
    let cost = &resources.cost_usd;
    row.extend([
        ("cost_usd", known_text(cost.known())),
        ("cost_reported", integer(cost.reported)),
        ("cost_base", integer(cost.base)),
    ]);
    let estimated = &resources.estimated_usd;
    row.extend([
        ("estimated_usd", known_text(estimated.known())),
        ("estimated_reported", integer(estimated.reported)),
        ("estimated_base", integer(estimated.base)),
    ]);
    row
}

/// A sum, how many parts of its base were reported, and the base.
fn tally(names: [&'static str; 3], tally: &Tally<u64>) -> Row {
    let [sum, reported, base] = names;
    vec![
        (sum, known_integer(tally.known())),
        (reported, integer(tally.reported)),
        (base, integer(tally.base)),
    ]
}
