//! What calls and games took: calls, tokens, and times that are never added.

use crate::canonical::Count;
use crate::event::{CallAnswered, CallTime};
use crate::projection::durations::Durations;
use crate::projection::tally::Tally;

/// Time of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTime {
    /// Games that ended, aborted ones included, and that go on.
    pub games: u64,
    /// Milliseconds from the first event of a game to its last, pauses included.
    pub wall_ms: u64,
    /// Milliseconds in which a worker was at the game. Five games side by side for
    /// an hour are five worker-hours.
    pub worker_ms: u64,
}

/// What a system's calls and games took.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Its games.
    pub games: GameTime,
    /// Calls that were answered.
    pub answered: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Calls that asked the same once more, after a failure.
    pub again: u64,
    /// Prompt tokens, cached ones included, over answered calls.
    pub prompt: Tally<u64>,
    /// Prompt tokens that came from a cache.
    pub cached: Tally<u64>,
    /// Completion tokens, reasoning included.
    pub completion: Tally<u64>,
    /// Tokens of reasoning.
    pub reasoning: Tally<u64>,
    /// Nodes that an engine reports.
    pub nodes: Tally<u64>,
    /// From the request, without our queue, to the first token, over answered calls
    /// that say it.
    pub first_token: Durations,
    /// From the first token to the whole answer, over the same calls.
    pub completing: Durations,
    /// From the request, without our queue, to the whole answer or the failure: what
    /// the provider, or the engine, took.
    pub replying: Durations,
    /// In a queue of ours: waits that our own rate limit asked for.
    pub queue: Durations,
}

impl GameTime {
    pub(crate) fn join(&mut self, other: Self) {
        self.games += other.games;
        self.wall_ms = self.wall_ms.saturating_add(other.wall_ms);
        self.worker_ms = self.worker_ms.saturating_add(other.worker_ms);
    }
}

impl Work {
    pub(crate) fn join(&mut self, other: &Self) {
        self.games.join(other.games);
        self.answered += other.answered;
        self.failed += other.failed;
        self.again += other.again;
        let tallies = [
            (&mut self.prompt, &other.prompt),
            (&mut self.cached, &other.cached),
            (&mut self.completion, &other.completion),
            (&mut self.reasoning, &other.reasoning),
            (&mut self.nodes, &other.nodes),
        ];
        for (mine, others) in tallies {
            mine.join(others);
        }
        self.first_token.join(&other.first_token);
        self.completing.join(&other.completing);
        self.replying.join(&other.replying);
        self.queue.join(&other.queue);
    }

    /// Prompt, cached, completion and reasoning tokens, and nodes.
    pub const fn tallies(&self) -> [&Tally<u64>; 5] {
        [
            &self.prompt,
            &self.cached,
            &self.completion,
            &self.reasoning,
            &self.nodes,
        ]
    }

    pub(crate) fn take_answered(&mut self, answered: &CallAnswered) {
        self.answered += 1;
        let known = |count: Option<Count>| count.map(Count::get);
        let tokens = answered.tokens;
        self.prompt.take(known(tokens.and_then(|of| of.prompt)));
        self.cached.take(known(tokens.and_then(|of| of.cached)));
        self.completion
            .take(known(tokens.and_then(|of| of.completion)));
        self.reasoning
            .take(known(tokens.and_then(|of| of.reasoning)));
        let engine = answered.engine;
        self.nodes.take(known(engine.and_then(|of| of.nodes)));
    }

    pub(crate) fn take_time(&mut self, time: Option<CallTime>, is_answered: bool) {
        let Some(time) = time else { return };
        let queue = time.queue_ms.map_or(0, Count::get);
        let reply = time.total_ms.get().saturating_sub(queue);
        self.queue.take(queue);
        self.replying.take(reply);
        if let Some(first) = time.first_token_ms.filter(|_| is_answered) {
            self.first_token.take(first.get());
            self.completing.take(reply.saturating_sub(first.get()));
        }
    }
}
