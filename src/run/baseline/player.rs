use std::sync::Arc;
use std::time::Instant;

use crate::run::baseline::random::chosen;
use crate::run::baseline::script::Script;
use crate::run::player::{Answered, Player, Reply, Request, Took};

/// A rule that chooses moves.
#[derive(Clone, Debug)]
pub enum Baseline {
    /// By chance, from this seed.
    Random(String),
    /// As written down.
    Scripted(Script),
}

/// A baseline in its seat.
pub(crate) struct BaselinePlayer(Arc<Baseline>);

impl BaselinePlayer {
    pub(crate) const fn new(baseline: Arc<Baseline>) -> Self {
        Self(baseline)
    }
}

impl Player for BaselinePlayer {
    fn ask(&mut self, request: &Request) -> Reply {
        let asked = Instant::now();
        let text = match &*self.0 {
            Baseline::Random(seed) => chosen(seed, request),
            Baseline::Scripted(script) => script.answer(request),
        };
        Reply::Answered(Box::new(Answered {
            text,
            time: Took::since(asked),
            ..Answered::default()
        }))
    }
}
