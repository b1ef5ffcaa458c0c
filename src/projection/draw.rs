use crate::digest::Digest;
use crate::event::{DrawMade, Eligible, EraSeed, EventId};

/// What the ladder chooses among: the options of each step of a draw.
///
/// Everything but the seed follows from the eligible systems as `draw.made`
/// lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw<'a> {
    era: EventId,
    number: u64,
    eligible: &'a [Eligible],
    /// How many rank positions away an opponent may stand.
    reach: u64,
    /// The digest of the eligible systems, each as a line of its figures.
    digest: Digest,
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Who was chosen first: one of those with the fewest games.
    pub picked: EventId,
    /// Who gets White.
    pub white: EventId,
    /// Who gets Black.
    pub black: EventId,
}

/// A step of a draw that is left to chance.
#[derive(Clone, Copy)]
enum Step {
    Pick,
    Opponent,
    White,
}

impl Step {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Pick => "pick",
            Self::Opponent => "opponent",
            Self::White => "white",
        }
    }
}

impl<'a> Draw<'a> {
    /// Returns the draw of this number in an era among these systems.
    pub fn new(era: EventId, number: u64, eligible: &'a [Eligible], reach: u64) -> Self {
        let lines: Vec<String> = eligible.iter().map(line).collect();
        Self {
            era,
            number,
            eligible,
            reach,
            digest: Digest::of(lines.concat().as_bytes()),
        }
    }

    /// Returns whom this seed chooses, or nothing where nobody can be.
    pub fn choose(&self, seed: &EraSeed) -> Option<Choice> {
        let candidates = self.candidates();
        let picked = *self.chance(seed, Step::Pick, &candidates)?;
        let opponents = self.opponents(picked);
        let opponent = *self.chance(seed, Step::Opponent, &opponents)?;
        let white = match lower_white_share(picked, opponent) {
            Some(white) => white,
            None => *self.chance(seed, Step::White, &[picked, opponent])?,
        };
        Some(choice(picked, opponent, white))
    }

    /// Whether the recorded choice is one that some seed could have made.
    pub fn permits(&self, made: &DrawMade) -> bool {
        let find = |system| self.eligible.iter().find(|one| one.system == system);
        let Some(picked) = find(made.picked) else {
            return false;
        };
        let opponents = self.opponents(picked);
        made.white != made.black
            && self.candidates().contains(&picked)
            && opponents.iter().any(|opponent| {
                let players = [picked.system, opponent.system];
                let white = lower_white_share(picked, opponent);
                players.contains(&made.white)
                    && players.contains(&made.black)
                    && white.is_none_or(|white| white.system == made.white)
            })
    }

    /// The systems with the fewest games.
    fn candidates(&self) -> Vec<&'a Eligible> {
        let fewest = self.eligible.iter().map(|one| one.games).min();
        let systems = self.eligible.iter();
        systems.filter(|one| Some(one.games) == fewest).collect()
    }

    /// The systems within reach of one.
    fn opponents(&self, picked: &Eligible) -> Vec<&'a Eligible> {
        let position = picked.position.get();
        let systems = self.eligible.iter();
        systems
            .filter(|one| one.system != picked.system)
            .filter(|one| one.position.get().abs_diff(position) <= self.reach)
            .collect()
    }

    /// Takes one of the options, each as likely as the others.
    ///
    /// SHA-256 over the seed and a line that says what is drawn; the first
    /// eight bytes as a big-endian fraction of 2^64 say which option it is.
    fn chance<'o, T>(&self, seed: &EraSeed, step: Step, options: &'o [T]) -> Option<&'o T> {
        let Self {
            era,
            number,
            digest,
            ..
        } = self;
        let label = format!(
            "scoresheet draw v1 {era} {number} {} {digest}\n",
            step.as_str()
        );
        let drawn = Digest::of(&[seed.bytes().as_slice(), label.as_bytes()].concat());
        let mut fraction = [0; 8];
        fraction.copy_from_slice(&drawn.as_bytes()[..8]);
        let count = u128::try_from(options.len()).ok()?;
        let index = (u128::from(u64::from_be_bytes(fraction)) * count) >> 64;
        options.get(usize::try_from(index).ok()?)
    }
}

/// Who has had White in the smaller share of its games; nobody's share is
/// smaller where they are equal. No games are a half.
fn lower_white_share<'a>(one: &'a Eligible, other: &'a Eligible) -> Option<&'a Eligible> {
    let share = |of: &Eligible| match of.games.get() {
        0 => (1, 2),
        games => (u128::from(of.whites.get()), u128::from(games)),
    };
    let ((a, b), (c, d)) = (share(one), share(other));
    match (a * d).cmp(&(c * b)) {
        std::cmp::Ordering::Less => Some(one),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(other),
    }
}

/// A system as a line of its figures.
fn line(one: &Eligible) -> String {
    let Eligible {
        games,
        position,
        system,
        whites,
    } = one;
    format!("{system} {position} {games} {whites}\n")
}

