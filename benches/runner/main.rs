//! How many calls a run makes with many games at once, beside the most that its
//! server allows.
//!
//! `cargo bench --bench runner` plays 128 games, 64 at once, of models behind a
//! server on this machine that answers after 50 ms. `--timeline` says when they came.
//! `benches/README.md` explains
//! the rows.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../../tests/it/provider.rs"]
#[expect(dead_code, reason = "tests use the rest of it")]
mod provider;

use std::fmt::Write as _;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use scoresheet::canonical::{Clock, Time};
use scoresheet::ledger::{Disk, SystemKeys, Waivers, Writer, create};
use scoresheet::projection::Projection;
use scoresheet::run::{Entrant, Limits, PlayerPart, Record, RunFile, Tape, Tournament};

use crate::provider::{Act, Provider, completion};

const AT_ONCE: u32 = 64;
const GAMES: u64 = 128;
const PLIES: u32 = 60;
const ANSWER: Duration = Duration::from_millis(50);

/// What the clock of this machine says.
struct Wall;

impl Clock for Wall {
    fn now(&self) -> Time {
        let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
        Time::from_unix_ms(i64::try_from(since.as_millis()).unwrap()).unwrap()
    }
}

/// One of the legal moves of a request, another one each time. Nothing else of it is
/// read: what the server takes, the run does not get.
fn some_move(body: &[u8], before: usize) -> Act {
    const LEGAL: &[u8] = b"Your legal moves (UCI): ";
    let at = memchr::memmem::rfind(body, LEGAL).unwrap() + LEGAL.len();
    let legal = body[at..].split(|byte| *byte == b'\\').next().unwrap();
    let legal: Vec<_> = str::from_utf8(legal).unwrap().split(' ').collect();
    Act::After(
        ANSWER,
        Box::new(completion(legal[before * 7919 % legal.len()])),
    )
}

fn run_file(url: &str) -> RunFile {
    let mut text = format!(
        "cohort = \"bench\"\n\
         parallel = {AT_ONCE}\n\
         [preregistration]\n\
         evidence_status = \"pilot\"\n\
         hypothesis = \"calls are limited by their server\"\n\
         primary_endpoints = [\"calls a second\"]\n\
         stopping_rule = \"so many games\"\n\
         [protocol]\n\
         name = \"bench-rules\"\n\
         preset = \"chessbench-v3\"\n\
         ply_cap = {PLIES}\n"
    );
    for number in 0..12 {
        write!(
            text,
            "[[model]]\n\
             name = \"model-{number}\"\n\
             route = \"here\"\n\
             base_url = \"{url}\"\n\
             model = \"test/model-{number}\"\n\
             stream = false\n\
             context_window = 8000\n\
             output_tokens = 1000\n"
        )
        .unwrap();
    }
    RunFile::parse(text.as_bytes(), &Waivers::default()).unwrap()
}

/// The most memory that this process had, in MiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib / 1024
}

/// Returns how long as many threads as there are games take for these calls with
/// nothing else to do: what this machine lets anybody reach.
fn bare(url: &str, calls: u32) -> Duration {
    // About what a conversation has in the middle of a game.
    let body = format!("{}Your legal moves (UCI): e2e4\\n", "so far ".repeat(5_000));
    let agent = ureq::Agent::config_builder()
        .max_idle_connections(256)
        .max_idle_connections_per_host(256)
        .build()
        .new_agent();
    let began = Instant::now();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                for _ in 0..calls / AT_ONCE {
                    let sent = agent.post(url).send(body.as_bytes());
                    sent.unwrap().body_mut().read_to_vec().unwrap();
                }
            });
        }
    });
    began.elapsed()
}

/// Prints every quarter of a second how many calls came in it.
fn follow(provider: Arc<Provider>) {
    const STEP: Duration = Duration::from_millis(250);
    thread::spawn(move || {
        let mut before = 0;
        loop {
            thread::sleep(STEP);
            let count = provider.count();
            print!("{} ", count - before);
            before = count;
        }
    });
}

fn main() {
    let provider = Provider::forgetting(some_move);
    let file = run_file(&provider.url);
    let prompts = file.protocol(None, None).prompts;
    let entrants: Vec<_> = file
        .everybody()
        .into_iter()
        .map(|part| match part {
            PlayerPart::Model(part) => {
                Entrant::of_model(part, &prompts, &|_| None, &Tape::None).unwrap()
            }
            _ => unreachable!("there is nobody else"),
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::new(folder.path().join("ledger"));
    let by = file.by.clone();
    create(&disk, "bench".parse().unwrap(), Wall.now(), by.clone()).unwrap();
    let (writer, _) = Writer::open(&disk, Wall.now(), &by).unwrap();
    let record = Record::new(&disk, writer, Projection::default(), &Wall, by);
    let is_sealing = !std::env::args().any(|argument| argument == "--unsealed");
    let record = if is_sealing {
        record.sealing_with(&SystemKeys)
    } else {
        record
    };
    let limits = Limits {
        games: Some(GAMES),
        stop: &|| false,
    };
    let provider = Arc::new(provider);
    if std::env::args().any(|argument| argument == "--timeline") {
        follow(Arc::clone(&provider));
    }
    let began = Instant::now();
    let run = Tournament::open(record, &file, &entrants, "bench").unwrap();
    run.play(limits, &mut |_| ()).unwrap();
    let took = began.elapsed();
    let calls = u32::try_from(provider.count()).unwrap();
    let alone = bare(&format!("{}/chat/completions", provider.url), calls);
    let ideal = ANSWER * calls / AT_ONCE;
    println!(
        "the same calls with nothing else to do: {:.2} s, {:.1} % of the ideal rate",
        alone.as_secs_f64(),
        100.0 * ideal.as_secs_f64() / alone.as_secs_f64(),
    );
    println!(
        "{calls} calls in {:.2} s; at once {AT_ONCE}; ideal {:.2} s; {:.1} % of the ideal rate; peak {} MiB, the server's part included",
        took.as_secs_f64(),
        ideal.as_secs_f64(),
        100.0 * ideal.as_secs_f64() / took.as_secs_f64(),
        peak()
    );
}
