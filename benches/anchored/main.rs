//! Ratings against anchors: how fast they are fitted, and how often their
//! intervals cover the truth.
//!
//! `cargo bench --bench anchored` prints the speeds; `-- --coverage` simulates
//! 2,000 tournaments a row, too, which takes some minutes. `-- --tournaments N`
//! simulates another number. `benches/README.md` explains the rows.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(
    clippy::cast_precision_loss,
    reason = "shares are shown with two decimals"
)]

mod coverage;
mod speed;
mod tournament;

fn main() {
    let argument = |name: &str| std::env::args().any(|argument| argument == name);
    let mut after = std::env::args().skip_while(|argument| argument != "--tournaments");
    let tournaments = after.nth(1).map(|number| number.parse().unwrap());
    speed::print();
    if argument("--coverage") || tournaments.is_some() {
        coverage::print(tournaments.unwrap_or(2000));
    }
}
