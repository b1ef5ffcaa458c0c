use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::measure::vectors::object::{
    Object, check_name, each, half_points, list, name, name_shown, number, number_from_zero, truth,
};
use crate::measure::{Bout, Rating, Section, VectorsFault};

/// A case of a file of vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The section that it stands in.
    pub section: Section,
    /// Its name, which no other case of the section has.
    pub id: String,
    pub(crate) tau: f64,
    /// How many rating periods a deviation grows over in each period.
    pub(crate) growth: u32,
    /// Names and starts.
    pub(crate) players: Vec<(String, Rating)>,
    pub(crate) periods: Vec<Period>,
    pub(crate) expected: Vec<Expected>,
}

/// Games after which players are rated, all from their ratings before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Period {
    /// Who is rated, by number.
    pub(crate) rated: Vec<usize>,
    pub(crate) meetings: Vec<Meeting>,
}

/// What one side of a game sees of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    pub(crate) player: usize,
    pub(crate) opponent: Opponent,
    pub(crate) half_points: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Opponent {
    /// Another player of the case, by number.
    Player(usize),
    /// Someone of whom only the values are known.
    Outside(Rating),
}

/// What the file says should come out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expected {
    /// Where it says so.
    pub(crate) field: String,
    /// After which period, by number. Absent: at the end.
    pub(crate) period: Option<usize>,
    pub(crate) player: usize,
    pub(crate) rating: Rating,
    pub(crate) games: Option<f64>,
    pub(crate) points: Option<f64>,
}

/// The keys that every case may have. The last three are for people.
const ALWAYS: [&str; 5] = ["id", "tau", "note", "intermediate", "roots_of_f"];

impl Case {
    /// Reads a case, the n-th of its section, from 1.
    pub(crate) fn read(
        section: Section,
        number: usize,
        part: &RawValue,
    ) -> Result<Self, VectorsFault> {
        let placed = |case: Option<&str>, fault: VectorsFault| VectorsFault {
            section: Some(section.as_str()),
            case: Some(case.map_or_else(|| number.to_string(), |id| format!("{id:?}"))),
            ..fault
        };
        let own: &[&str] = match section {
            Section::SinglePlayerPeriods => &["player", "games", "expected"],
            Section::TwoPlayerNoInflation => &[
                "white",
                "black",
                "white_score",
                "expected_white",
                "expected_black",
            ],
            Section::Sequential => &["init", "step6_inflation", "games", "final"],
            Section::RatingPeriods => &["init", "games", "final"],
        };
        let keys = [&ALWAYS, own].concat();
        // With its id, where it has one, a case is found sooner.
        let id = Object::of_names(part).and_then(|object| object.need("id", name));
        let shown = id.as_ref().ok().map(String::as_str);
        let object = Object::of(part, &keys).map_err(|fault| placed(shown, fault))?;
        let id = id.map_err(|fault| placed(None, fault))?;
        let mut case = Self {
            section,
            tau: 0.0,
            growth: 1,
            players: Vec::new(),
            periods: Vec::new(),
            expected: Vec::new(),
            id: id.clone(),
        };
        let read = match section {
            Section::SinglePlayerPeriods => Self::single,
            Section::TwoPlayerNoInflation => Self::pair,
            Section::Sequential => Self::sequence,
            Section::RatingPeriods => Self::among,
        };
        let mut fill = || {
            case.tau = object.need("tau", number_from_zero)?;
            read(&mut case, &object)
        };
        fill().map_err(|fault| placed(Some(&id), fault))?;
        Ok(case)
    }

    fn single(&mut self, object: &Object<'_>) -> Result<(), VectorsFault> {
        let player = object.need("player", start)?;
        self.players.push(("player".to_owned(), player));
        let meetings = object.need("games", |games| {
            each(games, |game| {
                let game = Object::of(game, &["opp_rating", "opp_rd", "score"])?;
                Ok(Meeting {
                    player: 0,
                    opponent: Opponent::Outside(Rating {
                        rating: game.need("opp_rating", number)?,
                        deviation: game.need("opp_rd", number_from_zero)?,
                        ..Rating::initial()
                    }),
                    half_points: game.need("score", half_points)?,
                })
            })
        })?;
        self.periods.push(Period {
            rated: vec![0],
            meetings,
        });
        self.expect(object, "expected", 0)
    }

