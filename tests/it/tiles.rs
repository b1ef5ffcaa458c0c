//! Tiles to the byte: their paths, and an export that a small tile client of
//! its own reads back.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use scoresheet::digest::{Digest, LeafHash, Root, empty_root, node_hash};
use scoresheet::event::EventId;
use scoresheet::ledger::{
    Checkpoint, Disk, ExportError, Prover, SignedCheckpoint, Storage as _, bundle_path,
    export_tiles, issue_checkpoint, tile_path,
};

use crate::ledger::{Bench, files};
use crate::mortal::{Mortal, Part};

/// A tile client that knows a folder and C2SP tlog-tiles, and nothing of ours
/// but the hash of a node.
struct Client {
    folder: PathBuf,
    size: u64,
}

impl Client {
    fn of(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join("checkpoint")).unwrap();
        let size = text.lines().nth(1).unwrap().parse().unwrap();
        Self {
            folder: folder.to_owned(),
            size,
        }
    }

    fn get(&self, kind: &str, number: u64, width: u64) -> Vec<u8> {
        let digits = format!("{number:03}");
        let digits = format!("{digits:0>width$}", width = digits.len().div_ceil(3) * 3);
        let groups: Vec<_> = (0..digits.len() / 3)
            .map(|g| &digits[3 * g..3 * g + 3])
            .collect();
        let (last, before) = groups.split_last().unwrap();
        let mut path = self.folder.join("tile").join(kind);
        path.extend(before.iter().map(|group| format!("x{group}")));
        path.push(if width < 256 {
            format!("{last}.p")
        } else {
            (*last).to_owned()
        });
        if width < 256 {
            path.push(width.to_string());
        }
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The width of a tile in the tree: hashes of the level, less those before it.
    fn width(&self, level: u32, number: u64) -> u64 {
        ((self.size >> (8 * level)) - 256 * number).min(256)
    }

    fn hash(&self, level: u32, index: u64) -> Root {
        let number = index / 256;
        let width = self.width(level, number);
        let tile = self.get(&level.to_string(), number, width);
        assert_eq!(u64::try_from(tile.len()).unwrap(), 32 * width);
        let at = usize::try_from(32 * (index % 256)).unwrap();
        Digest::new(tile[at..at + 32].try_into().unwrap())
    }

    /// The root over a range, from the highest tiles that hold it.
    fn root(&self, start: u64, end: u64) -> Root {
        let n = end - start;
        if n == 0 {
            return empty_root();
        }
        let level = n.trailing_zeros() / 8;
        if n.is_power_of_two() && n == 1 << (8 * level) {
            return self.hash(level, start >> (8 * level));
        }
        let middle = start + n.next_power_of_two() / 2;
        node_hash(&self.root(start, middle), &self.root(middle, end))
    }

    fn entries(&self) -> Vec<Vec<u8>> {
        let mut entries = Vec::new();
        for number in 0..self.size.div_ceil(256) {
            let width = self.width(0, number);
            let bundle = self.get("entries", number, width);
            let mut rest = bundle.as_slice();
            let before = entries.len();
            while let Some((length, more)) = rest.split_first_chunk() {
                let (entry, more) = more.split_at(u16::from_be_bytes(*length).into());
                entries.push(entry.to_vec());
                rest = more;
            }
            assert!(rest.is_empty());
            assert_eq!(entries.len() - before, usize::try_from(width).unwrap());
        }
        entries
    }

    /// Reads everything; returns the entries.
    fn check(&self) -> Vec<Vec<u8>> {
        let text = fs::read(self.folder.join("checkpoint")).unwrap();
        let checkpoint = SignedCheckpoint::parse(&text).unwrap();
        let root = checkpoint.checkpoint().root;
        assert_eq!(self.root(0, self.size), root);
        let entries = self.entries();
        for (index, entry) in (0..).zip(&entries) {
            assert_eq!(*LeafHash::of(entry).digest(), self.hash(0, index));
        }
        entries
    }
}

fn checkpoint(bench: &Bench, size: Option<u64>) -> Checkpoint {
    let disk = bench.disk();
    let mut prover = Prover::open(&disk).unwrap();
    let size = size.unwrap_or_else(|| prover.size());
    let checkpoint = prover.checkpoint(size).unwrap();
    issue_checkpoint(&disk, &checkpoint).unwrap();
    checkpoint
}

