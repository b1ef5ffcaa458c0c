//! Engines and baselines play here, and are on the tape all the same: an engine of
//! limited strength, or one that stops by the clock, does not answer twice alike.

use serde::{Deserialize, Serialize};

use crate::canonical;
use crate::digest::Digest;
use crate::event::{EngineReport, Name};
use crate::run::cassette::{Asked, Head, Tape, Whose};
use crate::run::player::{Answered, Player, Reply, Request};

/// A player on a tape that sends nothing anywhere.
pub(crate) struct Local {
    pub(crate) player: Box<dyn Player>,
    pub(crate) name: Name,
    /// The digest of all that it is registered as.
    pub(crate) system: Digest,
    pub(crate) tape: Tape,
}

/// What is kept of its answer.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<EngineReport>,
    text: String,
}

impl Player for Local {
    fn ask(&mut self, request: &Request) -> Reply {
        let Self {
            player,
            name,
            system,
            tape,
        } = self;
        let asked = || Asked::position(name.as_str(), system, request);
        let live = || {
            let reply = player.ask(request);
            let head = Head {
                body: kept(&reply),
                ..Head::default()
            };
            (reply, head)
        };
        tape.ask(Whose::of(request), asked, live, &answer_in)
    }
}

fn kept(reply: &Reply) -> Option<Vec<u8>> {
    let Reply::Answered(answered) = reply else {
        return None;
    };
    let kept = Kept {
        engine: answered.engine,
        text: answered.text.clone(),
    };
    canonical::write(&kept).ok().map(String::into_bytes)
}

fn answer_in(body: &[u8], _: Option<&str>) -> Option<Answered> {
    let kept: Kept = canonical::parse(body).ok()?;
    Some(Answered {
        text: kept.text,
        engine: kept.engine,
        ..Answered::default()
    })
}
