use std::collections::BTreeSet;

use crate::canonical::Time;
use crate::event::{CallSent, Event, EventId, Name, Verified, What};
use crate::submission::Window;

/// What the calls of one system in one cohort show that no figure keeps: when they
/// were made, and which models say that they answered.
#[derive(Clone, Debug)]
pub struct Observed {
    cohort: Name,
    system: EventId,
    schedule: Option<EventId>,
    games: BTreeSet<EventId>,
    calls: BTreeSet<EventId>,
    first: Option<Time>,
    last: Option<Time>,
    models: Vec<String>,
}

impl Observed {
    /// Begins to observe a system in a cohort.
    pub const fn new(cohort: Name, system: EventId) -> Self {
        Self {
            cohort,
            system,
            schedule: None,
            games: BTreeSet::new(),
            calls: BTreeSet::new(),
            first: None,
            last: None,
            models: Vec::new(),
        }
    }

    /// Whether an event can show anything of any system.
    pub const fn is_of_interest(event: &Event) -> bool {
        matches!(
            event.what,
            What::ScheduleCommitted(_)
                | What::GameStarted(_)
                | What::CallSent(_)
                | What::CallAnswered(_)
                | What::CallFailed(_)
        )
    }

    /// Takes in the next event of the ledger.
    pub fn take(&mut self, event: &Verified<Event>) {
        match &event.what {
            What::ScheduleCommitted(committed) if committed.cohort == self.cohort => {
                self.schedule = Some(event.id());
            }
            What::GameStarted(started) => {
                let schedule = started.cell.map(|cell| cell.schedule);
                if schedule.is_some() && schedule == self.schedule {
                    self.games.insert(event.id());
                }
            }
            What::CallSent(sent) if self.is_ours(sent) => {
                self.calls.insert(event.id());
                self.see(event.at);
            }
            What::CallAnswered(answered) if self.calls.contains(&answered.call) => {
                self.see(event.at);
                if let Some(model) = &answered.returned_model
                    && !self.models.contains(model)
                {
                    self.models.push(model.clone());
                }
            }
            What::CallFailed(failed) if self.calls.contains(&failed.call) => self.see(event.at),
            _ => {}
        }
    }

    /// Whether a call is of the system, in a game of the cohort.
    fn is_ours(&self, sent: &CallSent) -> bool {
        let game = sent.game.as_ref();
        sent.system == self.system && game.is_some_and(|game| self.games.contains(game))
    }

    fn see(&mut self, at: Time) {
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = Some(self.last.map_or(at, |last| last.max(at)));
    }

    /// When the calls were made; nothing where there were none.
    pub fn window(&self) -> Option<Window> {
        Some(Window {
            from: self.first?,
            until: self.last?,
        })
    }

    /// The models that answered, as the answers name them, in the order in which they
    /// came up; nothing where no answer names one.
    pub fn returned_models(&self) -> Option<String> {
        (!self.models.is_empty()).then(|| self.models.join(", "))
    }
}
