use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::canonical::Count;
use crate::digest::Digest;
use crate::run::cassette::exchange::{Exchange, Line, check_header};
use crate::run::cassette::recorder::lines;
use crate::run::cassette::{Asked, CassetteFault};

/// A cassette that answers.
#[derive(Debug)]
pub struct Replay {
    path: PathBuf,
    digest: Digest,
    exchanges: Vec<Exchange>,
    /// Those that have not answered yet, by what was asked, in their order.
    left: Mutex<BTreeMap<Asked, Vec<usize>>>,
}

impl Replay {
    /// Reads a cassette.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is no cassette, or ends in the middle of a line.
    pub fn open(path: &Path) -> Result<Self, CassetteFault> {
        let bytes = std::fs::read(path).map_err(|source| CassetteFault::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        let fault = |line, what| CassetteFault::Line {
            path: path.to_owned(),
            line,
            what,
        };
        if !bytes.ends_with(b"\n") {
            // What is no cassette at all is told so.
            let first = bytes.split(|byte| *byte == b'\n').next();
            check_header(first.unwrap_or_default()).map_err(|what| fault(1, what))?;
            let what = "it is cut short: the run was killed when it wrote this; go on recording with the same ledger and file, or remove the line".to_owned();
            return Err(fault(bytes.split(|byte| *byte == b'\n').count(), what));
        }
        let mut exchanges = Vec::new();
        let mut voids = BTreeSet::new();
        for line in lines(path, &bytes)? {
            match line {
                Line::Exchange(exchange) => exchanges.push(*exchange),
                Line::Void(call) => drop(voids.insert(call)),
            }
        }
        exchanges.retain(|exchange| exchange.call.is_none_or(|call| !voids.contains(&call)));
        let mut left = BTreeMap::<_, Vec<_>>::new();
        for (number, exchange) in exchanges.iter().enumerate() {
            left.entry(exchange.request.clone())
                .or_default()
                .push(number);
        }
        Ok(Self {
            path: path.to_owned(),
            digest: Digest::of(&bytes),
            exchanges,
            left: Mutex::new(left),
        })
    }

    /// The digest of the file.
    pub const fn digest(&self) -> &Digest {
        &self.digest
    }

    /// How many exchanges have answered, of how many.
    pub fn used(&self) -> (usize, usize) {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let left: usize = left.values().map(Vec::len).sum();
        (self.exchanges.len() - left, self.exchanges.len())
    }

    /// Takes what answers a request: of equal ones the first that was recorded for
    /// the same cell, else the first.
    ///
    /// # Errors
    ///
    /// Where there is none: what was asked, and what is nearest to it.
    pub(crate) fn take(&self, cell: Option<Count>, asked: &Asked) -> Result<&Exchange, String> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(numbers) = left.get_mut(asked).filter(|numbers| !numbers.is_empty()) else {
            return Err(self.miss(cell, asked));
        };
        let of_cell = |number: &usize| self.exchanges[*number].cell == cell;
        let number = numbers.remove(numbers.iter().position(of_cell).unwrap_or(0));
        let exchange = &self.exchanges[number];
        if exchange.withheld.is_empty() {
            return Ok(exchange);
        }
        let rules = exchange.withheld.join(", ");
        let path = self.path.display();
        Err(format!(
            "the cassette {path} holds {asked} without what came back, which looked like it held a credential ({rules})"
        ))
    }

    /// Says what is missing.
    fn miss(&self, cell: Option<Count>, asked: &Asked) -> String {
        let for_cell = cell.map_or_else(String::new, |cell| {
            format!(", for game {}", cell.get().saturating_add(1))
        });
        let path = self.path.display();
        let said = format!("the cassette {path} does not hold what was asked ({asked}{for_cell})");
        let mut equal = self.exchanges.iter();
        let equal = equal.by_ref().filter(|one| one.request == *asked).count();
        if 0 < equal {
            let times = if equal == 1 { "once" } else { "often enough" };
            return format!("{said} again: it holds {equal}, and {times} is not enough");
        }
        let nearest = self.exchanges.iter().enumerate();
        let nearest = nearest
            .rev()
            .max_by_key(|(_, one)| asked.likeness(&one.request));
        let Some((number, nearest)) = nearest else {
            return format!("{said}: it holds nothing");
        };
        format!(
            "{said}; exchange {} of it is nearest, and {}",
            number + 1,
            asked.difference(&nearest.request)
        )
    }
}