fn choice(picked: &Eligible, opponent: &Eligible, white: &Eligible) -> Choice {
    let black = if white.system == picked.system {
        opponent
    } else {
        picked
    };
    Choice {
        picked: picked.system,
        white: white.system,
        black: black.system,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn eligible(figures: &[(u32, u32, u32)]) -> Vec<Eligible> {
        let one = |(number, (position, games, whites)): (usize, &(u32, u32, u32))| Eligible {
            games: (*games).into(),
            position: (*position).into(),
            system: EventId::of(&[u8::try_from(number).unwrap()]),
            whites: (*whites).into(),
        };
        figures.iter().enumerate().map(one).collect()
    }

    /// How often each choice is made over many seeds.
    fn frequencies(eligible: &[Eligible], reach: u64) -> BTreeMap<[usize; 3], u32> {
        let number = |id: EventId| eligible.iter().position(|one| one.system == id).unwrap();
        let mut seen = BTreeMap::new();
        for seed in 0..3000_u32 {
            let mut bytes = [0; 32];
            bytes[..4].copy_from_slice(&seed.to_le_bytes());
            let draw = Draw::new(EventId::of(b"era"), 7, eligible, reach);
            let chosen = draw.choose(&EraSeed::new(bytes)).unwrap();
            let made = made(&chosen, eligible);
            assert!(draw.permits(&made));
            *seen
                .entry([chosen.picked, chosen.white, chosen.black].map(number))
                .or_default() += 1;
        }
        seen
    }

    fn made(chosen: &Choice, eligible: &[Eligible]) -> DrawMade {
        DrawMade {
            black: chosen.black,
            eligible: eligible.to_vec(),
            era: EventId::of(b"era"),
            number: 7_u32.into(),
            picked: chosen.picked,
            white: chosen.white,
        }
    }

    #[test]
    fn the_fewest_games_are_picked_and_ties_are_even_chances() {
        // The first two have played least; 0 had fewer Whites than anyone.
        let eligible = eligible(&[(1, 2, 0), (2, 2, 2), (3, 3, 1)]);
        let seen = frequencies(&eligible, 5);
        let picked = |who: usize| -> u32 {
            let of_who = seen.iter().filter(|(choice, _)| choice[0] == who);
            of_who.map(|(_, times)| times).sum()
        };
        assert_eq!(picked(2), 0);
        for who in [0, 1] {
            assert!(picked(who).abs_diff(1500) < 150, "{seen:?}");
        }
        // Its share of White is the lowest against either.
        assert!(
            seen.keys()
                .all(|choice| choice[1] == 0 || !choice.contains(&0))
        );
    }

    #[test]
    fn the_opponent_is_any_within_reach_and_positions_count_not_ratings() {
        // Position 6 belongs to somebody who is paused.
        let eligible = eligible(&[(1, 0, 0), (2, 9, 5), (5, 9, 5), (7, 9, 5)]);
        let seen = frequencies(&eligible, 5);
        let opponents: BTreeMap<usize, u32> = seen
            .iter()
            .map(|(choice, times)| (choice[1] + choice[2] - choice[0], *times))
            .fold(BTreeMap::new(), |mut sum, (opponent, times)| {
                *sum.entry(opponent).or_default() += times;
                sum
            });
        assert_eq!(opponents.keys().copied().collect::<Vec<_>>(), [1, 2]);
        assert!(opponents.values().all(|times| times.abs_diff(1500) < 150));
    }

    #[test]
    fn white_goes_to_the_lower_share_no_games_are_a_half_and_equal_shares_are_a_coin() {
        // 2 of 5 is less than a half; a half is what nobody's games are.
        let lower = eligible(&[(1, 0, 0), (2, 5, 2)]);
        assert_eq!(frequencies(&lower, 1), BTreeMap::from([([0, 1, 0], 3000)]));
        let higher = eligible(&[(1, 0, 0), (2, 5, 3)]);
        assert_eq!(frequencies(&higher, 1), BTreeMap::from([([0, 0, 1], 3000)]));
        let equal = eligible(&[(1, 0, 0), (2, 4, 2)]);
        let seen = frequencies(&equal, 1);
        assert_eq!(
            seen.keys().copied().collect::<Vec<_>>(),
            [[0, 0, 1], [0, 1, 0]]
        );
        assert!(seen.values().all(|times| times.abs_diff(1500) < 150));
    }

    #[test]
    fn a_choice_that_no_seed_could_make_is_not_permitted() {
        let eligible = eligible(&[(1, 0, 0), (2, 0, 0), (9, 0, 0), (10, 1, 0)]);
        let draw = Draw::new(EventId::of(b"era"), 7, &eligible, 5);
        let choice = |picked: usize, white: usize, black: usize| {
            let [picked, white, black] =
                [picked, white, black].map(|number| eligible[number].system);
            draw.permits(&made(
                &Choice {
                    picked,
                    white,
                    black,
                },
                &eligible,
            ))
        };
        assert!(choice(0, 0, 1) && choice(0, 1, 0) && choice(1, 0, 1));
        assert!(!choice(0, 0, 2), "out of reach");
        assert!(!choice(3, 2, 3), "not with the fewest games");
        assert!(
            !choice(2, 2, 3),
            "the other one has the lower share of White"
        );
        assert!(choice(2, 3, 2));
        assert!(!choice(0, 1, 1), "against itself");
    }

    /// Whoever writes another program to check draws can start here.
    #[test]
    fn a_draw_is_pinned() {
        let eligible = eligible(&[(1, 3, 1), (2, 3, 1), (3, 3, 1)]);
        let draw = Draw::new(EventId::of(b"era"), 7, &eligible, 5);
        let chosen = draw.choose(&EraSeed::new([1; 32])).unwrap();
        let number = |id| eligible.iter().position(|one| one.system == id).unwrap();
        assert_eq!(
            [chosen.picked, chosen.white, chosen.black].map(number),
            [0, 0, 1]
        );
    }
}
