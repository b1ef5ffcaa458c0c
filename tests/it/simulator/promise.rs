//! What a ledger has promised, and whether it stands by it.

use std::collections::BTreeSet;
use std::sync::Arc;

use scoresheet::finding::Code;
use scoresheet::ledger::{Layout, Prefix, Writer, verify};

use crate::simulator::disk::{Fault, SimulatedDisk};
use crate::simulator::life::{Moment, event, time};
use crate::simulator::medium::Medium;
use crate::simulator::random::Random;

type Content = (Arc<str>, Arc<Vec<u8>>);

/// What was acknowledged up to some moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Promise {
    /// Tells the promises of a life apart.
    pub(crate) number: usize,
    /// The lines of the ledger, without newlines.
    pub(crate) acknowledged: Vec<Arc<str>>,
    /// A batch that was on its way.
    pub(crate) in_flight: Vec<Arc<str>>,
    /// Checkpoints and blobs.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// Recovers what crashes leave, and counts.
pub(crate) struct Inquest {
    pub(crate) layout: Layout,
    /// How often it crashed, and how many of the remains were recovered.
    pub(crate) n_crashes: usize,
    pub(crate) n_crash_points: usize,
    pub(crate) n_recoveries: usize,
    pub(crate) n_crashes_of_recoveries: usize,
    pub(crate) n_failures_of_recoveries: usize,
    /// What was verified already, by its hash.
    verified: BTreeSet<u64>,
    /// What was recovered, by the number of the promise and a hash.
    images: BTreeSet<(usize, u64)>,
}

impl Inquest {
    pub(crate) fn new(layout: Layout) -> Self {
        Self {
            layout,
            n_crashes: 0,
            n_crash_points: 0,
            n_recoveries: 0,
            n_crashes_of_recoveries: 0,
            n_failures_of_recoveries: 0,
            verified: BTreeSet::new(),
            images: BTreeSet::new(),
        }
    }

    /// Crashes at a moment and recovers, perhaps with another crash in between.
    /// What was recovered before is not a crash point of its own: `false`.
    pub(crate) fn crash(&mut self, moment: &Moment, random: &mut Random) -> Result<bool, String> {
        let image = moment.medium.crash(random);
        self.n_crashes += 1;
        let key = (moment.promise.number, hash_of(&image.contents()));
        if !self.images.insert(key) {
            return Ok(false);
        }
        self.recover(&image, &moment.promise, random, 0)?;
        Ok(true)
    }

    /// Recovers what a crash left; where that goes wrong, says what it left.
    fn recover(
        &mut self,
        image: &Medium,
        promise: &Promise,
        random: &mut Random,
        depth: i64,
    ) -> Result<(), String> {
        let recovered = self.recover_silently(image, promise, random, depth);
        recovered.map_err(|fault| format!("{fault}\n{}", picture(image, promise)))
    }

