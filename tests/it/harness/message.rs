//! What every refusal must be: short, of one line, and about a place in the input.

use scoresheet::canonical::Fault;
use scoresheet::ledger::NoteFault;

/// No message needs more: what it quotes is cut.
const MESSAGE_BYTES_MAX: usize = 3_000;

/// A message is one line that steers no terminal, and not longer than people read.
pub(crate) fn is_sayable(message: &str) {
    let length = message.len();
    assert!(length <= MESSAGE_BYTES_MAX, "a message of {length} bytes");
    let steers = message.chars().find(|c| c.is_control());
    assert_eq!(steers, None, "{message:?}");
}

/// A column lies in the input, or right behind its end.
pub(crate) fn is_in(input: &[u8], fault: &Fault) {
    let end = u64::try_from(input.len() + 1).unwrap();
    assert!((1..=end).contains(&fault.column), "{fault}");
    is_sayable(&fault.to_string());
}

/// A line lies in the input, or right behind its end.
pub(crate) fn is_on_a_line_of(input: &[u8], line: usize, message: &str) {
    let n_lines = input.split(|byte| *byte == b'\n').count();
    assert!((1..=n_lines).contains(&line), "{message} of {n_lines}");
    is_sayable(message);
}

/// The same for the fault of a note.
pub(crate) fn is_of_note(input: &[u8], fault: &NoteFault) {
    is_on_a_line_of(input, fault.line, &fault.to_string());
}

/// The column of the first byte in which two texts differ.
pub(crate) fn first_difference(a: &[u8], b: &[u8]) -> u64 {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    u64::try_from(same + 1).unwrap()
}
