use crate::event::EventId;

/// One place in an event that names an earlier event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// The field, as a path below `what`.
    pub field: &'static str,
    /// The event it names.
    pub id: &'a EventId,
    /// The kinds of event that may stand there.
    pub kinds: &'static [&'static str],
}

impl<'a> Reference<'a> {
    /// Returns the reference in this field to an event of one of these kinds.
    pub(crate) const fn new(
        field: &'static str,
        id: &'a EventId,
        kinds: &'static [&'static str],
    ) -> Self {
        Self { field, id, kinds }
    }
}
