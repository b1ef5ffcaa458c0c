use serde::Serialize;

/// What a comparison of a whole file with what it expects came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// `agrees`, `differs`, or `nothing compared`.
    pub verdict: &'static str,
    /// Cases of which the file expects something.
    pub cases_compared: usize,
    /// Cases of which it expects nothing.
    pub cases_not_compared: usize,
    /// Figures that were compared.
    pub figures_compared: usize,
    /// Those that differ.
    pub differences: usize,
}

impl Agreement {
    /// Adds up the cases: how many figures of each were compared, and how many
    /// of them differ.
    pub(crate) fn of(cases: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut all = Self {
            verdict: "nothing compared",
            cases_compared: 0,
            cases_not_compared: 0,
            figures_compared: 0,
            differences: 0,
        };
        for (compared, differing) in cases {
            all.cases_compared += usize::from(compared != 0);
            all.cases_not_compared += usize::from(compared == 0);
            all.figures_compared += compared;
            all.differences += differing;
        }
        if all.figures_compared != 0 {
            all.verdict = if all.agrees() { "agrees" } else { "differs" };
        }
        all
    }

    /// Whether something was compared and all of it agrees.
    pub const fn agrees(&self) -> bool {
        self.figures_compared != 0 && self.differences == 0
    }
}

/// The parts of a case that an [`Agreement`] adds up.
pub(crate) fn counts<D>(compared: Option<usize>, differences: Option<&Vec<D>>) -> (usize, usize) {
    (compared.unwrap_or(0), differences.map_or(0, Vec::len))
}
