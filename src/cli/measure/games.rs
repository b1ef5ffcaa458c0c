use std::collections::BTreeMap;

use crate::chess::{Color, GameResult, PgnEnding, PgnResult};
use crate::measure::anchored::{ANCHOR_RATING_MAX, MiniMatch, Tally};

/// Reads a list of anchors, a line each: a name, a comma and a rating. Quotes
/// around the name and a first line such as `name,rating` may be there.
pub(crate) fn anchors(text: &str) -> Result<BTreeMap<String, f64>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut anchors = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || number == 1 && is_header(line) {
            continue;
        }
        let wrong = |what: String| format!("line {number}: {what}");
        let (name, rating) = line.rsplit_once(',').ok_or_else(|| {
            wrong(format!(
                "expected a name, a comma and a rating, found {line:?}"
            ))
        })?;
        let name = name.trim();
        let quoted = name
            .strip_prefix('"')
            .and_then(|name| name.strip_suffix('"'));
        // A comma of a name stands between quotes; another one begins a column.
        let is_one = quoted.map_or_else(
            || !name.contains(','),
            |name| !name.replace("\"\"", "").contains('"'),
        );
        if !is_one {
            return Err(wrong(format!(
                "expected two columns, a name and a rating, found {line:?}; a name with a comma stands in quotes"
            )));
        }
        let name = quoted.map_or_else(|| name.to_owned(), |name| name.replace("\"\"", "\""));
        let rating = rating.trim();
        let value = rating
            .parse()
            .ok()
            .filter(|value: &f64| value.abs() <= ANCHOR_RATING_MAX);
        let value = value.ok_or_else(|| {
            wrong(format!(
                "expected a rating within {ANCHOR_RATING_MAX} of 0, found {rating:?}"
            ))
        })?;
        if name.is_empty() {
            return Err(wrong(
                "expected a name before the comma, found none".to_owned(),
            ));
        }
        if anchors.insert(name.clone(), value).is_some() {
            return Err(wrong(format!("the anchor {name:?} stands twice")));
        }
    }
    if anchors.is_empty() {
        return Err("it names no anchor: write a line `name,rating` for each".to_owned());
    }
    Ok(anchors)
}

/// Whether a first line names its columns.
fn is_header(line: &str) -> bool {
    let line = line.replace('"', "").to_ascii_lowercase();
    line.split_once(',').is_some_and(|(name, rating)| {
        matches!(name.trim(), "name" | "anchor" | "player" | "engine")
            && matches!(rating.trim(), "rating" | "elo")
    })
}

/// Games that are not fitted, and why.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Skipped {
    pub(crate) unfinished: usize,
    pub(crate) contradictory: usize,
    pub(crate) without_anchor: usize,
    pub(crate) between_anchors: usize,
}

impl Skipped {
    /// Each kind with its words.
    pub(crate) const fn kinds(&self) -> [(&'static str, usize); 4] {
        [
            ("without a result", self.unfinished),
            (
                "whose tag and moves say different results",
                self.contradictory,
            ),
            ("without an anchor", self.without_anchor),
            ("between anchors", self.between_anchors),
        ]
    }
}

/// The games of one player against anchors.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) matches: Vec<MiniMatch>,
    /// How many of them have two games.
    pub(crate) n_pairs: usize,
    /// By anchor.
    pub(crate) by_anchor: BTreeMap<String, Tally>,
}

/// What tells an opening: anchor, event, round, start position.
type Opening = (String, String, Option<String>, Option<String>);

/// Sorts the games of a file by the player who met an anchor.
pub(crate) fn sorted(
    games: &[PgnResult],
    anchors: &BTreeMap<String, f64>,
) -> (BTreeMap<String, Played>, Skipped) {
    let mut skipped = Skipped::default();
    let mut openings: BTreeMap<String, BTreeMap<Opening, Vec<MiniMatch>>> = BTreeMap::new();
    let mut players: BTreeMap<String, Played> = BTreeMap::new();
    for game in games {
        let result = match game.ending() {
            PgnEnding::Finished(result) => result,
            PgnEnding::Unfinished => {
                skipped.unfinished += 1;
                continue;
            }
            PgnEnding::Contradictory => {
                skipped.contradictory += 1;
                continue;
            }
        };
        let [white, black] = ["White", "Black"].map(|name| game.tag(name));
        let rating = |name: Option<&str>| name.and_then(|name| anchors.get(name).copied());
        let (player, anchor, seat) = match (white, black, rating(white), rating(black)) {
            (_, _, Some(_), Some(_)) => {
                skipped.between_anchors += 1;
                continue;
            }
            (Some(white), Some(black), Some(_), None) => (black, white, Color::Black),
            (Some(white), Some(black), None, Some(_)) => (white, black, Color::White),
            _ => {
                skipped.without_anchor += 1;
                continue;
            }
        };
        let one = mini_match(rating(Some(anchor)).unwrap_or_default(), seat, result);
        let played = players.entry(player.to_owned()).or_default();
        let tally = played.by_anchor.entry(anchor.to_owned()).or_default();
        *tally = tally.and(one.white).and(one.black);
        let of_player = openings.entry(player.to_owned()).or_default();
        of_player
            .entry(opening(game, anchor))
            .or_default()
            .push(one);
    }
    for (player, openings) in openings {
        if let Some(played) = players.get_mut(&player) {
            for (opening, games) in openings {
                pair(&opening, &games, played);
            }
        }
    }
    (players, skipped)
}