    fn recover_silently(
        &mut self,
        image: &Medium,
        promise: &Promise,
        random: &mut Random,
        depth: i64,
    ) -> Result<(), String> {
        self.n_crash_points += 1;
        let before = image.contents();
        let disk = SimulatedDisk::new(image.clone(), self.layout);
        if random.percent(10) {
            read_beside(&disk, promise)?;
        }
        let is_remembered = depth < 3 && random.percent(25);
        if is_remembered {
            disk.remember();
        }
        let is_failed_once = random.percent(5);
        if is_failed_once {
            self.fail_once(&disk, promise, random, depth)?;
        }
        let by = "recovery".parse().unwrap();
        let opened = Writer::open(&disk, time(1_000_000 * (depth + 1) + 1), &by);
        let (mut writer, recoveries) =
            opened.map_err(|error| format!("refused after a crash: {error}"))?;
        self.n_recoveries += recoveries.len();
        let of_opening = disk.trail();
        let lines = lines(&disk.medium().contents(), self.layout)?;
        keeps(promise, &lines)?;
        let kept = &lines[..lines.len() - recoveries.len()];
        let is_silent = recoveries.is_empty() && !is_failed_once;
        if is_silent && bytes_of(kept) < bytes_of_events(&before) {
            return Err("bytes were cut off and no event says so".to_owned());
        }
        if u64::try_from(lines.len()).unwrap() != writer.size() {
            return Err("the head does not cover the events".to_owned());
        }
        let last = event(1_000_000 * (depth + 1) + 2, "one more");
        if is_remembered {
            disk.remember();
        }
        writer
            .append(std::slice::from_ref(&last))
            .map_err(|error| format!("nothing can be appended: {error}"))?;
        drop(writer);
        let of_append = disk.trail();
        self.holds(&disk, &lines, last.line(), promise)?;
        if !of_opening.is_empty() {
            self.n_crashes_of_recoveries += 1;
            let moment = &of_opening[random.below(of_opening.len())];
            self.recover(&moment.crash(random), promise, random, depth + 1)?;
            let promise = Promise {
                number: 0,
                acknowledged: lines,
                in_flight: vec![last.line().into()],
                files: promise.files.clone(),
            };
            let moment = &of_append[random.below(of_append.len())];
            self.recover(&moment.crash(random), &promise, random, depth + 1)?;
        }
        Ok(())
    }

    /// Opens with a disk on which a call fails. The next opening must do.
    fn fail_once(
        &mut self,
        disk: &SimulatedDisk,
        promise: &Promise,
        random: &mut Random,
        depth: i64,
    ) -> Result<(), String> {
        let fault = Fault {
            at: random.below(16),
            is_for_good: random.percent(50),
            kind: std::io::ErrorKind::StorageFull,
        };
        disk.fail(Some(fault), random.next());
        let by = "recovery".parse().unwrap();
        let opened = Writer::open(disk, time(1_000_000 * (depth + 1)), &by).is_ok();
        disk.fail(None, 0);
        if opened {
            return keeps(promise, &lines(&disk.medium().contents(), self.layout)?);
        }
        self.n_failures_of_recoveries += 1;
        Ok(())
    }

    /// Whether these lines and one more are the ledger, with all that belongs to it.
    fn holds(
        &mut self,
        disk: &SimulatedDisk,
        before: &[Arc<str>],
        last: &str,
        promise: &Promise,
    ) -> Result<(), String> {
        let contents = disk.medium().contents();
        if !self.verified.insert(hash_of(&contents)) {
            return Ok(());
        }
        let mut wanted = before.to_vec();
        wanted.push(last.into());
        if lines(&contents, self.layout)? != wanted {
            return Err("one more event changed others".to_owned());
        }
        for (path, bytes) in &promise.files {
            if !contents
                .iter()
                .any(|(there, content)| **there == **path && **content == *bytes)
            {
                return Err(format!("{path} is not there any more"));
            }
        }
        let verification = verify(disk, &|_, _| (), &mut |_, _| ());
        let verification = verification.map_err(|error| format!("verify: {error}"))?;
        // A blob whose event was lost is known to be one too many, and the
        // events of the script refer to schedules that there are not.
        let found = verification.findings.iter().find(|finding| {
            let file = finding.place.file.as_deref().unwrap_or_default();
            let is_blob = finding.code == Code::UnexpectedFile && file.starts_with("blobs/");
            !is_blob && finding.code != Code::DanglingReference
        });
        found.map_or(Ok(()), |finding| Err(format!("verify finds {finding}")))
    }
}

/// What a crash left and what was promised, for people.
fn picture(image: &Medium, promise: &Promise) -> String {
    let mut text = format!(
        "a crash left this, where {} events were acknowledged and {} on their way:\n",
        promise.acknowledged.len(),
        promise.in_flight.len()
    );
    for (path, content) in image.contents() {
        let shown = String::from_utf8_lossy(&content).replace('\0', "0");
        let shown = match &*path {
            "head" => shown.split_whitespace().collect::<Vec<_>>().join(" "),
            path if path.starts_with("events/") => shown,
            _ => String::new(),
        };
        let shown = shown.trim_end();
        text.extend([
            &*path,
            ": ",
            &content.len().to_string(),
            " bytes\n",
            shown,
            "\n",
        ]);
    }
    text
}

