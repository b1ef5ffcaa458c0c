//! How calls, moves, expenses and bills change what everything costs.

use crate::canonical::{Day, Time};
use crate::event::{Billing, BillingCorrected, CostPart, EventId, Stage};
use crate::finding::{Code, Finding, Place};
use crate::projection::calls::Payer;
use crate::projection::costs::{Change, CostSeat};
use crate::projection::{Bill, Billed, CostGroup, CostSlot, GameState, Projection, Resources};

impl Projection {
    /// The identity that a system is, by which its costs go; an unregistered
    /// system goes by its own id.
    pub fn payer_of(&self, system: &EventId) -> EventId {
        self.identities.of_system(system).unwrap_or(*system)
    }

    /// Where the costs of this game belong; those of no game, or of one that is
    /// not there, belong to no part.
    pub fn cost_group(&self, game: Option<&EventId>) -> CostGroup {
        let game = game.and_then(|game| self.games.game(game));
        let Some(started) = game.map(|game| &game.started) else {
            return CostGroup::Outside;
        };
        match started.stage {
            Stage::Placement | Stage::Newcomer => CostGroup::Part(CostPart::Placement),
            Stage::Ladder | Stage::Manual | Stage::Anchored | Stage::Paired => {
                CostGroup::Part(CostPart::Continuous)
            }
            Stage::Human if started.billing == Some(Billing::Byok) => CostGroup::Byok,
            Stage::Human => CostGroup::Part(CostPart::Human),
        }
    }

    /// What a bill is about.
    pub fn billed(&self, corrected: &BillingCorrected) -> Billed {
        let system = corrected.system.as_ref();
        Billed {
            part: corrected.part,
            identity: system.map(|system| self.payer_of(system)),
            from: corrected.from,
            until: corrected.until,
        }
    }

    pub(crate) fn cost_seat(&self, payer: Payer) -> CostSeat {
        let system = self.systems.system(&payer.system);
        CostSeat {
            payer,
            group: self.cost_group(payer.game.as_ref()),
            identity: self.payer_of(&payer.system),
            is_billed: system.is_none_or(|system| system.registered.is_billed()),
        }
    }

    /// Adds to the totals of the system that asked, and of its seat in the game.
    /// What a person pays stays with the game and is in no total.
    pub(crate) fn charge(&mut self, payer: Payer, add: impl Fn(&mut Resources)) {
        let is_ours = self.cost_group(payer.game.as_ref()) != CostGroup::Byok;
        if let Some(total) = self.systems.resources_of(&payer.system) {
            let costs = (total.cost_usd, total.estimated_usd);
            add(total);
            if !is_ours {
                (total.cost_usd, total.estimated_usd) = costs;
            }
        }
        let game = payer.game.and_then(|game| self.games.game_mut(&game));
        if let Some(game) = game
            && let Some(color) = game.color_of(&payer.system)
        {
            add(game.resources.get_mut(color));
        }
    }

    /// Puts other figures of a call in the place of those that counted.
    pub(crate) fn change_cost(&mut self, change: &Change) {
        let Change { before, after, .. } = change;
        self.charge(change.payer, |total| total.replace(before, after));
    }

    /// Counts an answered attempt of a system in a game that goes on.
    pub(crate) fn count_attempt(&mut self, at: Time, game: &EventId, is_accepted: bool) {
        let mover = self.games.game(game).and_then(|game| {
            let is_playing = game.state == GameState::Playing;
            let mover = is_playing.then(|| game.seat(game.to_move()));
            self.identities.of_system(mover?)
        });
        if let Some(identity) = mover {
            let slot = CostSlot {
                day: Day::of(at),
                group: self.cost_group(Some(game)),
                identity: Some(identity),
            };
            self.costs.attempt(slot, is_accepted);
        }
    }

    /// Only the difference of a bill counts, and it must be that to what follows
    /// from the events before it.
    pub(crate) fn correct_bill(
        &mut self,
        id: EventId,
        index: u64,
        at: Time,
        corrected: &BillingCorrected,
    ) {
        let billed = self.billed(corrected);
        let recorded = self.costs.recorded(&billed);
        if recorded.money() != Some(corrected.recorded_usd) {
            self.findings.push(Finding::new(
                Code::BillingContradicted,
                Place::event(*id.digest()),
                format!("a recorded total of {}", recorded.rounded(18)),
                format!("one of {}", corrected.recorded_usd),
            ));
        }
        let bill = Bill {
            index,
            day: Day::of(at),
            identity: billed.identity,
            counting: Some(corrected.corrected_usd),
            corrected: corrected.clone(),
        };
        self.costs.bill(id, bill);
    }
}
