/// Rows that name rows that are not there.
///
/// What grows with the moves is looked up when its row is made; so a row of
/// those tables that names nothing is noted here, and no pass over the finished
/// tables looks again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dangling {
    /// How many.
    pub(crate) rows: usize,
    /// The table of the first one, and the table that it names.
    pub(crate) first: Option<(&'static str, &'static str)>,
}

impl Dangling {
    /// Notes a row of a table, where what it names in another is not there.
    pub(crate) fn note(&mut self, is_missing: bool, table: &'static str, parent: &'static str) {
        if is_missing {
            self.rows += 1;
            self.first.get_or_insert((table, parent));
        }
    }
}