/// A reader that comes before the writer sees a prefix of what was promised.
fn read_beside(disk: &SimulatedDisk, promise: &Promise) -> Result<(), String> {
    let prefix = Prefix::open(disk).map_err(|error| format!("no reader: {error}"))?;
    let all = promise.acknowledged.iter().chain(&promise.in_flight);
    let mut promised = all.filter(|line| !is_recovery(line));
    let mut is_prefix = true;
    prefix
        .read(prefix.size(), |_, event| {
            let is_recovery = event.what.kind().name == "recovery.recorded";
            is_prefix &= is_recovery || promised.next().is_some_and(|line| **line == *event.line());
        })
        .map_err(|error| format!("a reader is refused: {error}"))?;
    if is_prefix {
        Ok(())
    } else {
        Err("a reader sees what nobody appended".to_owned())
    }
}

/// Whether nothing of the promise is missing, and nothing else is there than
/// the batch that was on its way, whole, and records of recoveries.
fn keeps(promise: &Promise, lines: &[Arc<str>]) -> Result<(), String> {
    let acknowledged = &promise.acknowledged;
    if lines.len() < acknowledged.len() || lines[..acknowledged.len()] != **acknowledged {
        let n_kept = lines.iter().zip(acknowledged).take_while(|(a, b)| a == b);
        return Err(format!(
            "{} events were acknowledged, {} are there as they were",
            acknowledged.len(),
            n_kept.count()
        ));
    }
    let rest = &lines[acknowledged.len()..];
    let rest = rest
        .strip_prefix(promise.in_flight.as_slice())
        .unwrap_or(rest);
    match rest.iter().find(|line| !is_recovery(line)) {
        Some(line) => Err(format!("a part of a batch is there: {line}")),
        None => Ok(()),
    }
}

fn is_recovery(line: &str) -> bool {
    line.contains("\"kind\":\"recovery.recorded\"")
}

/// The lines of the segments, read without the code that is under test.
pub(crate) fn lines(contents: &[Content], layout: Layout) -> Result<Vec<Arc<str>>, String> {
    let segments: Vec<_> = contents
        .iter()
        .filter(|(path, _)| path.starts_with("events/"))
        .collect();
    let mut lines = Vec::new();
    for (number, (path, content)) in segments.iter().enumerate() {
        if **path != *format!("events/{number:06}.jsonl") {
            return Err(format!("{path} is out of place"));
        }
        let text = std::str::from_utf8(content).map_err(|error| error.to_string())?;
        if !text.is_empty() && !text.ends_with('\n') {
            return Err(format!("half a line stands in {path}"));
        }
        lines.extend(text.lines().map(Arc::from));
        let n_expected = (number + 1) * usize::try_from(layout.segment_lines()).unwrap();
        let is_last = number + 1 == segments.len();
        if !is_last && lines.len() != n_expected || is_last && n_expected <= lines.len() {
            return Err(format!("{path} has too many or too few lines"));
        }
    }
    Ok(lines)
}

fn bytes_of(lines: &[Arc<str>]) -> usize {
    lines.iter().map(|line| line.len() + 1).sum()
}

fn bytes_of_events(contents: &[Content]) -> usize {
    let events = contents
        .iter()
        .filter(|(path, _)| path.starts_with("events/"));
    events.map(|(_, content)| content.len()).sum()
}

/// A hash of files. Quick, because there are millions; a clash of two of them
/// would leave one of them out, and nothing else.
fn hash_of(contents: &[Content]) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut hash = 0;
    for bytes in contents
        .iter()
        .flat_map(|(path, content)| [path.as_bytes(), content])
    {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            hash = mix(hash, u64::from_le_bytes(*word));
        }
        for byte in rest {
            hash = mix(hash, u64::from(*byte));
        }
        hash = mix(hash, u64::try_from(bytes.len()).unwrap());
    }
    hash
}
