use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use shakmaty_syzygy::{Dtz, MaybeRounded, Metric, ProbeError, SyzygyError, Tablebase as Tables};
use shakmaty_syzygy::{Material, Wdl};

use crate::chess::Position;

/// The most pieces, kings included, of which there are Syzygy tables.
const PIECES_MAX: usize = 7;

/// What the names of tables end with: who wins, and how soon.
const ENDINGS: [&str; 2] = ["rtbw", "rtbz"];

/// Where the bytes of Syzygy tables come from. This room reads no file itself.
pub trait TableFiles: Send + Sync {
    /// The name and the length in bytes of every file that may be a table. What
    /// has the name of none is left alone.
    fn list(&self) -> Vec<(String, u64)>;

    /// Reads bytes of a listed file from an offset on, as many as there are and
    /// have room; none at its end.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    fn read_at(&self, name: &str, bytes: &mut [u8], offset: u64) -> io::Result<usize>;
}

/// Syzygy tables of standard chess, by the names of their files.
pub struct Tablebase {
    files: Arc<dyn TableFiles>,
    /// The tables with their lengths, by name.
    tables: BTreeMap<String, u64>,
}

/// What tables say of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableAnswer {
    /// The end under best play.
    pub wdl: TableWdl,
    /// Plies to the next capture or pawn move on the way there, negative for the
    /// side that loses; 0 in a draw. A table may round it down by one. Beyond 100
    /// the fifty-move rule comes first. Absent: no table of it was at hand.
    pub dtz: Option<i32>,
    /// The names of the tables that were opened to find out, sorted.
    pub files: Vec<String>,
}

/// How a position ends under best play, for the side to move, if a capture or a
/// pawn move has just been made: the five values of Syzygy tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TableWdl {
    /// Lost.
    Loss = -2,
    /// Lost, but that the fifty-move rule makes a draw of it.
    BlessedLoss = -1,
    /// Drawn.
    Draw = 0,
    /// Won, but that the fifty-move rule makes a draw of it.
    CursedWin = 1,
    /// Won.
    Win = 2,
}

impl TableWdl {
    /// The value with this number, from -2 to 2.
    pub const fn of(number: i64) -> Option<Self> {
        Some(match number {
            -2 => Self::Loss,
            -1 => Self::BlessedLoss,
            0 => Self::Draw,
            1 => Self::CursedWin,
            2 => Self::Win,
            _ => return None,
        })
    }

    /// Its number, from -2 to 2.
    pub const fn number(self) -> i8 {
        self as i8
    }
}

/// A table that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table {file} cannot be used: {reason}")]
pub struct TableFault {
    /// The name of its file.
    pub file: String,
    /// Why.
    pub reason: String,
}

impl Tablebase {
    /// Returns the tables among these files. None is opened before it is needed.
    ///
    /// # Errors
    ///
    /// When the length of a file is none that a table has: it was not copied whole.
    pub fn of(files: Arc<dyn TableFiles>) -> Result<Self, TableFault> {
        let listed = files.list().into_iter();
        let tables: BTreeMap<_, _> = listed.filter(|(name, _)| pieces_of(name) != 0).collect();
        // Every table is a multiple of 64 bytes with a checksum of 16 behind it.
        match tables.iter().find(|(_, bytes)| **bytes % 64 != 16) {
            None => Ok(Self { files, tables }),
            Some((name, bytes)) => Err(TableFault {
                file: name.clone(),
                reason: format!("{bytes} bytes is no length of a table; copy it again, whole"),
            }),
        }
    }

    /// The most pieces, kings included, in any position that a table is of; 0
    /// where there is none.
    pub fn pieces_max(&self) -> usize {
        let with_ends = self.tables.keys().filter(|name| name.ends_with(ENDINGS[0]));
        with_ends.map(|name| pieces_of(name)).max().unwrap_or(0)
    }

    /// How many tables say who wins, and how many how soon.
    pub fn counts(&self) -> [usize; 2] {
        ENDINGS.map(|ending| {
            let names = self.tables.keys();
            names.filter(|name| name.ends_with(ending)).count()
        })
    }

    /// Whether there is a table for the pieces of this position. There is none
    /// with castling rights, of whichever variant, and none of two bare kings.
    pub fn holds(&self, position: &Position) -> bool {
        let chess = position.chess();
        !chess.castles().any() && self.table_of(&material(chess), ENDINGS[0]).is_some()
    }

    /// Returns what the tables say of a position; nothing where they do not hold
    /// it, or lack one of those that a capture leads to.
    ///
    /// The counter of the fifty-move rule is taken to be zero. What the tables
    /// are asked for depends on the position alone, and not on what was asked
    /// before.
    ///
    /// # Errors
    ///
    /// When a table is damaged or cannot be read.
    pub fn probe(&self, position: &Position) -> Result<Option<TableAnswer>, TableFault> {
        if !self.holds(position) {
            return Ok(None);
        }
        let chess = position.chess();
        let shelf = Arc::new(Shelf {
            files: Arc::clone(&self.files),
            tables: self.tables.clone(),
            opened: Mutex::default(),
        });
        let filesystem: Arc<dyn Filesystem> = shelf.clone();
        let mut tables = Tables::<Chess>::with_filesystem(filesystem);
        let pieces = chess.board().occupied().count();
        for name in self.tables.keys().filter(|name| pieces_of(name) <= pieces) {
            let added = tables.add_file(name);
            added.map_err(|error| TableFault {
                file: name.clone(),
                reason: error.to_string(),
            })?;
        }
        let wdl = match tables.probe_wdl_after_zeroing(chess) {
            Ok(wdl) => wdl,
            Err(error) => return self.fault(error).map_or(Ok(None), Err),
        };
        let mut files = shelf.opened();
        let dtz = match tables.probe_dtz(chess) {
            Ok(MaybeRounded::Rounded(Dtz(dtz)) | MaybeRounded::Precise(Dtz(dtz))) => {
                files = shelf.opened();
                Some(dtz)
            }
            Err(error) => match self.fault(error) {
                None => None,
                Some(fault) => return Err(fault),
            },
        };
        let wdl = match wdl {
            Wdl::Loss => TableWdl::Loss,
            Wdl::BlessedLoss => TableWdl::BlessedLoss,
            Wdl::Draw => TableWdl::Draw,
            Wdl::CursedWin => TableWdl::CursedWin,
            Wdl::Win => TableWdl::Win,
        };
        Ok(Some(TableAnswer { wdl, dtz, files }))
    }

