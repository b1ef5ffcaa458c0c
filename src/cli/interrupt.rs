use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::cli::error::CliError;

/// Whether someone asked this process to stop.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C and a termination. The first one only asks; the second
    /// ends the process as if nobody listened.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn listen() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds nothing asked yet.
            flag::register_conditional_default(signal, Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self(asked))
    }

    /// Listens for nothing: a signal ends the process as it always does.
    pub(crate) fn deaf() -> Self {
        Self(Arc::default())
    }

    /// Whether it was asked before anything was played.
    ///
    /// # Errors
    ///
    /// It was: nothing is written then.
    pub(crate) fn refuse(&self) -> Result<(), CliError> {
        if self.is_asked() {
            return Err(CliError::Input(
                "told to stop before anything was played: nothing was written; run again to start"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Whether it was asked.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