/// Takes two games of the same opening with both colors as one, and everything
/// else as a match of its own. The order is that of values, not of the file.
fn pair(opening: &Opening, games: &[MiniMatch], played: &mut Played) {
    let is_told = opening.2.is_some() || opening.3.is_some();
    if let [one, two] = games
        && is_told
        && (one.white.games() == 0) != (two.white.games() == 0)
    {
        played.n_pairs += 1;
        played.matches.push(MiniMatch {
            anchor: one.anchor,
            white: one.white.and(two.white),
            black: one.black.and(two.black),
        });
    } else {
        let mut games = games.to_vec();
        games.sort_by_key(|games| (games.white, games.black));
        played.matches.extend(games);
    }
}

fn opening(game: &PgnResult, anchor: &str) -> Opening {
    // Rounds such as 7.1 and 7.2 are the games of round 7.
    let round = game
        .tag("Round")
        .map(|round| round.split('.').next().unwrap_or(round));
    let owned = |value: Option<&str>| value.map(str::to_owned);
    let event = owned(game.tag("Event")).unwrap_or_default();
    (
        anchor.to_owned(),
        event,
        owned(round),
        owned(game.tag("FEN")),
    )
}

fn mini_match(anchor: f64, seat: Color, result: GameResult) -> MiniMatch {
    let one = Tally::one(result.half_points(seat));
    let none = Tally::default();
    let (white, black) = match seat {
        Color::White => (one, none),
        Color::Black => (none, one),
    };
    MiniMatch {
        anchor,
        white,
        black,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_anchors_is_a_name_and_a_rating_a_line() {
        let found = anchors("\u{feff}Name,Rating\r\nSF 1320 , 1320\n\n\"a, \"\"b\"\"\",-12.5\n");
        let expected = [
            ("SF 1320".to_owned(), 1320.0),
            ("a, \"b\"".to_owned(), -12.5),
        ];
        assert_eq!(found.unwrap(), expected.into());
        for header in ["anchor,elo", "Player, Rating", "\"name\",\"Elo\""] {
            let found = anchors(&format!("{header}\na,5\n"));
            assert_eq!(found.unwrap(), [("a".to_owned(), 5.0)].into(), "{header}");
        }
        for (text, wanted) in [
            ("", "names no anchor"),
            ("a", "line 1: expected a name, a comma"),
            ("a,1\nb,x", "line 2: expected a rating"),
            ("a,NaN", "expected a rating"),
            ("a,1e9", "expected a rating"),
            (",5", "expected a name"),
            ("a,1,2", "line 1: expected two columns"),
            ("a,1\n\"b\",1,2", "line 2: expected two columns"),
            ("\"b\",\"c\",2", "expected two columns"),
            ("a,1\na,2", "line 2: the anchor \"a\" stands twice"),
        ] {
            assert!(anchors(text).unwrap_err().contains(wanted), "{text}");
        }
    }

    #[test]
    fn two_games_of_a_round_with_both_colors_are_a_mini_match_and_others_are_not() {
        let game = |white: &str, black: &str, round: &str, result: &str| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n\n{result}\n\n"
            )
        };
        let pgn = [
            game("m", "a", "1", "1-0"),
            game("a", "m", "1", "1/2-1/2"),
            game("m", "a", "2.1", "0-1"),
            game("a", "m", "2.2", "0-1"),
            game("m", "a", "3", "1-0"),
            game("m", "a", "3", "0-1"),
            game("m", "a", "?", "1-0"),
            game("a", "m", "?", "1-0"),
            game("n", "a", "1", "1-0"),
            game("m", "n", "1", "1-0"),
            game("a", "b", "1", "1-0"),
            game("m", "a", "4", "*"),
            game("m", "a", "4", "1-0").replace("\n\n1-0", "\n\n0-1"),
        ];
        let anchors = [("a".to_owned(), 1500.0), ("b".to_owned(), 1600.0)].into();
        let games = PgnResult::all_of(pgn.concat().as_bytes());
        let (players, skipped) = sorted(&games, &anchors);
        let names: Vec<_> = players.keys().map(String::as_str).collect();
        assert_eq!(names, ["m", "n"]);
        let m = &players["m"];
        assert_eq!((m.n_pairs, m.matches.len()), (2, 6));
        assert_eq!(m.by_anchor["a"].games(), 8);
        assert_eq!(skipped.kinds().map(|(_, n)| n), [1, 1, 1, 1]);
        // The order of the file says nothing.
        let mut reversed = pgn;
        reversed.reverse();
        let games = PgnResult::all_of(reversed.concat().as_bytes());
        assert_eq!(sorted(&games, &anchors).0["m"].matches, m.matches);
    }
}