fn lines(bench: &Bench) -> Vec<Vec<u8>> {
    let events = files(&bench.path().join("events"));
    let lines = events.iter().flat_map(|(_, bytes)| {
        let lines = bytes.split(|byte| *byte == b'\n');
        lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec)
    });
    lines.collect()
}

#[test]
fn paths_are_those_of_the_specification() {
    assert_eq!(tile_path(0, 1_234_067, 256), "tile/0/x001/x234/067");
    assert_eq!(tile_path(63, 0, 1), "tile/63/000.p/1");
    assert_eq!(tile_path(1, 273, 112), "tile/1/273.p/112");
    assert_eq!(tile_path(2, 999, 256), "tile/2/999");
    assert_eq!(tile_path(2, 1000, 255), "tile/2/x001/000.p/255");
    assert_eq!(bundle_path(1_000_000, 256), "tile/entries/x001/x000/000");
}

/// The tiles of a size by the arithmetic of the specification: for each level
/// the number of full tiles, and the width of the partial one.
fn shape(size: u64) -> Vec<(u64, u64)> {
    let levels = (0..8).map(|level| {
        let hashes = size >> (8 * level);
        (hashes / 256, hashes % 256)
    });
    levels.take_while(|shape| *shape != (0, 0)).collect()
}

#[test]
fn an_export_has_exactly_the_tiles_that_the_specification_names() {
    // The examples of the specification.
    assert_eq!(shape(70_000), [(273, 112), (1, 17), (0, 1)]);
    assert_eq!(shape(256), [(1, 0), (0, 1)]);
    for size in [1, 2, 255, 256, 257, 600, 4096, 70_000] {
        let bench = Bench::new();
        bench.append(0, size - 1);
        let target = bench.path().join("../tiles");
        let written = export_tiles(&bench.disk(), &Disk::new(&target), None).unwrap();
        assert!(!written.is_signed());
        assert_eq!(Client::of(&target).check(), lines(&bench));
        let mut expected = vec!["checkpoint".to_owned()];
        let size = u64::try_from(size).unwrap();
        for (level, (full, partial)) in (0..).zip(shape(size)) {
            let tiles = (0..full).map(|number| (number, 256));
            let width = usize::try_from(partial).unwrap();
            let partial = (0 < width).then_some((full, width));
            for (number, width) in tiles.chain(partial) {
                expected.push(tile_path(level, number, width));
                if level == 0 {
                    expected.push(bundle_path(number, width));
                }
            }
        }
        expected.sort();
        let found = files(&target).into_iter().map(|(path, _)| path);
        assert_eq!(found.collect::<Vec<_>>(), expected, "size {size}");
    }
}

#[test]
fn a_ledger_of_several_segments_is_read_back_by_a_tile_client() {
    let bench = Bench::new();
    bench.append(0, 9_000);
    checkpoint(&bench, None);
    bench.append(9_000, 500);
    let target = bench.path().join("../tiles");
    let written = export_tiles(&bench.disk(), &Disk::new(&target), None).unwrap();
    assert_eq!(
        written.checkpoint().size,
        9_001,
        "the newest stored checkpoint"
    );
    let client = Client::of(&target);
    let entries = client.check();
    assert_eq!(entries, lines(&bench)[..9_001]);
    // What a client computes from tiles is what the ledger proves.
    let disk = bench.disk();
    let mut prover = Prover::open(&disk).unwrap();
    for size in [1, 255, 256, 4095, 4096, 4097, 8192, 9_001] {
        assert_eq!(client.root(0, size), prover.checkpoint(size).unwrap().root);
    }
    let id = EventId::of(&entries[5000]);
    assert_eq!(prover.find(&id).unwrap(), Some(5000));
    assert_eq!(prover.line(5000).unwrap(), entries[5000]);
}

