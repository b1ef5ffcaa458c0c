use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::canonical;
use crate::event::EventId;
use crate::run::cassette::CassetteFault;
use crate::run::cassette::exchange::{Exchange, Line, Void, check_header, header};

/// A cassette that is written: one line an exchange, durable when it is there.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    file: Mutex<File>,
    /// Why an exchange could not be written, once one could not.
    fault: Mutex<Option<CassetteFault>>,
}

impl Recorder {
    /// Opens a cassette, or makes one that only its owner can read. What a killed
    /// run left of a last line is cut off, and an exchange of a call whose answer is
    /// not in the ledger (`is_lost`) is taken back: it is asked again.
    ///
    /// # Errors
    ///
    /// When another run writes it, it is no cassette, or the system says no.
    pub fn open(path: &Path, is_lost: &dyn Fn(&EventId) -> bool) -> Result<Self, CassetteFault> {
        let io = |action| {
            move |source| CassetteFault::Io {
                action,
                path: path.to_owned(),
                source,
            }
        };
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600);
        let mut file = options.open(path).map_err(io("open"))?;
        file.try_lock().map_err(|error| match error {
            std::fs::TryLockError::WouldBlock => CassetteFault::Busy {
                path: path.to_owned(),
            },
            std::fs::TryLockError::Error(source) => io("lock")(source),
        })?;
        if !file.metadata().map_err(io("look at"))?.is_file() {
            return Err(CassetteFault::Line {
                path: path.to_owned(),
                line: 1,
                what: "a cassette is a file, and this is none".to_owned(),
            });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io("read"))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        let whole = whole.map_or(0, |at| at + 1);
        // A header that was cut short is ours, too.
        if whole == 0 && !header().as_bytes().starts_with(&bytes) {
            check_header(&bytes).map_err(|what| CassetteFault::Line {
                path: path.to_owned(),
                line: 1,
                what,
            })?;
        }
        let lines = lines(path, &bytes[..whole])?;
        let length = u64::try_from(whole).unwrap_or(u64::MAX);
        file.set_len(length).map_err(io("mend"))?;
        file.seek(SeekFrom::End(0)).map_err(io("mend"))?;
        let mut more = String::new();
        if whole == 0 {
            more.extend([header().as_str(), "\n"]);
        }
        let taken_back = |call: &EventId| {
            let mut voids = lines.iter();
            voids.any(|line| matches!(line, Line::Void(void) if void == call))
        };
        for line in &lines {
            if let Line::Exchange(exchange) = line
                && let Some(call) = exchange.call
                && is_lost(&call)
                && !taken_back(&call)
            {
                let void = canonical::write(&Void { void: call }).unwrap_or_default();
                more.extend([void.as_str(), "\n"]);
            }
        }
        file.write_all(more.as_bytes()).map_err(io("write"))?;
        file.sync_all().map_err(io("write"))?;
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            fault: Mutex::default(),
        })
    }

    /// Adds an exchange. Where that fails the answer is not lost over it, and the
    /// run stops when it looks.
    pub(crate) fn add(&self, exchange: &Exchange) {
        let line = canonical::write(exchange).map_err(std::io::Error::from);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // After half a line nothing may follow, whoever waits for the file.
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if fault.is_some() {
            return;
        }
        let written = line.and_then(|line| {
            file.write_all(format!("{line}\n").as_bytes())?;
            file.sync_data()
        });
        *fault = written.err().map(|source| CassetteFault::Io {
            action: "write",
            path: self.path.clone(),
            source,
        });
    }

    pub(crate) fn is_faulty(&self) -> bool {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.is_some()
    }

    pub(crate) fn take_fault(&self) -> Option<CassetteFault> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.take()
    }
}

/// Reads the whole lines of a cassette, after its header.
pub(crate) fn lines(path: &Path, bytes: &[u8]) -> Result<Vec<Line>, CassetteFault> {
    let fault = |line: usize, what| CassetteFault::Line {
        path: path.to_owned(),
        line,
        what,
    };
    let mut lines = Vec::new();
    let texts = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if bytes.is_empty() {
        return Ok(lines);
    }
    for (number, text) in texts.split(|byte| *byte == b'\n').enumerate() {
        if number == 0 {
            check_header(text).map_err(|what| fault(1, what))?;
        } else {
            lines.push(Line::parse(text).map_err(|what| fault(number + 1, what))?);
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::cassette::exchange::Heard;
    use crate::run::cassette::{Asked, Head};
    use crate::run::player::Took;

    fn exchange() -> Exchange {
        Exchange {
            call: None,
            cell: None,
            failure: None,
            request: Asked::post("http://here/v1", "{}"),
            response: Heard::new(&Head::default(), b"{}"),
            time: Took::default().in_event(),
            withheld: Vec::new(),
        }
    }

    #[test]
    fn two_runs_do_not_write_one_cassette() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cassette");
        let first = Recorder::open(&path, &|_| false).unwrap();
        let refused = Recorder::open(&path, &|_| false).unwrap_err();
        assert!(matches!(refused, CassetteFault::Busy { .. }), "{refused}");
        first.add(&exchange());
        drop(first);
        let second = Recorder::open(&path, &|_| false).unwrap();
        second.add(&exchange());
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert!(Recorder::open(Path::new("/dev/null"), &|_| false).is_err());
    }

    #[test]
    fn an_exchange_that_cannot_be_written_is_told_and_nothing_follows_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cassette");
        drop(Recorder::open(&path, &|_| false).unwrap());
        // A file that is open for reading alone stands for a full disk.
        let recorder = Recorder {
            path: path.clone(),
            file: Mutex::new(File::open(&path).unwrap()),
            fault: Mutex::default(),
        };
        assert!(!recorder.is_faulty());
        recorder.add(&exchange());
        assert!(recorder.is_faulty());
        recorder.add(&exchange());
        let fault = recorder.take_fault().unwrap().to_string();
        assert!(fault.starts_with("cannot write the cassette "), "{fault}");
    }
}
