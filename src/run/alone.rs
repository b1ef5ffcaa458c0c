use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a program said that ran alone.
#[derive(Debug)]
pub struct Alone {
    /// Its exit code; nothing where a signal ended it.
    pub code: Option<i32>,
    /// Whether the system kept it from every network. No command that only
    /// reads opens a socket; this makes sure of it.
    pub is_cut_off: bool,
    /// Its standard output.
    pub out: Vec<u8>,
    /// Its standard error.
    pub errors: Vec<u8>,
}

/// Takes a process out of every network but an empty one of its own.
const CUT_OFF: [&str; 3] = ["unshare", "--map-root-user", "--net"];
/// Where programs of the system are, whatever the environment says.
const PROGRAMS: &str = "/usr/local/bin:/usr/bin:/bin";

/// Runs a program to its end, without environment but for the path of the
/// system's programs, without input, and where the system allows it without a network.
///
/// # Errors
///
/// When it does not start.
pub fn run_alone(program: &Path, args: &[OsString]) -> io::Result<Alone> {
    let is_cut_off = bare(Path::new(CUT_OFF[0]))
        .args(&CUT_OFF[1..])
        .arg("true")
        .output()
        .is_ok_and(|tried| tried.status.success());
    let mut command = if is_cut_off {
        let mut command = bare(Path::new(CUT_OFF[0]));
        command.args(&CUT_OFF[1..]).arg(program);
        command
    } else {
        bare(program)
    };
    let done = command.args(args).output()?;
    Ok(Alone {
        code: done.status.code(),
        is_cut_off,
        out: done.stdout,
        errors: done.stderr,
    })
}

fn bare(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", PROGRAMS)
        .stdin(Stdio::null());
    command
}
