use crate::event::EventId;
use crate::projection::{PositionList, PositionRun, Projection};

/// Which board of positions is meant. What is not named has to be the only one.
#[derive(Clone, Copy, Debug, Default)]
pub struct PositionQuery<'q> {
    /// The list, by name.
    pub dataset: Option<&'q str>,
    /// The protocol, by name or id.
    pub protocol: Option<&'q str>,
    /// The condition.
    pub condition: Option<&'q str>,
}

/// Why there is no board of positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} before event {size}, found {found}; {there}")]
pub struct PositionBoardError {
    /// What one board is of.
    pub expected: String,
    /// What was asked for.
    pub found: String,
    /// The prefix that was looked at.
    pub size: u64,
    /// What there is, in words, or what to do where there is nothing.
    pub there: String,
}

/// What is meant.
pub(crate) struct Chosen<'p> {
    pub(crate) list: &'p PositionList,
    pub(crate) protocol: String,
    pub(crate) condition: String,
    /// Of all systems.
    pub(crate) runs: Vec<&'p PositionRun>,
}

impl<'p> Chosen<'p> {
    pub(crate) fn of(
        projection: &'p Projection,
        query: PositionQuery<'_>,
    ) -> Result<Self, PositionBoardError> {
        let size = projection.size;
        let lists = projection.positions.lists();
        let name = |list: &PositionList| list.registered.name.to_string();
        let names: Vec<_> = lists.iter().map(|list| name(list)).collect();
        let chosen = the_one("one list of positions", query.dataset, &names, size)?;
        let missing = || PositionBoardError {
            expected: "one list of positions".to_owned(),
            found: "none".to_owned(),
            size,
            there: NOTHING.to_owned(),
        };
        let list = lists.into_iter().find(|list| Some(name(list)) == chosen);
        let list = list.ok_or_else(missing)?;
        let mut runs: Vec<_> = projection.positions.runs(&list.id).collect();
        let shown = |id: &EventId| {
            let protocol = projection.systems.protocol(id);
            protocol.map_or_else(|| id.to_string(), |known| known.published.name.to_string())
        };
        let name = name(list);
        // An id is as good as a name, and tells two of one name apart.
        let is_id =
            |run: &&PositionRun| Some(run.key.protocol.to_string().as_str()) == query.protocol;
        let protocol = if runs.iter().any(is_id) {
            runs.retain(is_id);
            query.protocol.map(str::to_owned)
        } else {
            let ids = runs.iter().map(|run| run.key.protocol).collect();
            let names: Vec<_> = distinct(ids).iter().map(shown).collect();
            let expected = format!("one protocol under which {name} was answered");
            let protocol = the_one(&expected, query.protocol, &names, size)?;
            runs.retain(|run| Some(shown(&run.key.protocol)) == protocol);
            protocol
        };
        let conditions = runs.iter().map(|run| run.key.condition.to_string());
        let conditions = distinct(conditions.collect());
        let expected = format!("one condition under which {name} was answered");
        let condition = the_one(&expected, query.condition, &conditions, size)?;
        runs.retain(|run| Some(run.key.condition.to_string()) == condition);
        let yet = |chosen: Option<String>| chosen.unwrap_or_else(|| "none yet".to_owned());
        Ok(Self {
            list,
            protocol: yet(protocol),
            condition: yet(condition),
            runs,
        })
    }
}

/// What to do where there is nothing that could be meant.
const NOTHING: &str =
    "there is none: register a list with scoresheet dataset positions, and ask with scoresheet run";

fn distinct<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort();
    all.dedup();
    all
}

/// The name that is asked for, or the only one there is; nothing where there is none
/// and none is asked for.
fn the_one(
    expected: &str,
    wanted: Option<&str>,
    there: &[String],
    size: u64,
) -> Result<Option<String>, PositionBoardError> {
    let meant = there
        .iter()
        .filter(|name| wanted.is_none_or(|wanted| *name == wanted));
    let meant: Vec<_> = meant.collect();
    match (meant.as_slice(), wanted) {
        ([], None) => Ok(None),
        ([only], _) => Ok(Some((*only).clone())),
        _ => Err(PositionBoardError {
            expected: expected.to_owned(),
            found: wanted.unwrap_or("several that could be meant").to_owned(),
            size,
            there: if there.is_empty() {
                NOTHING.to_owned()
            } else {
                format!("there is: {}", there.join(", "))
            },
        }),
    }
}
