//! Fits on one core.

use std::hint::black_box;
use std::time::Instant;

use scoresheet::measure::anchored::{
    Bootstrap, ColorEffect, DrawRate, Joint, MiniMatch, Model, Performance, Record, Terms,
};

use crate::tournament::{Chance, Truth};

const ANCHORS: [f64; 5] = [1320.0, 1500.0, 1700.0, 1900.0, 2100.0];

/// Rounds of which the fastest counts.
const ROUNDS: usize = 5;

pub(crate) fn print() {
    let free = Terms {
        draws: DrawRate::Free,
        color: ColorEffect::Free { frozen: 0.0 },
    };
    let constant = Terms {
        draws: DrawRate::Constant(0.25),
        color: ColorEffect::Constant(25.0),
    };
    let systems = systems();
    let record = |matches: &Vec<MiniMatch>| Record::of_matches(matches).unwrap();
    println!(
        "{:<58} {:>10}",
        "1,000 systems of 1,000 games, with profile intervals", "seconds"
    );
    row("score alone", || {
        for matches in &systems {
            black_box(Performance::of(&record(matches), 0.0).unwrap());
        }
    });
    for (name, terms) in [
        ("joint, draw rate and color effect constant", constant),
        ("joint, draw rate free", Terms::FREE_DRAWS),
        ("joint, draw rate and color effect free", free),
    ] {
        row(name, || {
            for matches in &systems {
                black_box(Joint::of(&record(matches), &terms).unwrap());
            }
        });
    }
    println!(
        "{:<58} {:>10}",
        "1,000 bootstrap replicates of 500 mini-matches", "seconds"
    );
    for (name, model) in [
        ("score alone", Model::Performance { color: 0.0 }),
        ("joint, draw rate free", Model::Joint(Terms::FREE_DRAWS)),
        ("joint, draw rate and color effect free", Model::Joint(free)),
    ] {
        row(name, || {
            black_box(Bootstrap::of(&systems[500], &model, 1000, 7).unwrap());
        });
    }
}

fn systems() -> Vec<Vec<MiniMatch>> {
    let mut chance = Chance::of(1);
    let system = |number: u16| {
        let truth = Truth {
            rating: 1200.0 + f64::from(number),
            draw_rate: 0.25,
            color_effect: 25.0,
            correlation: 0.2,
        };
        truth.matches(&ANCHORS, 100, &mut chance)
    };
    (0..1000).map(system).collect()
}

fn row(name: &str, work: impl Fn()) {
    let seconds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    println!("{name:<58} {:>10.3}", seconds.fold(f64::INFINITY, f64::min));
}
