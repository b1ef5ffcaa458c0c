//! The scanner for secrets beside one bare pass of aho-corasick over the same
//! bytes in the same run, and on text that was made to be slow. One thread.
//!
//! `cargo bench --bench secrets` takes 200 MB; `-- --megabytes N` another size.
//! `benches/README.md` explains the rows.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(
    clippy::cast_precision_loss,
    reason = "rates are shown in whole megabytes"
)]

mod text;

use std::hint::black_box;
use std::time::Instant;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use scoresheet::secret::{Scanner, inspect};

/// How many things it finds in a file.
type Work<'a> = &'a dyn Fn(&[u8]) -> usize;

const ROUNDS: usize = 3;
/// So long is one file.
const FILE: usize = 1 << 20;
const HOSTILE: usize = 4 << 20;

fn main() {
    let megabytes = argument("--megabytes").map_or(200, |n| n.parse().unwrap());
    let text = text::mixed(megabytes * 1_000_000);
    let scanner = Scanner::shared();
    let bare = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(Scanner::keywords())
        .unwrap();
    let scan = |bytes: &[u8]| scanner.scan(bytes);
    let works: [(&str, Work<'_>); 4] = [
        ("bare aho-corasick", &|file| {
            bare.find_overlapping_iter(file).count()
        }),
        ("without decoders", &|file| scanner.scan_plain(file).len()),
        ("with decoders", &|file| scanner.scan(file).len()),
        ("with everything", &|file| {
            inspect(file, &scan).sightings.len()
        }),
    ];
    let mut seconds = [const { Vec::new() }; 4];
    let mut found = [0; 4];
    for _ in 0..ROUNDS {
        for (at, (_, work)) in works.iter().enumerate() {
            let began = Instant::now();
            found[at] = text.chunks(FILE).map(work).sum();
            seconds[at].push(began.elapsed().as_secs_f64());
        }
    }
    let rates = seconds.map(|mut seconds| {
        seconds.sort_by(f64::total_cmp);
        text.len() as f64 / 1e6 / seconds[ROUNDS / 2]
    });
    println!(
        "{:<20} {:>8} {:>8} {:>10}",
        "work", "MB/s", "ratio", "found"
    );
    for (at, (name, _)) in works.iter().enumerate() {
        let ratio = rates[at] / rates[0];
        println!(
            "{name:<20} {:>8.0} {ratio:>8.2} {:>10}",
            rates[at], found[at]
        );
    }
    println!("\n{:<40} {:>8}", "hostile", "MB/s");
    for unit in text::HOSTILE {
        let text = unit.repeat(HOSTILE / unit.len());
        let began = Instant::now();
        black_box(inspect(&text, &scan));
        let rate = text.len() as f64 / 1e6 / began.elapsed().as_secs_f64();
        println!("{:<40} {rate:>8.1}", unit.escape_ascii().to_string());
    }
}

fn argument(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}