#[test]
fn an_export_is_added_to_and_never_changed() {
    let bench = Bench::new();
    let target = bench.path().join("../tiles");
    let export = |size| export_tiles(&bench.disk(), &Disk::new(&target), size);
    bench.append(0, 99);
    checkpoint(&bench, None);
    export(None).unwrap();
    let first = files(&target);
    bench.append(99, 100);
    checkpoint(&bench, Some(150));
    checkpoint(&bench, None);
    export(None).unwrap();
    let second = files(&target);
    Client::of(&target).check();
    for file in first.iter().filter(|(path, _)| path != "checkpoint") {
        assert!(second.contains(file), "{}", file.0);
    }
    // Earlier checkpoints keep their partial tiles, as long as none is full.
    let paths: Vec<_> = second.iter().map(|(path, _)| path.as_str()).collect();
    assert!(paths.contains(&"tile/0/000.p/150"), "{paths:?}");
    assert!(paths.contains(&"tile/entries/000.p/150"), "{paths:?}");
    export(None).unwrap();
    assert_eq!(files(&target), second, "the same again changes nothing");
    // A smaller one, one of another ledger, and one with another file in it.
    let why = |outcome: Result<SignedCheckpoint, ExportError>| outcome.unwrap_err().to_string();
    assert!(why(export(Some(100))).contains("200 events already"));
    let other = Bench::opened("2026-11-30T12:00:00.000Z".parse().unwrap());
    other.append(0, 300);
    let foreign = export_tiles(&other.disk(), &Disk::new(&target), None);
    assert!(why(foreign).contains("none of this ledger"));
    bench.append(199, 100);
    checkpoint(&bench, None);
    let tile = target.join("tile/0/000");
    fs::write(&tile, b"other bytes").unwrap();
    let refused = export(None).unwrap_err();
    assert!(matches!(refused, ExportError::Target { .. }), "{refused:?}");
    let refused = refused.to_string();
    assert!(refused.contains("tile/0/000 has other bytes"), "{refused}");
    assert!(refused.contains(target.to_str().unwrap()), "{refused}");
    fs::remove_file(tile).unwrap();
    export(None).unwrap();
    Client::of(&target).check();
    // A folder that is none.
    fs::remove_file(target.join("checkpoint")).unwrap();
    assert!(why(export(None)).contains("cannot be added to"));
}

#[test]
fn only_one_at_a_time_adds_to_an_export() {
    let bench = Bench::new();
    bench.append(0, 4);
    let target = Disk::new(bench.path().join("../tiles"));
    export_tiles(&bench.disk(), &target, Some(3)).unwrap();
    let before = files(target.root());
    // Whoever adds has read the checkpoint and is going to replace it.
    let other = target.try_lock().unwrap().unwrap();
    let refused = export_tiles(&bench.disk(), &target, Some(5)).unwrap_err();
    let is_told = refused
        .to_string()
        .contains("another process is adding to it; wait");
    assert!(is_told, "{refused}");
    assert_eq!(files(target.root()), before);
    drop(other);
    export_tiles(&bench.disk(), &target, Some(5)).unwrap();
    assert_eq!(Client::of(target.root()).size, 5);
}

#[test]
fn a_file_that_cannot_be_written_is_named_with_its_folder() {
    let bench = Bench::new();
    bench.append(0, 4);
    let target = Disk::new(bench.path().join("../tiles"));
    export_tiles(&bench.disk(), &target, Some(3)).unwrap();
    let tiles = target.root().join("tile");
    fs::remove_dir_all(&tiles).unwrap();
    fs::write(&tiles, b"no folder").unwrap();
    let refused = export_tiles(&bench.disk(), &target, Some(5)).unwrap_err();
    let named = target.root().join("tile/0");
    assert!(
        refused.to_string().contains(named.to_str().unwrap()),
        "{refused}"
    );
}

