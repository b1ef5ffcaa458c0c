use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// The longest line that is read, in bytes without its newline. Lines of real
/// engines stay below 4 kB.
pub(crate) const MAX_LINE_BYTES: usize = 65_536;

/// How many lines wait to be looked at before the reader stops reading, which
/// bounds the memory that an engine can fill.
const MAX_WAITING: usize = 64;

/// What an engine wrote.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// A line without its end. Bytes that are no UTF-8 are replaced.
    Line(String),
    /// The beginning of a line of more than [`MAX_LINE_BYTES`]; the last output.
    TooLong,
}

/// Starts a thread that reads lines; the channel closes at the end of them.
///
/// # Errors
///
/// When the operating system gives no thread.
pub(crate) fn read_lines(source: impl Read + Send + 'static) -> io::Result<Receiver<Output>> {
    let (sender, receiver) = sync_channel(MAX_WAITING);
    thread::Builder::new()
        .name("engine output".to_owned())
        .spawn(move || {
            let mut source = BufReader::new(source);
            // A read error is the end of the output, as is a line too long:
            // what comes after either cannot be trusted.
            while let Ok(Some(output)) = read_line(&mut source) {
                let is_last = output == Output::TooLong;
                if sender.send(output).is_err() || is_last {
                    break;
                }
            }
        })?;
    Ok(receiver)
}

/// Returns the next whole line. A last line without newline may have lost its
/// second half, and `bestmove a7a8q` with it a queen: it is none.
fn read_line(source: &mut impl BufRead) -> io::Result<Option<Output>> {
    let mut line = Vec::new();
    let mut bounded = source.take(MAX_LINE_BYTES as u64 + 1);
    bounded.read_until(b'\n', &mut line)?;
    if line.pop_if(|byte| *byte == b'\n').is_some() {
        line.pop_if(|byte| *byte == b'\r');
        Ok(Some(Output::Line(
            String::from_utf8_lossy(&line).into_owned(),
        )))
    } else if MAX_LINE_BYTES < line.len() {
        Ok(Some(Output::TooLong))
    } else {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs(text: &[u8]) -> Vec<Output> {
        let reader = read_lines(io::Cursor::new(text.to_vec())).expect("a thread");
        reader.iter().collect()
    }

    #[test]
    fn lines_end_with_a_newline_or_are_none() {
        let line = |text: &str| Output::Line(text.to_owned());
        assert_eq!(
            outputs(b"uciok\r\n\n\xff\nbestmove a7a8"),
            [line("uciok"), line(""), line("\u{fffd}")]
        );
    }

    #[test]
    fn the_longest_line_passes_and_a_longer_one_ends_the_output() {
        let mut text = vec![b'x'; MAX_LINE_BYTES];
        text.push(b'\n');
        assert_eq!(outputs(&text), [Output::Line("x".repeat(MAX_LINE_BYTES))]);
        text.insert(0, b'x');
        text.extend(b"uciok\n");
        assert_eq!(outputs(&text), [Output::TooLong]);
    }
}
