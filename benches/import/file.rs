//! A PGN file of any size, made from a seed: tags and clocks as large servers
//! publish them, and legal moves.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use scoresheet::chess::{Fen, Game, GameResult, PgnGame, PgnMove, Rules, Variant};

/// So many different games there are; a file has each of them many times.
const GAMES: u64 = 400;

/// The longest of them.
const PLIES_MAX: usize = 140;

/// Writes at least so many bytes.
pub(crate) fn make(path: &Path, bytes: usize) {
    let games: Vec<_> = (0..GAMES).map(game).collect();
    let mut file = BufWriter::new(File::create(path).unwrap());
    let mut written = 0;
    for game in games.iter().cycle() {
        if bytes <= written {
            break;
        }
        file.write_all(game.as_bytes()).unwrap();
        written += game.len();
    }
    file.flush().unwrap();
}

fn game(number: u64) -> String {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below).unwrap()).unwrap()
    };
    let start = Fen::standard_start();
    let mut board = Game::new(&start, Variant::Standard, Rules::ChessJs14).unwrap();
    let length = 20 + next(PLIES_MAX - 20);
    let mut moves = Vec::new();
    while moves.len() < length && board.natural_end().is_none() {
        let legal = board.legal_moves();
        let uci = legal[next(legal.len())];
        board.play(uci).unwrap();
        let seconds = 600 - moves.len();
        moves.push(PgnMove {
            uci,
            comments: vec![format!("[%clk 0:{:02}:{:02}]", seconds / 60, seconds % 60)],
        });
    }
    let end = board.natural_end().map(|(result, _)| result);
    let tags = [
        ("Event", "Rated game"),
        ("Site", "https://example.org/abcdefgh"),
        ("Date", "2026.11.29"),
        ("Round", "-"),
        ("White", "somebody"),
        ("Black", "somebody_else"),
        ("BlackElo", "1812"),
        ("ECO", "C46"),
        ("Opening", "Three Knights Opening"),
        ("Termination", "Normal"),
        ("TimeControl", "600+0"),
        ("UTCDate", "2026.11.29"),
        ("UTCTime", "20:48:00"),
        ("WhiteElo", "1799"),
    ];
    let tag = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let game = PgnGame {
        tags: tags.map(tag).to_vec(),
        start,
        variant: Variant::Standard,
        comments: Vec::new(),
        moves,
        result: Some(end.unwrap_or(GameResult::WhiteWins)),
    };
    game.write().unwrap()
}