#[test]
fn a_damaged_ledger_is_not_exported_and_leaves_nothing_behind() {
    let bench = Bench::new();
    bench.append(0, 5_000);
    let target = bench.path().join("../tiles");
    let segment = bench.path().join("events/000000.jsonl");
    let mut bytes = fs::read(&segment).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(segment, bytes).unwrap();
    let refused = export_tiles(&bench.disk(), &Disk::new(&target), None);
    assert!(matches!(refused, Err(ExportError::Read(_))));
    let folder = bench.path();
    let around: Vec<_> = fs::read_dir(folder.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(around, ["ledger"]);
}

#[test]
fn an_addition_that_was_killed_is_whole_as_it_was_and_can_be_made_again() {
    let bench = Bench::new();
    let target = bench.path().join("../tiles");
    bench.append(0, 250);
    checkpoint(&bench, None);
    export_tiles(&bench.disk(), &Disk::new(&target), None).unwrap();
    let before = files(&target);
    bench.append(250, 400);
    checkpoint(&bench, None);
    // Adding goes through the folder of a real disk, so what a killed one leaves
    // is made by hand: some of the new files, and the old checkpoint.
    export_tiles(&bench.disk(), &Disk::new(&target), None).unwrap();
    let after = files(&target);
    let new: Vec<_> = after.iter().filter(|file| !before.contains(file)).collect();
    assert!(4 < new.len());
    for kept in 0..new.len() {
        fs::remove_dir_all(&target).unwrap();
        for (path, bytes) in before.iter().chain(new.iter().take(kept).copied()) {
            if path == "checkpoint" && before[0].1 != *bytes {
                continue;
            }
            let path = target.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        Client::of(&target).check();
        export_tiles(&bench.disk(), &Disk::new(&target), None).unwrap();
        assert_eq!(files(&target), after, "{kept} files kept");
    }
}

#[test]
fn signatures_added_while_the_program_dies_are_there_or_not_and_spoil_nothing() {
    let bench = Bench::new();
    bench.append(0, 5);
    let checkpoint = checkpoint(&bench, None);
    let text = checkpoint.to_string();
    let (log, witness) = (
        crate::keys::log("example.org/test"),
        crate::keys::witness("w.example"),
    );
    let path = bench.path().join(checkpoint.path());
    let one = crate::keys::signed(&text, &[&log], 0).to_string();
    let two = crate::keys::signed(&text, &[&log, &witness], 7).to_string();
    let mut seen = [false; 2];
    for changes in 0..12 {
        for last in [Part::Third, Part::Whole] {
            fs::write(&path, &one).unwrap();
            let mortal = Mortal::new(bench.disk(), changes, last);
            let added = scoresheet::ledger::add_signatures(
                &mortal,
                &checkpoint,
                &[log.sign(&text, 0), witness.sign(&text, 7)],
            );
            let there = fs::read_to_string(&path).unwrap();
            assert!(there == one || there == two, "{there}");
            assert!(added.is_err() || there == two);
            seen[usize::from(there == two)] = true;
            // The next one goes on, whatever was left lying about.
            let disk = bench.disk();
            let again = [witness.sign(&text, 7)];
            scoresheet::ledger::add_signatures(&disk, &checkpoint, &again).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), two);
            let verified = scoresheet::ledger::verify(&disk, &|_, _| (), &mut |_, _| ());
            assert_eq!(verified.unwrap().findings, vec![]);
        }
    }
    assert_eq!(seen, [true, true]);
}

/// Starts an export, and kills it after that time unless it has ended.
fn export_and_kill(bench: &Bench, target: &Path, after: Duration) -> bool {
    let mut export = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .arg("--ledger")
        .arg(bench.path())
        .args(["ledger", "export"])
        .arg(target)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    let is_over = export.try_wait().unwrap().is_some();
    export.kill().unwrap();
    export.wait().unwrap();
    is_over
}

#[test]
fn an_export_that_is_killed_is_there_whole_or_as_it_was_and_can_be_made_again() {
    let bench = Bench::new();
    bench.append(0, 2_000);
    let target = bench.path().join("../tiles");
    for size in [2_001, 4_001] {
        let mut killed = 0;
        for step in 1.. {
            let is_over = export_and_kill(&bench, &target, Duration::from_millis(7 * step));
            killed += usize::from(!is_over);
            if target.exists() {
                let entries = Client::of(&target).check();
                assert!([2_001, size].contains(&entries.len()));
            }
            if is_over {
                break;
            }
        }
        assert!(1 < killed, "{killed} were killed");
        assert_eq!(Client::of(&target).check(), lines(&bench));
        assert_eq!(lines(&bench).len(), size);
        bench.append(size, 2_000);
    }
}
