//! Running the program as a person does.

use std::path::Path;
use std::process::Command;

/// What the program said, and how it ended.
pub(crate) struct Outcome {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

/// Runs the program on a ledger with these arguments.
pub(crate) fn scoresheet(ledger: &Path, args: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .arg("--ledger")
        .arg(ledger)
        .args(args)
        .output()
        .unwrap();
    Outcome {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// Runs the program, which must succeed in silence, and returns what it printed.
pub(crate) fn printed(ledger: &Path, args: &[&str]) -> String {
    let outcome = scoresheet(ledger, args);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{args:?}");
    outcome.stdout
}
