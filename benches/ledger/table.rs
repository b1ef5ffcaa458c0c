use std::time::Duration;

pub(crate) fn heading() {
    println!();
    println!(
        "{:<44} {:>12} {:>12} {:>7}",
        "work", "baseline", "scoresheet", "ratio"
    );
}

pub(crate) fn row(work: &str, events: usize, (baseline, ours): (Duration, Duration)) {
    let rate = |time: Duration| format!("{:.0}/s", events as f64 / time.as_secs_f64());
    let ratio = baseline.as_secs_f64() / ours.as_secs_f64();
    println!(
        "{work:<44} {:>12} {:>12} {ratio:>7.2}",
        rate(baseline),
        rate(ours)
    );
}

/// Runs both in turn, so that a noisy moment hits both, and returns both medians.
pub(crate) fn median_pair(
    rounds: usize,
    mut baseline: impl FnMut() -> Duration,
    mut ours: impl FnMut() -> Duration,
) -> (Duration, Duration) {
    let (mut baselines, mut times) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        baselines.push(baseline());
        times.push(ours());
    }
    let median = |mut times: Vec<Duration>| {
        times.sort();
        times[times.len() / 2]
    };
    (median(baselines), median(times))
}
