//! In what two registrations differ.

use crate::event::SystemRegistered;

/// Returns in which parts two systems differ, in words.
pub(crate) fn difference(one: &SystemRegistered, other: &SystemRegistered) -> String {
    let (Some(a), Some(b)) = (&one.engine, &other.engine) else {
        return other_difference(one, other);
    };
    let parts = [
        ("program, net or other file", a.files != b.files),
        (
            "engine name or author",
            (&a.name, &a.author) != (&b.name, &b.author),
        ),
        ("net", a.net != b.net),
        ("argument", a.arguments != b.arguments),
        ("option", a.options != b.options),
        ("search limit", a.limit != b.limit),
        ("assistance", one.assistance != other.assistance),
        ("name", one.name != other.name),
        ("model", one.model != other.model),
    ];
    let differing = parts.iter().filter(|(_, differs)| *differs);
    let names: Vec<_> = differing.map(|(name, _)| *name).collect();
    names.join(", another ")
}

/// Returns in which parts two systems differ that are not both engines.
fn other_difference(one: &SystemRegistered, other: &SystemRegistered) -> String {
    let (Some(a), Some(b)) = (&one.model, &other.model) else {
        return if one.baseline.is_some() && other.baseline.is_some() {
            "seed, script or name".to_owned()
        } else {
            "kind of system".to_owned()
        };
    };
    let parts = [
        (
            "model or route",
            (&a.requested_model, &a.route) != (&b.requested_model, &b.route),
        ),
        ("thinking setting", a.reasoning_effort != b.reasoning_effort),
        ("parameter", a.parameters != b.parameters),
        ("prompt", a.prompt != b.prompt),
        ("program, argument or environment", a.program != b.program),
        ("assistance", one.assistance != other.assistance),
        ("name", one.name != other.name),
    ];
    let differing = parts.iter().filter(|(_, differs)| *differs);
    let names: Vec<_> = differing.map(|(name, _)| *name).collect();
    names.join(", another ")
}
