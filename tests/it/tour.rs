//! The sessions of README and guides, run as a reader would: in a fresh folder,
//! one after the other, by a shell. A code block marked `console` is a session:
//! lines after `$ ` (and `> ` for their continuation) are typed, the rest is
//! what must appear. `[..]` stands for anything in a line, `...` for any lines,
//! `? 1` for the exit code where it is not 0.

use std::path::Path;
use std::process::Command;

/// One command of a session, and what a reader is told to see.
#[derive(Debug, Default, PartialEq, Eq)]
struct Step {
    typed: String,
    seen: String,
    exit: i32,
}

fn sessions(markdown: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut in_session = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            in_session = line == "```console";
        }
        if !in_session || line.starts_with("```") {
            continue;
        }
        if let Some(typed) = line.strip_prefix("$ ") {
            steps.push(Step {
                typed: format!("{typed}\n"),
                ..Step::default()
            });
        } else if let Some(step) = steps.last_mut() {
            // Editors strip the blank behind a mark on an empty line.
            let typed = line.strip_prefix("> ").or((line == ">").then_some(""));
            if let Some(typed) = typed.filter(|_| step.seen.is_empty()) {
                step.typed.extend([typed, "\n"]);
            } else if let Some(exit) = line.strip_prefix("? ") {
                step.exit = exit.parse().unwrap();
            } else {
                step.seen.extend([line, "\n"]);
            }
        }
    }
    steps
}

fn run(document: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_scoresheet"));
    let path = format!(
        "{}:{}:/usr/games",
        program.parent().unwrap().display(),
        crate::tool::environment("PATH")
            .unwrap_or_default()
            .display()
    );
    let steps = sessions(&std::fs::read_to_string(document).unwrap());
    assert!(!steps.is_empty(), "{} has no session", document.display());
    for step in steps {
        let done = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{}", step.typed)])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let seen = String::from_utf8(done.stdout).unwrap();
        assert_eq!(
            done.status.code(),
            Some(step.exit),
            "$ {}{seen}",
            step.typed
        );
        snapbox::Assert::new().eq(
            format!("$ {}{seen}", step.typed),
            format!("$ {}{}", step.typed, step.seen),
        );
    }
}

#[test]
fn the_sessions_of_the_readme_run_as_they_are_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
}

#[test]
fn the_session_of_the_guide_to_run_files_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/run-file.md"));
}

#[test]
fn the_session_of_the_guide_to_programs_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/programs.md"));
}

#[test]
fn the_session_of_the_guide_to_the_ladder_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ladder.md"));
}

#[test]
fn the_session_of_the_guide_to_anchors_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/anchored.md"));
}

#[test]
fn the_session_of_the_guide_to_models_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/models.md"));
}

#[test]
fn the_session_of_the_guide_to_cassettes_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cassettes.md"));
}

#[test]
fn the_sessions_of_the_guide_to_private_bodies_run_as_they_are_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/private.md"));
}

#[test]
fn the_sessions_of_the_guide_to_proofs_run_as_they_are_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/proofs.md"));
}

#[test]
fn the_session_of_the_guide_to_costs_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/costs.md"));
}

#[test]
fn the_session_of_the_guide_to_corrections_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/corrections.md"));
}

#[test]
fn the_sessions_of_the_guide_to_claims_run_as_they_are_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/claims.md"));
}

#[test]
fn the_session_of_the_page_on_durability_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/durability.md"));
}

#[test]
fn the_session_of_the_guide_to_measures_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/measure.md"));
}

#[test]
fn the_session_of_the_guide_to_ratings_against_anchors_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/measure-anchored.md"));
}

#[test]
fn the_session_of_the_guide_to_puzzles_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/puzzles.md"));
}

#[test]
fn the_session_of_the_guide_to_positions_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/positions.md"));
}

#[test]
fn the_session_of_the_guide_to_prompts_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/prompts.md"));
}

#[test]
fn a_session_is_read_as_a_reader_reads_it() {
    let markdown =
        "text\n```sh\n$ not this\n```\n```console\n$ cat <<E\n> a\n> E\na\n$ false\n? 1\n```\n";
    let step = |typed: &str, seen: &str, exit| Step {
        typed: typed.to_owned(),
        seen: seen.to_owned(),
        exit,
    };
    assert_eq!(
        sessions(markdown),
        [step("cat <<E\na\nE\n", "a\n", 0), step("false\n", "", 1)]
    );
}

#[test]
fn the_session_of_the_guide_to_submissions_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/submission.md"));
}

#[test]
fn the_session_of_the_guide_to_imports_runs_as_it_is_printed() {
    run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/import.md"));
}
