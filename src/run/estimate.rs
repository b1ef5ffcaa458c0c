use std::fmt;

use crate::canonical::Total;
use crate::event::{EventId, Name};
use crate::projection::{Projection, Resources};
use crate::run::talker::Talker;

/// How long a game is taken to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// The mean of the games that ended under the same protocol, rounded up.
    Typical {
        /// Plies a game.
        plies: u64,
        /// How many games that is the mean of.
        games: u64,
        /// The protocol.
        protocol: Name,
    },
    /// No game has ended under the protocol yet: as many plies as it allows.
    Cap {
        /// Plies a game.
        plies: u64,
    },
}

impl Length {
    /// How long games are under a protocol of this name with this cap.
    pub(crate) fn of(projection: &Projection, protocol: &Name, cap: u64) -> Self {
        let known = projection.systems.protocol_named(protocol);
        let (games, plies) = known.map_or((0, 0), |known| ended(projection, &known.id));
        if games == 0 {
            return Self::Cap { plies: cap };
        }
        Self::Typical {
            // A forfeit before the first move is no game of which nobody asks.
            plies: plies.div_ceil(games).min(cap).max(1),
            games,
            protocol: protocol.clone(),
        }
    }

    /// Plies a game.
    pub const fn plies(&self) -> u64 {
        match self {
            Self::Typical { plies, .. } | Self::Cap { plies } => *plies,
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = match self.plies() {
            1 => "1 ply".to_owned(),
            plies => format!("{plies} plies"),
        };
        match self {
            Self::Typical {
                games, protocol, ..
            } => write!(
                f,
                "{plies} a game, the mean of {games} that ended under {protocol}"
            ),
            Self::Cap { .. } => write!(
                f,
                "{plies} a game, the most that the protocol allows: none has ended under it here"
            ),
        }
    }
}

/// How many games ended under a protocol with a result, and their accepted moves.
fn ended(projection: &Projection, protocol: &EventId) -> (u64, u64) {
    let games = projection.games.iter();
    let ended = games.filter(|game| game.started.protocol == *protocol && game.result().is_some());
    ended.fold((0, 0), |(games, plies), game| {
        (games + 1, plies + game.accepted)
    })
}

/// What a player is expected to take. An estimate, and no bound: rejected answers
/// and failed requests come on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The player.
    pub name: String,
    /// Requests.
    pub calls: u64,
    /// Tokens of all prompts: characters / 4. Nothing where there are no prompts.
    pub prompt_tokens: Option<u64>,
    /// Tokens of all answers, where anything says how long one is.
    pub completion_tokens: Option<u64>,
    /// Where the length of an answer comes from.
    pub answers: Answers,
    /// US dollars of the prompts, where a price is saved.
    pub prompt_usd: Option<Total>,
    /// US dollars of prompts and answers, where both are known.
    pub usd: Option<Total>,
}

/// Where the length of an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// The mean of so many answers of the same system in the ledger.
    Mean(u64),
    /// The most that a parameter of the run file allows.
    Most(u64),
    /// Nothing says it.
    Unknown,
}

impl Answers {
    /// How long an answer of this player is, rounded up, and where that is from.
    fn of(projection: &Projection, talker: Talker<'_>) -> (Option<u64>, Self) {
        let name: Option<Name> = talker.name().parse().ok();
        let known = name.and_then(|name| projection.systems.system_named(&name));
        let took = known.map(|system: &crate::projection::System| &system.resources);
        let told = took.map(|took: &Resources| took.completion_tokens);
        match (told.filter(|told| 0 < told.reported), talker.answer_max()) {
            (Some(told), _) => {
                let mean = told.sum.div_ceil(told.reported);
                (Some(mean), Self::Mean(told.reported))
            }
            (None, Some(most)) => (Some(most), Self::Most(most)),
            (None, None) => (None, Self::Unknown),
        }
    }
}

/// Characters of English and of JSON that make a token, as a rule of thumb.
const CHARACTERS_A_TOKEN: u64 = 4;

impl Estimate {
    /// What so many calls with so many characters in all take.
    pub(crate) fn of(
        projection: &Projection,
        talker: Talker<'_>,
        calls: u64,
        n_characters: Option<u64>,
    ) -> Self {
        let (length, answers) = Answers::of(projection, talker);
        let prompt_tokens = n_characters.map(|count| count.div_ceil(CHARACTERS_A_TOKEN));
        let completion_tokens = length.map(|length| length.saturating_mul(calls));
        let (model, route) = talker.priced_as();
        let price = projection.costs.prices.newest(model, route);
        // What a correction took out is no price.
        let price = price.and_then(|price| price.counting.as_ref());
        let prompt_usd = price
            .zip(prompt_tokens)
            .map(|(price, tokens)| Total::of_tokens(tokens, price.prompt_usd_per_million));
        let answer_usd = price
            .zip(completion_tokens)
            .map(|(price, tokens)| Total::of_tokens(tokens, price.completion_usd_per_million));
        Self {
            name: talker.name().to_owned(),
            calls,
            prompt_tokens,
            completion_tokens,
            answers,
            prompt_usd,
            usd: prompt_usd
                .zip(answer_usd)
                .map(|(prompt, answer)| prompt + answer),
        }
    }
}
