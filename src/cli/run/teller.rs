use indicatif::ProgressBar;

use crate::canonical::Total;
use crate::cli::screen::{Screen, counted, progress_bar_of};
use crate::run::{AskingTold, Going, Told, counted_plies};

/// Tells what a run does: a line a game, puzzle or position on standard output, and a bar of
/// how far it is on standard error.
pub(crate) struct Teller<'s, 'a> {
    screen: &'s mut Screen<'a>,
    bar: ProgressBar,
}

/// Digits of a dollar beside the bar.
const DIGITS: u32 = 4;

impl<'s, 'a> Teller<'s, 'a> {
    /// A teller of a run of these things: `games`, `puzzles` or `positions`.
    pub(crate) fn new(screen: &'s mut Screen<'a>, things: &str) -> Self {
        Self {
            screen,
            bar: progress_bar_of("", things),
        }
    }

    pub(crate) fn tell(&mut self, told: &Told) {
        match told {
            Told::Lost { call } => self.line(&format!(
                "call {call} was in flight when the last run ended: failed, its cost unknown"
            )),
            Told::Started { occasion, plies } if 0 < *plies => {
                let plies = counted_plies(*plies);
                self.line(&format!("{occasion} goes on after {plies}"));
            }
            Told::Started { .. } => {}
            Told::Going(going) => self.show(going),
            Told::Ended {
                occasion,
                summary,
                took,
            } => {
                let took = took.map_or_else(String::new, |took| format!("; {took}"));
                self.line(&format!("{occasion}: {summary}{took}"));
            }
        }
    }

    pub(crate) fn tell_answer(&mut self, told: &AskingTold) {
        let (asked, all) = told.asked;
        let AskingTold {
            system,
            question,
            verdict,
            took,
            ..
        } = told;
        self.line(&format!(
            "{asked} of {all}: {system} {question}: {verdict}; {took}"
        ));
        self.show(&told.going);
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }

    /// A line that does not get into the bar.
    fn line(&mut self, text: &str) {
        let screen = &mut *self.screen;
        self.bar.suspend(|| {
            screen.line(text);
            screen.flush();
        });
    }

    fn show(&self, going: &Going) {
        match going.all {
            Some(all) => self.bar.set_length(all),
            None => self.bar.unset_length(),
        }
        self.bar.set_position(going.done);
        self.bar.set_message(in_words(going));
    }
}

/// What goes on, and what it costs so far and will.
fn in_words(going: &Going) -> String {
    let at_tables = format!("{} at tables", going.at_tables);
    if going.took.calls == 0 {
        return at_tables;
    }
    let usd = |usd: Total| usd.rounded(DIGITS);
    let cost = &going.took.cost_usd;
    let so_far = if cost.reported == 0 {
        "unknown".to_owned()
    } else {
        usd(cost.sum).to_string()
    };
    let to_come = going.to_come_usd.map_or_else(
        || "unknown".to_owned(),
        |to_come| format!("about {}", usd(to_come)),
    );
    let unknown = match going.n_unknown_costs() {
        0 => String::new(),
        calls => format!(", cost unknown for {}", counted(calls, "call")),
    };
    let calls = counted(going.took.calls, "call");
    format!("{at_tables}, {calls}, US dollars {so_far} so far, {to_come} to come{unknown}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projection::Tally;
    use crate::run::Toll;

    #[test]
    fn beside_the_bar_stands_what_is_known_and_for_how_many_calls_it_is_not() {
        let half: Total = "0.5".parse::<crate::canonical::Money>().unwrap().into();
        let mut going = Going {
            done: 1,
            all: Some(4),
            at_tables: 2,
            took: Toll::default(),
            to_come_usd: None,
        };
        assert_eq!(in_words(&going), "2 at tables");
        going.took.calls = 3;
        going.took.cost_usd = Tally {
            sum: Total::ZERO,
            reported: 0,
            base: 3,
        };
        assert_eq!(
            in_words(&going),
            "2 at tables, 3 calls, US dollars unknown so far, unknown to come, cost unknown for 3 calls"
        );
        going.took.cost_usd = Tally {
            sum: half,
            reported: 2,
            base: 3,
        };
        going.to_come_usd = Some(half + half);
        assert_eq!(
            in_words(&going),
            "2 at tables, 3 calls, US dollars 0.5 so far, about 1 to come, cost unknown for 1 call"
        );
    }
}
