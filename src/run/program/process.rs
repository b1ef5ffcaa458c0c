use std::io::{self, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::run::program::ProgramSpec;

/// The longest reply, in bytes.
pub(crate) const REPLY_MAX: usize = 1 << 23;

/// How much of what it says on standard error is held: its last bytes.
const STDERR_HELD: usize = 1 << 14;

/// How often a program is looked at for a sign of its end.
const LOOK: Duration = Duration::from_millis(20);

/// How long its output may stay open after it has ended.
const GRACE: Duration = Duration::from_secs(1);

/// How a program ended.
pub(crate) enum End {
    /// By itself, with this.
    Exited(ExitStatus),
    /// It was not started, for this reason.
    NotStarted(io::Error),
    /// It was killed when its time was up.
    Late,
    /// It was killed when it had written too much.
    TooMuch,
    /// Its output stayed open when it had ended, and its system told no more.
    Open,
}

/// What came of a program.
pub(crate) struct Outcome {
    pub(crate) end: End,
    /// What it wrote to standard output.
    pub(crate) output: Vec<u8>,
    /// The last of what it wrote to standard error.
    pub(crate) last_words: Vec<u8>,
}

/// Starts a program, lets it read `input`, and waits until it has ended or its time
/// is up. Its whole process group is gone then.
///
/// The group is its own, so that an interrupt from the terminal reaches us and not
/// the program in the middle of a turn.
///
/// BUG: a descendant that leaves the group on purpose (`setsid`) outlives us, and a
/// program outlives a runner that is killed. Closing that needs a control group.
pub(crate) fn run(spec: &ProgramSpec, input: Vec<u8>, deadline: Duration) -> Outcome {
    let until = Instant::now() + deadline;
    let (child, streams) = match spawn(spec) {
        Ok(spawned) => spawned,
        Err(error) => {
            return Outcome {
                end: End::NotStarted(error),
                output: Vec::new(),
                last_words: Vec::new(),
            };
        }
    };
    let (stdin, stdout, stderr) = streams;
    thread::spawn(move || feed(stdin, &input));
    let (done, output) = channel();
    thread::spawn(move || drop(done.send(read_reply(stdout))));
    let last_words = Arc::new(Mutex::new(Vec::new()));
    let (heard, is_over) = channel::<()>();
    let tail = Arc::clone(&last_words);
    thread::spawn(move || {
        keep_last(stderr, &tail);
        drop(heard);
    });
    let mut running = Running {
        child,
        is_reaped: false,
    };
    let (end, output) = running.wait(&output, until);
    running.kill();
    // What was on the way to standard error has a moment to arrive.
    let _ = is_over.recv_timeout(GRACE);
    let last_words = last_words.lock().unwrap_or_else(PoisonError::into_inner);
    Outcome {
        end,
        output,
        last_words: last_words.clone(),
    }
}

type Streams = (ChildStdin, ChildStdout, ChildStderr);

fn spawn(spec: &ProgramSpec) -> io::Result<(Child, Streams)> {
    let passed = spec.passed.iter();
    let mut child = Command::new(&spec.program)
        .args(&spec.args)
        .env_clear()
        .envs(spec.environment.iter().map(|(name, value)| (name, value)))
        .envs(passed.map(|one| (one.name(), one.value())))
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(stdin), Some(stdout), Some(stderr)) => Ok((child, (stdin, stdout, stderr))),
        _ => Err(io::Error::other("it has no standard streams")),
    }
}

/// A program that does not read is no trouble: perhaps it needs nothing of it.
fn feed(mut stdin: ChildStdin, input: &[u8]) {
    drop(stdin.write_all(input));
}

/// Reads to the end, or one byte more than a reply may have.
fn read_reply(stdout: ChildStdout) -> Vec<u8> {
    let mut reply = Vec::new();
    let limit = u64::try_from(REPLY_MAX).unwrap_or(u64::MAX) + 1;
    // What was read before an error stands, and is no whole reply.
    drop(stdout.take(limit).read_to_end(&mut reply));
    reply
}

/// Reads to the end, and keeps the last bytes.
fn keep_last(mut stderr: ChildStderr, tail: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut chunk) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&chunk[..count]);
        let beyond = tail.len().saturating_sub(STDERR_HELD);
        tail.drain(..beyond);
    }
}

/// A program, and the process group that it leads.
struct Running {
    child: Child,
    is_reaped: bool,
}

impl Running {
    /// Waits for the reply and the end, whichever comes later.
    fn wait(&mut self, output: &Receiver<Vec<u8>>, until: Instant) -> (End, Vec<u8>) {
        let mut reply: Option<Vec<u8>> = None;
        let mut ended: Option<Instant> = None;
        loop {
            let now = Instant::now();
            if until <= now && ended.is_none() {
                return (End::Late, reply.unwrap_or_default());
            }
            if ended.is_none() && self.has_exited() {
                ended = Some(now);
            }
            match (&mut reply, ended) {
                (Some(reply), Some(_)) => {
                    let reply = std::mem::take(reply);
                    return (self.exit(), reply);
                }
                (Some(_), None) => thread::sleep(LOOK.min(until - now)),
                (None, Some(ended)) if GRACE <= now - ended => return (End::Open, Vec::new()),
                (None, _) => match output.recv_timeout(LOOK) {
                    Ok(read) if REPLY_MAX < read.len() => return (End::TooMuch, Vec::new()),
                    Ok(read) => reply = Some(read),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return (End::Open, Vec::new()),
                },
            }
        }
    }

    fn exit(&mut self) -> End {
        // The group goes before the leader is reaped: its number is still its own.
        self.kill_group();
        self.is_reaped = true;
        match self.child.wait() {
            Ok(status) => End::Exited(status),
            Err(_) => End::Open,
        }
    }

    fn kill(&mut self) {
        if !self.is_reaped {
            self.is_reaped = true;
            self.kill_group();
            drop(self.child.wait());
        }
    }

    fn kill_group(&mut self) {
        if kill_process_group(self.group(), Signal::KILL).is_err() {
            // No such group, or not ours: then the leader alone.
            drop(self.child.kill());
        }
    }

    /// Whether the leader has ended; leaves it to be reaped.
    fn has_exited(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is no such child any more.
        !matches!(waitid(WaitId::Pid(self.group()), look), Ok(None))
    }

    fn group(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}
