use crate::chess::UciMove;
use crate::digest::Digest;
use crate::run::player::Request;

/// Returns the move that this seed draws, as its text.
///
/// The legal moves in UCI are sorted by text. SHA-256 is taken over the line
/// `scoresheet random move v1 SEED UNIT PLY`, with a newline at its end: the unit is
/// the id of the schedule, `/` and the index of the cell from 0, or the id of the
/// game where it has no cell, or the id of a list, `/` and the id of its position; the ply is that of the move, from 1. The first eight
/// bytes as a big-endian fraction of 2^64 say which move it is. A cell that is
/// played again is played alike.
pub(crate) fn chosen(seed: &str, request: &Request) -> String {
    let unit = match (request.cell, &request.place) {
        (Some(cell), _) => format!("{}/{}", cell.schedule, cell.index),
        (None, Some(place)) => format!("{}/{}", request.game, place.id),
        (None, None) => request.game.to_string(),
    };
    let ply = request.moves.len() + 1;
    let legal = request.position.legal_moves();
    let drawn = draw(
        &format!("scoresheet random move v1 {seed} {unit} {ply}\n"),
        &legal,
    );
    // Nobody is asked where there is no move.
    drawn.map_or_else(String::new, |uci| uci.to_string())
}

/// Returns the move that the digest of a label draws; nothing where there is none.
pub(crate) fn draw(label: &str, legal: &[UciMove]) -> Option<UciMove> {
    let drawn = Digest::of(label.as_bytes());
    let mut fraction = [0; 8];
    fraction.copy_from_slice(&drawn.as_bytes()[..8]);
    let count = u128::try_from(legal.len()).ok()?;
    let index = (u128::from(u64::from_be_bytes(fraction)) * count) >> 64;
    legal.get(usize::try_from(index).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fen, Variant};

    fn legal() -> Vec<UciMove> {
        let start = Fen::standard_start().position(Variant::Standard).unwrap();
        start.legal_moves()
    }

    /// Whoever writes another program to check moves can start here.
    #[test]
    fn a_move_is_pinned() {
        let label = "scoresheet random move v1 seed unit 1\n";
        assert_eq!(draw(label, &legal()).unwrap().to_string(), "b1a3");
        assert_eq!(draw(label, &[]), None);
    }

    #[test]
    fn every_legal_move_is_as_likely_as_the_others() {
        let legal = legal();
        let mut times = vec![0_u32; legal.len()];
        for ply in 0..20_000 {
            let drawn = draw(&format!("scoresheet random move v1 s u {ply}\n"), &legal);
            let at = legal.iter().position(|uci| Some(*uci) == drawn).unwrap();
            times[at] += 1;
        }
        // 1000 each; five standard deviations are 154.
        assert!(
            times.iter().all(|times| times.abs_diff(1000) < 155),
            "{times:?}"
        );
    }
}
