//! Integration tests: one binary, one line a file.
//!
//! - `anchor_ladder`: opponents that follow from results, in memory and in runs
//! - `anchored`: our ratings against anchors beside those of others, and their laws
//! - `anchored_board`: the same on boards, in comparisons and in the index; who
//!   stands alone is moved by nobody
//! - `append`: what is taken in, what is refused, and that a refusal leaves no trace
//! - `at`: the world as a ledger stood at a size, a checkpoint or a day
//! - `arena`, `script`: a ledger with the program that plays in it, and engines
//!   for it that do what a test wants
//! - `arrows`, `homes`: who may name whom, and what lives where (`source` and
//!   `token` read the code for them)
//! - `audit`: what an audit leaves behind, in both modes, whatever it finds
//! - `bundle`, `story`: the smallest published project, and the events of it, for
//!   tests that damage copies
//! - `claims`: what is claimed, from its tables to a release and back
//! - `corrections`: what a correction changes, and that it can be taken back;
//!   `correct`: the command that records one
//! - `committed`: the evidence of this repository, damaged byte by byte
//! - `money`: what things cost, a test a rule; `money_laws`: over any history
//!   (`book`: a ledger in memory for both); `cost_board`: the breakdown as people
//!   see it, and the commands that write about money
//! - `codes`: every code, and the smallest change that raises it
//! - `dry_runs`: what a dry run shows, beside what is sent
//! - `engine`: the UCI driver against programs that do what engines must not do
//! - `engine_files`: which files run when an engine does
//! - `engine_stockfish`: the UCI driver against a real engine
//! - `evidence`: a small ledger with a game of every ending, for the others
//! - `events`: what a line must be, its faults in words, its schemas and laws
//! - `export`: games as PGN, read back by other people's programs
//! - `imports`: games of others, whole or with what is wrong with them
//! - `index`: the SQLite index against boards, its page, and itself
//! - `failing`, `strace`: every call of the storage and of the system fails, once
//!   and for good
//! - `forgets`: a projection that forgets finds what one that remembers finds
//! - `freezes`: what is frozen, pinned and named, once and only as the ledger says
//! - `keys`: keys that sign in tests
//! - `fuzz`: inputs of strangers and some thousand mutations of them, under the
//!   laws of `harness`, which the fuzz targets run too
//! - `ladder`: the life of one, and what its commands and runs choose
//!   (`climb`: a small one); `ladder_chosen`: what was not chosen is found;
//!   `ladder_refused`: what cannot be; `ladder_killed`: the same, however often
//!   runs are killed; `ladder_people`: who plays, by account;
//!   `ladder_mixed`: programs and baselines on one
//! - `ledger`: what a ledger on a real disk promises
//! - `measure`: our ratings beside those of others; `measure_refused`: what a file
//!   of theirs may not look like
//! - `memories`: what a key has signed, by whatever name it is called
//! - `mortal`: a disk under a process that dies
//! - `private`: what is sealed, and what of it anybody can learn; `erase`: that it
//!   can be destroyed and nothing else can (`vault`: a game with private bodies)
//! - `notes`: signed notes and checkpoints to the byte
//! - `policy`: whom a policy trusts, and what it may look like
//! - `progress`: what a run tells of each game and puzzle
//! - `prompts`: what models are sent, case by case, and under which protocols
//! - `proofs`: inclusion and consistency, all of them to 300 leaves
//! - `proof_files`: proofs that are written, and checked without the ledger
//! - `puzzles`: how they are drawn, registered and judged, and their board
//! - `mounts`: a disk that is full, one that cannot be written, one of a network
//! - `mutations`: what people do to a release, and the code that says so
//! - `prefix`: reading on from what is known, beside reading all
//! - `producers`: many writers, killed at any moment, and readers beside them
//! - `oracle`: candidates in runs, and the record that they are taken from
//! - `oddities`: pipes, links and endless files in the place of files
//! - `program`: running the program as a person does
//! - `resume`: boards that go on from the snapshot in an index
//! - `recovery`: what refuses a writer and where, and what it takes in
//! - `reproduce`: it writes nothing and says the same everywhere
//! - `retried`: what was interrupted and is done again is durable
//! - `rows`: what stands in a database, as texts
//! - `run_file_schema`: the schema of run files beside who reads them
//! - `runs`: what comes of tournaments; `runs_killed`: the same, however often
//!   they are killed; `runs_mended`: what maintainers append in between;
//!   `runs_refused`: what is not played, and leaves no trace; `runs_silence`:
//!   no credential gets in or out
//! - `secret`, `secret_containers`, `secret_corpus`, `secrets_command`, `corpus`: what the scanner finds and what it leaves alone
//! - `shared`: one commit for many producers
//! - `show`: a game as its scoresheet
//! - `simulator`: crashes, on a disk in memory that loses whatever a disk may
//! - `signing`: keys, and checkpoints that they sign
//! - `submissions`: likely mistakes in words, hostile documents, and the example
//! - `supply`: licences and sources of what is built in
//! - `tour`: the sessions of the README
//! - `trip`: whatever is changed of a published project is refused and named
//! - `segments`: the same for a project with sealed segments
//! - `tablebase`: endgame tables beside python-chess, damaged ones, and what a
//!   ledger and its boards make of them
//! - `time`: a clock that runs backwards changes nothing but times
//! - `tablebase`: endgame tables beside python-chess, damaged ones, and what a
//!   ledger and its boards make of them
//! - `tiles`: a ledger as static tiles, read back by a client of its own
//! - `tool`: the programs that tests need
//! - `verifies`: what is named where something is wrong, and what is not blamed
//! - `waiver`: what looks like a credential, is none, and is said to be none
//! - `witness`: who cosigns, and what he remembers

