use crate::chess::{Fen, Variant};

/// How many start positions Chess960 has.
pub const CHESS960_STARTS: u16 = 960;

/// Returns a start position of Chess960 by its number in Scharnagl's scheme,
/// from 0 to 959; 518 is that of standard chess.
///
/// The scheme: with n = 4a + b, the light-squared bishop goes to file 2b + 1; with
/// a = 4c + d, the dark-squared one to file 2d; with c = 6q + k, the queen to the
/// q-th free file; the knights to the k-th pair of those that are then free; and
/// rook, king and rook to what is left.
pub fn chess960_start(number: u16) -> Option<Fen> {
    if CHESS960_STARTS <= number {
        return None;
    }
    let number = usize::from(number);
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    let mut files = [' '; 8];
    files[2 * light + 1] = 'B';
    files[2 * dark] = 'B';
    place(&mut files, queen, 'Q');
    let (first, second) = KNIGHTS[knights];
    // The second one first: it leaves the place of the other where it is.
    place(&mut files, second, 'N');
    place(&mut files, first, 'N');
    for piece in ['R', 'K', 'R'] {
        place(&mut files, 0, piece);
    }
    let back: String = files.iter().collect();
    let letters = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
        .into_iter()
        .zip(files);
    let rooks = letters.rev().filter(|(_, piece)| *piece == 'R');
    let rights: String = rooks.map(|(file, _)| file).collect();
    let text = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{back} w {rights}{} - 0 1",
        back.to_lowercase(),
        rights.to_lowercase()
    );
    // In the spelling that we write ourselves.
    let fen: Fen = text.parse().ok()?;
    let position = fen.position(Variant::Chess960).ok()?;
    Some(position.fen())
}

/// The pairs among five free places, in the order of the scheme.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// Puts a piece on the n-th free file.
fn place(files: &mut [char; 8], n: usize, piece: char) {
    let mut free = files.iter_mut().filter(|file| **file == ' ');
    if let Some(file) = free.nth(n) {
        *file = piece;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_table() {
        // Reinhard Scharnagl's table: the first, the last, and standard chess.
        for (number, back) in [
            (0, "BBQNNRKR"),
            (518, "RNBQKBNR"),
            (959, "RKRNNQBB"),
            (1, "BQNBNRKR"),
        ] {
            let fen = chess960_start(number).unwrap();
            assert!(
                fen.as_str().contains(&format!("/PPPPPPPP/{back} w ")),
                "{fen}"
            );
        }
        assert_eq!(chess960_start(960), None);
    }

    #[test]
    fn all_960_differ_and_can_be_played() {
        let all: BTreeSet<_> = (0..CHESS960_STARTS)
            .map(|number| {
                let fen = chess960_start(number).unwrap();
                let position = fen.position(Variant::Chess960).unwrap();
                assert_eq!(position.fen(), fen, "it is spelled as we spell it");
                let back = fen
                    .as_str()
                    .rsplit('/')
                    .next()
                    .unwrap()
                    .split(' ')
                    .next()
                    .unwrap();
                let at = |piece| {
                    back.match_indices(piece)
                        .map(|(file, _)| file)
                        .collect::<Vec<_>>()
                };
                let (bishops, rooks, king) = (at('B'), at('R'), at('K'));
                assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{back}");
                assert!(rooks[0] < king[0] && king[0] < rooks[1], "{back}");
                fen
            })
            .collect();
        assert_eq!(all.len(), 960);
    }
}