    fn pair(&mut self, object: &Object<'_>) -> Result<(), VectorsFault> {
        self.growth = 0;
        for side in ["white", "black"] {
            let player = object.need(side, start)?;
            self.players.push((side.to_owned(), player));
        }
        let half_points = object.need("white_score", half_points)?;
        self.periods.push(Period {
            rated: vec![0, 1],
            meetings: meetings([0, 1], half_points).into(),
        });
        self.expect(object, "expected_white", 0)?;
        self.expect(object, "expected_black", 1)
    }

    fn sequence(&mut self, object: &Object<'_>) -> Result<(), VectorsFault> {
        self.growth = u32::from(object.need("step6_inflation", truth)?);
        self.start(object)?;
        let games = object.need("games", list)?;
        for (number, part) in games.into_iter().enumerate() {
            self.game(number, part)
                .map_err(|fault| fault.inside(format!("[{number}]")).inside("games"))?;
        }
        self.finals(object)
    }

    /// Reads the game of this number, after which both sides are rated.
    fn game(&mut self, number: usize, part: &RawValue) -> Result<(), VectorsFault> {
        let game = Object::of(part, &["white", "black", "white_score", "after"])?;
        let sides = [
            game.need("white", |part| self.player(part))?,
            game.need("black", |part| self.player(part))?,
        ];
        differ(sides)?;
        let half_points = game.need("white_score", half_points)?;
        self.periods.push(Period {
            rated: sides.into(),
            meetings: meetings(sides, half_points).into(),
        });
        let after = game.have("after", |part| self.values(part, &sides, &[]))?;
        self.expected
            .extend(after.into_iter().flatten().map(|expected| Expected {
                field: format!("games[{number}].after.{}", expected.field),
                period: Some(number),
                ..expected
            }));
        Ok(())
    }

    fn among(&mut self, object: &Object<'_>) -> Result<(), VectorsFault> {
        self.start(object)?;
        let games = object.need("games", |games| {
            each(games, |game| {
                let parts = list(game)?;
                let [white, black, points] = parts.as_slice() else {
                    let found = format!("{} of them", parts.len());
                    let expected = "white, black and White's points";
                    return Err(VectorsFault::new(expected, found));
                };
                let inside =
                    |number: usize| move |fault: VectorsFault| fault.inside(format!("[{number}]"));
                let sides = [
                    self.player(white).map_err(inside(0))?,
                    self.player(black).map_err(inside(1))?,
                ];
                differ(sides)?;
                let half_points = half_points(points).map_err(inside(2))?;
                Ok(meetings(sides, half_points))
            })
        })?;
        self.periods.push(Period {
            rated: (0..self.players.len()).collect(),
            meetings: games.concat(),
        });
        self.finals(object)
    }

    /// Reads the players and their starts.
    fn start(&mut self, object: &Object<'_>) -> Result<(), VectorsFault> {
        self.players = object.need("init", |part| {
            let named = Object::of_names(part)?;
            let players = named.names().map(|(name, part)| {
                check_name(name)?;
                let start = start(part).map_err(|fault| fault.inside(name))?;
                Ok((name.to_owned(), start))
            });
            players.collect()
        })?;
        Ok(())
    }

    /// Reads the name of a player of the case, and returns its number.
    fn player(&self, part: &RawValue) -> Result<usize, VectorsFault> {
        let name = name(part)?;
        // They came out of an object in the order of their names.
        let players = &self.players;
        let place = players.binary_search_by(|(player, _)| player.as_str().cmp(&name));
        place.map_err(|_| VectorsFault::new("a player of init", name_shown(&name)))
    }

    fn expect(
        &mut self,
        object: &Object<'_>,
        key: &str,
        player: usize,
    ) -> Result<(), VectorsFault> {
        let expected = object.have(key, |part| expected(part, player, &[]))?;
        self.expected.extend(expected.map(|expected| Expected {
            field: key.to_owned(),
            ..expected
        }));
        Ok(())
    }