    /// What is wrong with a table; nothing where one is only not there.
    fn fault(&self, error: SyzygyError) -> Option<TableFault> {
        let SyzygyError::ProbeFailed {
            metric,
            material,
            error,
        } = error
        else {
            return None;
        };
        let ending = match metric {
            Metric::Wdl => ENDINGS[0],
            Metric::Dtz => ENDINGS[1],
        };
        let material = material.to_string();
        let file = self.table_of(&material, ending);
        Some(TableFault {
            file: file.map_or_else(|| format!("{material}.{ending}"), str::to_owned),
            reason: match *error {
                ProbeError::Read { error } => error.to_string(),
                ProbeError::Magic { .. } => {
                    "it does not begin like a Syzygy table of standard chess".to_owned()
                }
                ProbeError::CorruptedTable { .. } => "it is damaged; copy it again".to_owned(),
            },
        })
    }

    /// The name of the table of these pieces, whichever side is named first.
    fn table_of(&self, material: &str, ending: &str) -> Option<&str> {
        let (white, black) = material.split_once('v')?;
        let names = [(white, black), (black, white)];
        let names = names.map(|(one, other)| format!("{one}v{other}.{ending}"));
        let mut found = names
            .iter()
            .filter_map(|name| self.tables.get_key_value(name));
        found.next().map(|(name, _)| name.as_str())
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.tables.keys().collect();
        let mut shown = f.debug_struct("Tablebase");
        shown.field("tables", &names).finish_non_exhaustive()
    }
}

/// The pieces of a position, White's first: `KQvKR`.
fn material(chess: &Chess) -> String {
    Material::from_board(chess.board()).to_string()
}

/// How many pieces the positions of a table have, by the name of its file; 0
/// where it is the name of none.
fn pieces_of(name: &str) -> usize {
    let is_side = |side: &str| {
        let pieces = side.strip_prefix('K');
        pieces.is_some_and(|rest| rest.bytes().all(|piece| b"QRBNP".contains(&piece)))
    };
    match name.split_once('.') {
        Some((stem, ending)) if ENDINGS.contains(&ending) => match stem.split_once('v') {
            Some((one, other)) if is_side(one) && is_side(other) && stem != "KvK" => {
                Some(stem.len() - 1).filter(|pieces| *pieces <= PIECES_MAX)
            }
            Some(_) | None => None,
        },
        Some(_) | None => None,
    }
    .unwrap_or(0)
}

/// The tables as the library reads them, with those that it has opened.
struct Shelf {
    files: Arc<dyn TableFiles>,
    tables: BTreeMap<String, u64>,
    opened: Mutex<BTreeSet<String>>,
}

impl Shelf {
    fn opened(&self) -> Vec<String> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.iter().cloned().collect()
    }

    fn table(&self, path: &Path) -> io::Result<(&str, u64)> {
        let name = path
            .to_str()
            .and_then(|name| self.tables.get_key_value(name));
        let (name, bytes) = name.ok_or(io::ErrorKind::NotFound)?;
        Ok((name, *bytes))
    }
}

impl Filesystem for Shelf {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        Ok(self.table(path)?.1)
    }

    fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        // Tables are added one by one.
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let name = self.table(path)?.0.to_owned();
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.insert(name.clone());
        let files = Arc::clone(&self.files);
        Ok(Box::new(Table { files, name }))
    }
}

/// A table that was opened.
struct Table {
    files: Arc<dyn TableFiles>,
    name: String,
}

impl RandomAccessFile for Table {
    fn read_at(&self, bytes: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        self.files.read_at(&self.name, bytes, offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_told_by_its_name() {
        for (name, pieces) in [
            ("KQvK.rtbw", 3),
            ("KvKQ.rtbz", 3),
            ("KRPvKRP.rtbw", 6),
            ("KQQQQQvK.rtbw", 7),
            ("KQQQQQQvK.rtbw", 0),
            ("KvK.rtbw", 0),
            ("KQvK.atbw", 0),
            ("KQvK.rtbw.part", 0),
            ("QKvK.rtbw", 0),
            ("KQ.rtbw", 0),
            ("KXvK.rtbw", 0),
            ("kqvk.rtbw", 0),
            ("K\u{e9}vK.rtbw", 0),
            ("SOURCE.txt", 0),
        ] {
            assert_eq!(pieces_of(name), pieces, "{name}");
        }
    }

    #[test]
    fn the_five_values_go_through_their_numbers() {
        for number in -2..=2 {
            assert_eq!(i64::from(TableWdl::of(number).unwrap().number()), number);
        }
        assert_eq!((TableWdl::of(-3), TableWdl::of(3)), (None, None));
    }
}
