//! How often intervals cover what is true.

use std::thread;

use scoresheet::measure::anchored::{
    Bootstrap, ColorEffect, DrawRate, End, Fit, Joint, Model, Printed, Record, Side, Terms,
};

use crate::tournament::{Chance, Truth};

const ANCHORS: [f64; 3] = [1320.0, 1600.0, 1900.0];
const EACH: usize = 20;
const REPLICATES: u32 = 1000;

/// The draw rate is fitted, the color effect a constant of the protocol.
const TERMS: Terms = Terms {
    draws: DrawRate::Free,
    color: ColorEffect::Constant(25.0),
};

/// How many tournaments each interval covered the truth in.
#[derive(Clone, Copy, Default)]
struct Covered {
    printed: usize,
    above: usize,
    plain: usize,
    profile: usize,
}

pub(crate) fn print(tournaments: u64) {
    println!(
        "{:<12} {:>8} {:>9} {:>9} {:>9} {:>9}",
        "correlation", "rating", "printed", "too high", "plain", "profile"
    );
    for correlation in [0.0, 0.3] {
        for rating in [1450.0, 1600.0, 1320.0, 1900.0] {
            let truth = Truth {
                rating,
                draw_rate: 0.25,
                color_effect: 25.0,
                correlation,
            };
            let all = covered(&truth, tournaments);
            let share = |count: usize| 100.0 * count as f64 / tournaments as f64;
            println!(
                "{correlation:<12} {rating:>8} {:>8.2}% {:>8.2}% {:>8.2}% {:>8.2}%",
                share(all.printed),
                share(all.above),
                share(all.plain),
                share(all.profile),
            );
        }
    }
}

/// Half of them in each of two threads; tournament number k has the seed k.
fn covered(truth: &Truth, tournaments: u64) -> Covered {
    let part = |odd: u64| {
        let mut sum = Covered::default();
        for seed in (odd..tournaments).step_by(2) {
            one(truth, seed, &mut sum);
        }
        sum
    };
    let [a, b] = thread::scope(|scope| {
        [0, 1]
            .map(|odd| scope.spawn(move || part(odd)))
            .map(|t| t.join().unwrap())
    });
    Covered {
        printed: a.printed + b.printed,
        above: a.above + b.above,
        plain: a.plain + b.plain,
        profile: a.profile + b.profile,
    }
}

fn one(truth: &Truth, seed: u64, sum: &mut Covered) {
    let rating = truth.rating;
    let mut chance = Chance::of(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let matches = truth.matches(&ANCHORS, EACH, &mut chance);
    let record = Record::of_matches(&matches).unwrap();
    match Joint::of(&record, &TERMS).unwrap() {
        Fit::Finite(joint) => {
            let bootstrap =
                Bootstrap::of(&matches, &Model::Joint(TERMS), REPLICATES, seed).unwrap();
            let reach = Printed::of(&bootstrap, joint.profile).reach();
            sum.printed += usize::from(reach.contains(rating));
            sum.above += usize::from(End::At(rating) < reach.low);
            sum.plain += usize::from(bootstrap.percentile_95().unwrap().contains(rating));
            let profile = joint.profile;
            sum.profile += usize::from(profile.low <= rating && rating <= profile.high);
        }
        Fit::Bounded(bound) => {
            // A bound covers when it does.
            let is_covered = match bound.side {
                Side::AtLeast => bound.rating <= rating,
                Side::AtMost => rating <= bound.rating,
            };
            for count in [&mut sum.printed, &mut sum.plain, &mut sum.profile] {
                *count += usize::from(is_covered);
            }
        }
    }
}
