use crate::event::{EventId, Name, ScheduleCommitted, ScheduleRule};
use crate::projection::{Era, Projection};

impl Projection {
    /// Returns the schedule that admits a newcomer to an era now: against
    /// everyone who is ranked, in the order of rank positions. `registration`
    /// chooses which registration of an opponent sits down.
    ///
    /// # Errors
    ///
    /// Why it cannot be admitted.
    pub fn admission(
        &self,
        era: &Era,
        newcomer: EventId,
        cohort: Name,
        registration: impl Fn(&[EventId]) -> Option<EventId>,
    ) -> Result<ScheduleCommitted, &'static str> {
        if era.is_closed {
            return Err("the era is closed");
        }
        if !era.is_placed {
            return Err("its first batch is not complete, and only a ranked pool can be played");
        }
        let identity = self.identities.of_system(&newcomer);
        let identity = identity.ok_or("it is no registered system")?;
        if era.ladder.member(&identity).is_some() {
            return Err("its identity is on the ladder already");
        }
        if self.schedules.cohort(cohort.as_str()).is_some() {
            return Err("another cohort has the name of this one");
        }
        let mut systems = vec![newcomer];
        for standing in self.standings(era) {
            let opponent = self.identities.identity(&standing.identity);
            let registered = opponent.and_then(|opponent| registration(&opponent.systems));
            systems.push(registered.unwrap_or(standing.identity));
        }
        if systems.len() < 2 {
            return Err("nobody is ranked that it could play");
        }
        Ok(ScheduleCommitted {
            allocation: None,
            anchors: Vec::new(),
            starts: Vec::new(),
            cohort,
            era: Some(era.id),
            preregistration: None,
            protocol: era.started.protocol,
            rule: ScheduleRule::Newcomer,
            run_file: None,
            systems,
        })
    }
}
