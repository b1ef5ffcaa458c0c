use serde_json::{Value, json};

use crate::cli::measure::games::Played;
use crate::cli::screen::counted;
use crate::finding::visible;
use crate::measure::anchored::{Bound, End, Fit, Printed, Reach, Side, SystemFit};
use crate::measure::{Interval, decimal};

fn points(number: f64) -> String {
    decimal(number, 4).unwrap_or_else(|_| "no number".to_owned())
}

fn interval(interval: Interval) -> String {
    format!("[{}, {}]", points(interval.low), points(interval.high))
}

fn reach(reach: Reach) -> String {
    let end = |end: End| match end {
        End::BelowAll => "-inf".to_owned(),
        End::At(rating) => points(rating),
        End::AboveAll => "+inf".to_owned(),
    };
    format!("[{}, {}]", end(reach.low), end(reach.high))
}

fn bounded(bound: &Bound) -> String {
    let (side, what) = match bound.side {
        Side::AtLeast => ("at least", "won"),
        Side::AtMost => ("at most", "lost"),
    };
    format!(
        "{side} {} (every game was {what}: exact one-sided 95 % bound, no estimate)",
        points(bound.rating)
    )
}

/// What is said of a player, line by line; the bootstrap is told by its
/// replicates and its seed.
pub(crate) fn lines(
    name: &str,
    played: &Played,
    fit: &SystemFit,
    (replicates, seed): (u32, u64),
) -> Vec<String> {
    let (total, n_matches) = (fit.total, played.matches.len());
    let mut lines = vec![
        visible(&format!("{name:?}")),
        format!(
            "  {}: {} won, {} drawn, {} lost; {} of two games, {} alone",
            counted(total.games(), "game"),
            total.wins,
            total.draws,
            total.losses,
            match played.n_pairs {
                1 => "1 mini-match".to_owned(),
                n => format!("{n} mini-matches"),
            },
            n_matches - played.n_pairs,
        ),
    ];
    for (anchor, tally) in &played.by_anchor {
        let anchor = visible(&format!("{anchor:?}"));
        lines.push(format!(
            "  against {anchor}: {}-{}-{}",
            tally.wins, tally.draws, tally.losses
        ));
    }
    lines.push(match &fit.performance {
        Fit::Bounded(bound) => format!("  score alone: {}", bounded(bound)),
        Fit::Finite(performance) => format!(
            "  score alone: {} {} profile; error {}, over mini-matches {}",
            points(performance.rating),
            interval(performance.profile),
            points(performance.fisher_error),
            fit.cluster_error.map_or_else(|| "n/a".to_owned(), points),
        ),
    });
    match &fit.joint {
        Fit::Bounded(bound) => lines.push(format!("  joint fit: {}", bounded(bound))),
        Fit::Finite(joint) => lines.push(format!(
            "  joint fit: {} {} profile; draw rate {} ({}), color effect {} ({})",
            points(joint.rating),
            interval(joint.profile),
            points(joint.draw_rate),
            joint.draw_basis.as_str(),
            points(joint.color_effect),
            joint.color_basis.as_str(),
        )),
    }
    if let Some(printed) = fit.printed {
        let how = match printed {
            Printed::Bootstrap(_) => format!(
                "cluster bootstrap, expanded percentiles of {replicates} replicates, seed {seed}"
            ),
            Printed::Profile(_) => "profile: resampling says nothing here".to_owned(),
        };
        lines.push(format!(
            "  95 % interval: {} ({how})",
            reach(printed.reach())
        ));
    }
    lines
}

/// The same as a JSON object, with every digit.
pub(crate) fn object(name: &str, played: &Played, fit: &SystemFit) -> Value {
    let end = |end: End| match end {
        End::BelowAll => json!("-inf"),
        End::At(rating) => json!(rating),
        End::AboveAll => json!("+inf"),
    };
    let ends = |reach: Reach| json!([end(reach.low), end(reach.high)]);
    let pair = |interval: Interval| json!([interval.low, interval.high]);
    let bound = |bound: &Bound| match bound.side {
        Side::AtLeast => json!({"at_least": bound.rating}),
        Side::AtMost => json!({"at_most": bound.rating}),
    };
    let performance = match &fit.performance {
        Fit::Bounded(found) => bound(found),
        Fit::Finite(found) => {
            let mut score = json!({
                "rating": found.rating, "profile_95": pair(found.profile),
                "fisher_error": found.fisher_error,
            });
            if let (Some(error), Some(members)) = (fit.cluster_error, score.as_object_mut()) {
                members.insert("cluster_error".to_owned(), json!(error));
            }
            score
        }
    };
    let joint = match &fit.joint {
        Fit::Bounded(found) => bound(found),
        Fit::Finite(found) => json!({
            "rating": found.rating, "profile_95": pair(found.profile),
            "draw_rate": found.draw_rate, "draw_rate_is": found.draw_basis.as_str(),
            "color_effect": found.color_effect, "color_effect_is": found.color_basis.as_str(),
            "log_likelihood": found.log_likelihood,
        }),
    };
    let tally = fit.total;
    let mut object = json!({
        "player": name, "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
        "mini_matches": played.n_pairs, "single_games": played.matches.len() - played.n_pairs,
        "score_alone": performance, "joint": joint,
    });
    if let (Some(printed), Some(bootstrap), Some(members)) =
        (fit.printed, &fit.bootstrap, object.as_object_mut())
    {
        let (method, reach) = match printed {
            Printed::Bootstrap(reach) => ("cluster bootstrap", reach),
            Printed::Profile(_) => ("profile", printed.reach()),
        };
        let (below, above) = bootstrap.beyond();
        members.insert(
            "interval_95".to_owned(),
            json!({"method": method, "ends": ends(reach)}),
        );
        let mut resampled = json!({"n_minus_inf": below, "n_plus_inf": above});
        let plain = bootstrap.percentile_95().filter(|_| bootstrap.varies());
        if let (Some(plain), Some(members)) = (plain, resampled.as_object_mut()) {
            members.insert("percentile_95".to_owned(), ends(plain));
        }
        members.insert("bootstrap".to_owned(), resampled);
    }
    object
}
