use crate::measure::anchored::ladder::Meeting;

/// Whether the games of anchors give one of them a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its level is given.
    Pinned,
    /// It scored, through a chain of games, against pinned ones, and they
    /// against it.
    Between,
    /// One of the two is missing.
    Beyond,
}

/// Finds out for each anchor.
pub(crate) fn standings(pinned: &[Option<f64>], meetings: &[Meeting]) -> Vec<Standing> {
    // From each game an arrow from who scored to the other one.
    let arrows = || {
        meetings.iter().flat_map(|meeting| {
            let (tally, sides) = (meeting.tally, (meeting.white, meeting.black));
            let white_scored = 0 < tally.wins + tally.draws;
            let black_scored = 0 < tally.losses + tally.draws;
            let there = white_scored.then_some(sides);
            let back = black_scored.then_some((sides.1, sides.0));
            [there, back].into_iter().flatten()
        })
    };
    let below = reached(pinned, arrows);
    let above = reached(pinned, || arrows().map(|(from, to)| (to, from)));
    let both = below.into_iter().zip(above);
    let standing = |(level, is_both): (&Option<f64>, (bool, bool))| match (level, is_both) {
        (Some(_), _) => Standing::Pinned,
        (None, (true, true)) => Standing::Between,
        (None, _) => Standing::Beyond,
    };
    pinned.iter().zip(both).map(standing).collect()
}

/// Who can be reached from a pinned anchor along the arrows.
fn reached<I: Iterator<Item = (usize, usize)>>(
    pinned: &[Option<f64>],
    arrows: impl Fn() -> I,
) -> Vec<bool> {
    let mut reached: Vec<bool> = pinned.iter().map(Option::is_some).collect();
    loop {
        let mut is_new = false;
        for (from, to) in arrows() {
            if reached.get(from) == Some(&true)
                && let Some(there) = reached.get_mut(to)
                && !*there
            {
                *there = true;
                is_new = true;
            }
        }
        if !is_new {
            return reached;
        }
    }
}