#![expect(
    clippy::unwrap_used,
    reason = "the option for tests does not cover free functions"
)]

mod analysis;
mod anchor_fit;
mod anchor_ladder;
mod anchored;
mod anchored_board;
mod anchors;
mod append;
mod arena;
mod arrows;
mod asking;
mod at;
mod audit;
mod baselines;
mod book;
mod bundle;
mod cassettes;
mod chat;
mod claims;
mod climb;
mod codes;
mod committed;
mod compute;
mod corpus;
mod correct;
mod corrections;
mod cost_board;
mod cup;
mod doctor;
mod dry_runs;
mod engine;
mod engine_files;
mod engine_stockfish;
mod eras;
mod erase;
mod events;
mod evidence;
mod export;
mod failing;
mod figures;
mod forgets;
mod freezes;
mod fuzz;
mod generators;
mod grades;
mod harness;
mod homes;
mod imports;
mod index;
mod keys;
mod ladder;
mod ladder_chosen;
mod ladder_killed;
mod ladder_mixed;
mod ladder_people;
mod ladder_refused;
mod ledger;
mod measure;
mod measure_refused;
mod measurements;
mod memories;
mod models_killed;
mod money;
mod money_laws;
mod mortal;
mod mounts;
mod mutations;
mod notes;
mod oddities;
mod oracle;
mod packs;
mod parallel;
mod play;
mod policy;
mod position_runs;
mod prefix;
mod private;
mod producers;
mod program;
mod programs;
mod progress;
mod prompts;
mod proof_files;
mod proofs;
mod provider;
mod puzzle_runs;
mod puzzles;
mod recovery;
mod reproduce;
mod resume;
mod retried;
mod rows;
mod run_file_schema;
mod runs;
mod runs_killed;
mod runs_mended;
mod runs_refused;
mod runs_silence;
mod script;
mod secret;
mod secret_containers;
mod secret_corpus;
mod secrets_command;
mod segments;
mod shared;
mod show;
mod signing;
mod simulator;
mod source;
mod story;
mod strace;
mod submissions;
mod supply;
mod tablebase;
mod tiles;
mod time;
mod token;
mod tool;
mod tour;
mod trip;
mod vault;
mod verifies;
mod waiver;
mod witness;
