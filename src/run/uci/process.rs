use std::io::{self, ErrorKind, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::run::uci::deadline::Deadline;
use crate::run::uci::fault::quoted;
use crate::run::uci::lines::{Output, read_lines};
use crate::run::uci::{EngineFault, EngineSpec};

/// How often a silent engine is looked at for a sign of life.
const LOOK: Duration = Duration::from_millis(100);

/// How long a process may take to end once it has closed its output, was told
/// to quit, or was killed.
const GRACE: Duration = Duration::from_secs(1);

/// One running program and the process group that it leads.
///
/// The group is its own, so that an interrupt from the terminal reaches us and
/// not the engine in the middle of a turn. Ends with a kill when dropped.
///
/// BUG: a descendant that leaves the group on purpose (`setsid`) outlives us.
/// Closing that needs a control group, which takes privileges.
pub(crate) struct Process {
    child: Child,
    /// Sockets rather than pipes: a write to an engine that does not read can
    /// be given a time limit, and a read can be called off.
    input: Option<UnixStream>,
    output: UnixStream,
    lines: Receiver<Output>,
    is_killed: bool,
}

impl Process {
    /// Starts the program.
    ///
    /// # Errors
    ///
    /// [`EngineFault::NotStarted`] with the words of the operating system.
    pub(crate) fn start(spec: &EngineSpec) -> Result<Self, EngineFault> {
        Self::spawn(spec).map_err(|error| EngineFault::NotStarted {
            reason: quoted(&error.to_string()),
        })
    }

    fn spawn(spec: &EngineSpec) -> io::Result<Self> {
        let (input, their_input) = UnixStream::pair()?;
        let (output, their_output) = UnixStream::pair()?;
        let lines = read_lines(output.try_clone()?)?;
        // The command owns their ends; gone with it at the end of this
        // statement, so that the engine's end is the end of its output.
        let child = Command::new(spec.executable()?)
            .args(&spec.args)
            .env_clear()
            .envs(spec.environment.iter().map(|(name, value)| (name, value)))
            .process_group(0)
            .stdin(OwnedFd::from(their_input))
            .stdout(OwnedFd::from(their_output))
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self {
            child,
            input: Some(input),
            output,
            lines,
            is_killed: false,
        })
    }

    /// Sends one line.
    ///
    /// # Errors
    ///
    /// When the engine is gone, or takes nothing in until the deadline.
    pub(crate) fn send(&mut self, line: &str, deadline: &Deadline) -> Result<(), EngineFault> {
        let text = format!("{line}\n");
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let left = deadline.left()?;
            let Some(input) = &mut self.input else {
                return Err(self.gone(deadline));
            };
            let written = input
                .set_write_timeout(Some(left))
                .and_then(|()| input.write(rest));
            match written {
                Ok(count) => rest = &rest[count..],
                Err(error) => match error.kind() {
                    // The next round finds the time used up.
                    ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut => {}
                    _ => return Err(self.gone(deadline)),
                },
            }
        }
        Ok(())
    }

    /// Returns the next line that the engine writes.
    ///
    /// # Errors
    ///
    /// When none comes: the time is up, the line is too long, the output is
    /// closed, or the process has ended while another holds its output open.
    pub(crate) fn next_line(&mut self, deadline: &Deadline) -> Result<String, EngineFault> {
        let mut has_exited = false;
        loop {
            // First of all: an engine that never stops writing must not win
            // against the deadline.
            let left = deadline.left()?;
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(Output::Line(line)) => return Ok(line),
                Ok(Output::TooLong) => {
                    return Err(EngineFault::LineTooLong {
                        during: deadline.during,
                    });
                }
                // Its last words may still be on the way: once more.
                Err(RecvTimeoutError::Timeout) if !has_exited => has_exited = self.has_exited(),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Err(self.gone(deadline));
                }
            }
        }
    }

    /// Tells the engine to quit, waits for it up to a second, and kills what
    /// is left of its group.
    pub(crate) fn quit(&mut self) {
        if let Some(mut input) = self.input.take() {
            // An engine that takes nothing in is killed below.
            drop(
                input
                    .set_write_timeout(Some(LOOK))
                    .and_then(|()| input.write_all(b"quit\n")),
            );
        }
        let until = Instant::now() + GRACE;
        while Instant::now() < until && !self.has_exited() {
            // Its last lines are taken in, so that it does not hang on them.
            if self.lines.try_recv().is_err() {
                thread::sleep(Duration::from_millis(5));
            }
        }
        self.kill();
    }

    /// Kills the process group and reaps its leader. Returns how the leader
    /// ended, if it did.
    pub(crate) fn kill(&mut self) -> Option<ExitStatus> {
        if !self.is_killed {
            self.is_killed = true;
            // The leader is not reaped yet, so the number of the group cannot
            // have passed to anybody else.
            if kill_process_group(self.group(), Signal::KILL).is_err() {
                // No such group, or not ours: then the leader alone.
                drop(self.child.kill());
            }
            self.input = None;
            // Ends the reader, should a stray descendant keep the other end.
            drop(self.output.shutdown(Shutdown::Both));
            self.await_exit();
        }
        self.child.try_wait().ok().flatten()
    }

    /// Returns the fault of an engine that no longer listens or talks.
    fn gone(&mut self, deadline: &Deadline) -> EngineFault {
        self.await_exit();
        let during = deadline.during;
        let exited = self.has_exited();
        match self.kill() {
            Some(status) if exited => EngineFault::Exited { status, during },
            _ => EngineFault::PipeBroken { during },
        }
    }

    fn await_exit(&self) {
        let until = Instant::now() + GRACE;
        while Instant::now() < until && !self.has_exited() {
            thread::sleep(Duration::from_millis(5));
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

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