    fn finals(&mut self, object: &Object<'_>) -> Result<(), VectorsFault> {
        let tallies: &[&str] = match self.section {
            Section::RatingPeriods => &["games", "points"],
            _ => &[],
        };
        let all: Vec<_> = (0..self.players.len()).collect();
        let finals = object.have("final", |part| self.values(part, &all, tallies))?;
        self.expected
            .extend(finals.into_iter().flatten().map(|expected| Expected {
                field: format!("final.{}", expected.field),
                ..expected
            }));
        Ok(())
    }

    /// Reads what is expected of each of these players, of all and no others.
    fn values(
        &self,
        part: &RawValue,
        players: &[usize],
        tallies: &[&str],
    ) -> Result<Vec<Expected>, VectorsFault> {
        let named = Object::of_names(part)?;
        let numbered: BTreeMap<&str, usize> = players
            .iter()
            .filter_map(|number| Some((self.players.get(*number)?.0.as_str(), *number)))
            .collect();
        let mut names = named.names().map(|(name, _)| name);
        if let Some(name) = names.find(|name| !numbered.contains_key(name)) {
            let found = name_shown(name);
            return Err(VectorsFault::new("players who are rated here", found));
        }
        let values = numbered.into_iter().map(|(name, number)| {
            let read = named.need(name, |part| expected(part, number, tallies))?;
            Ok(Expected {
                field: name.to_owned(),
                ..read
            })
        });
        values.collect()
    }
}

/// Both sides of a game.
fn meetings([white, black]: [usize; 2], half_points: u8) -> [Meeting; 2] {
    let side = |player, opponent, half_points| Meeting {
        player,
        opponent: Opponent::Player(opponent),
        half_points,
    };
    [
        side(white, black, half_points),
        side(black, white, 2 - half_points),
    ]
}

fn differ([white, black]: [usize; 2]) -> Result<(), VectorsFault> {
    if white == black {
        return Err(VectorsFault::new("two players", "one against itself"));
    }
    Ok(())
}

/// Reads the values that a player starts with.
fn start(part: &RawValue) -> Result<Rating, VectorsFault> {
    rating(part, &[]).map(|(rating, _)| rating)
}

fn expected(part: &RawValue, player: usize, tallies: &[&str]) -> Result<Expected, VectorsFault> {
    let (rating, object) = rating(part, tallies)?;
    let tally = |key| {
        object
            .as_ref()
            .map_or(Ok(None), |object| object.have(key, number_from_zero))
    };
    Ok(Expected {
        field: String::new(),
        period: None,
        player,
        rating,
        games: tally("games")?,
        points: tally("points")?,
    })
}

/// Reads `{"rating": …, "rd": …, "vol": …}`, which may say more, or the same
/// as a list of three.
fn rating<'a>(
    part: &'a RawValue,
    more: &[&str],
) -> Result<(Rating, Option<Object<'a>>), VectorsFault> {
    const KEYS: [&str; 3] = ["rating", "rd", "vol"];
    if let Ok(parts) = list(part) {
        let [rating, deviation, volatility] = parts.as_slice() else {
            let found = format!("a list of {}", parts.len());
            return Err(VectorsFault::new("rating, rd and vol", found));
        };
        let inside = |number: usize| move |fault: VectorsFault| fault.inside(format!("[{number}]"));
        let rating = Rating {
            rating: number(rating).map_err(inside(0))?,
            deviation: number_from_zero(deviation).map_err(inside(1))?,
            volatility: number_from_zero(volatility).map_err(inside(2))?,
        };
        return Ok((rating, None));
    }
    let object = Object::of(part, &[&KEYS, more].concat())?;
    let rating = Rating {
        rating: object.need("rating", number)?,
        deviation: object.need("rd", number_from_zero)?,
        volatility: object.need("vol", number_from_zero)?,
    };
    Ok((rating, Some(object)))
}

impl Opponent {
    /// The game against this opponent, as ratings stand.
    pub(crate) fn bout(self, ratings: &[Rating], half_points: u8) -> Option<Bout> {
        let rating = match self {
            Self::Player(number) => ratings.get(number)?,
            Self::Outside(ref rating) => rating,
        };
        Some(Bout::one(rating, half_points))
    }
}
