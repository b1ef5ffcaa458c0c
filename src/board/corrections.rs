use serde_json::{Value, json};

use crate::board::Table;
use crate::event::EventId;
use crate::projection::{Correction, Projection, Source};

/// Returns the table of corrections, one row each: what it changes, why, and
/// whether it counts. Free texts are shown as `shown` has them.
pub fn correction_figures(projection: &Projection, shown: impl Fn(&str) -> String) -> Table {
    let mut table = Table::new(vec![
        "id",
        "index",
        "at",
        "by",
        "change",
        "is_in_effect",
        "targets",
        "values",
        "reason",
        "evidence",
        "reversed_by",
    ]);
    let ids = |ids: &[EventId]| {
        let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
        ids.join(" ")
    };
    for correction in projection.corrections.iter() {
        let recorded = &correction.recorded;
        let values = recorded.values.iter();
        let values: Vec<_> = values
            .map(|value| format!("{}={}", value.name, value.value))
            .collect();
        table.push(vec![
            correction.id.to_string(),
            correction.index.to_string(),
            correction.at.to_string(),
            correction.by.to_string(),
            recorded.change.as_str().to_owned(),
            correction.is_in_effect.to_string(),
            ids(&recorded.targets),
            shown(&values.join(" ")),
            shown(&recorded.reason),
            shown(&recorded.evidence),
            ids(&correction.reversed_by),
        ]);
    }
    table
}

/// Returns the corrections of a prefix as a JSON value, with their events as
/// they were recorded.
pub fn correction_document(projection: &Projection, source: &Source) -> Value {
    let corrections = projection.corrections.iter().map(correction_json);
    json!({
        "corrections": corrections.collect::<Vec<_>>(),
        "origin": source.origin.as_str(),
        "root": source.root.to_string(),
        "size": source.size,
        "v": 1,
    })
}

/// Returns a correction for programs.
pub fn correction_json(correction: &Correction) -> Value {
    json!({
        "at": correction.at,
        "by": correction.by,
        "id": correction.id,
        "index": correction.index,
        "is_in_effect": correction.is_in_effect,
        "reversed_by": correction.reversed_by,
        "what": correction.recorded,
    })
}
