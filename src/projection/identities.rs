use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::{
    Assistance, BaselineIdentity, EventId, NamedValue, SearchLimit, SystemRegistered,
};
use crate::finding::{Code, Finding, Place};

/// What a ladder rates: a model version with one thinking setup, whatever
/// runs it. Many registered systems may be one identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The id of its first registration, by which it goes.
    pub id: EventId,
    /// The position of that registration in the ledger.
    pub index: u64,
    /// Its registrations, in the order of the ledger.
    pub systems: Vec<EventId>,
    /// Whether it plays.
    pub status: Status,
}

/// Whether an identity plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Status {
    /// It plays.
    Active,
    /// It keeps its rank position and does not play.
    Paused,
    /// It left the ladder; its history stands.
    Retired,
    /// It left the first batch of games, and its games no longer count there.
    Withdrawn,
}

impl Status {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Retired => "retired",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Whether it has left the ladder.
    pub const fn has_left(self) -> bool {
        matches!(self, Self::Retired | Self::Withdrawn)
    }
}

/// What a registration must share with another to be the same identity.
///
/// The version and the thinking setup are here. The files that run, the
/// prompts and the route are not: they belong to the registered system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Key {
    Engine {
        name: String,
        net: Option<String>,
        arguments: Vec<String>,
        options: Vec<NamedValue>,
        limit: SearchLimit,
        assistance: Assistance,
    },
    Model {
        requested_model: String,
        reasoning_effort: Option<String>,
        parameters: Vec<NamedValue>,
        /// The command and the arguments of a program that stands between: what it
        /// makes of a model is another player.
        program: Option<(String, Vec<String>)>,
        assistance: Assistance,
    },
    Baseline(BaselineIdentity),
}

impl Key {
    fn of(system: &SystemRegistered) -> Option<Self> {
        let assistance = system.assistance;
        if let Some(baseline) = &system.baseline {
            return Some(Self::Baseline(baseline.clone()));
        }
        match (&system.engine, &system.model) {
            (Some(engine), _) => Some(Self::Engine {
                name: engine.name.clone(),
                net: engine.net.clone(),
                arguments: engine.arguments.clone(),
                options: engine.options.clone(),
                limit: engine.limit,
                assistance,
            }),
            (None, Some(model)) => Some(Self::Model {
                requested_model: model.requested_model.clone(),
                reasoning_effort: model.reasoning_effort.clone(),
                parameters: model.parameters.clone(),
                program: model.program.as_ref().map(|program| {
                    let command = program.files.first();
                    let command = command.map_or_else(String::new, |file| file.name.clone());
                    (command, program.arguments.clone())
                }),
                assistance,
            }),
            (None, None) => None,
        }
    }
}

/// Whether two systems would be one identity: the same model version with the
/// same thinking setup, or the same engine with its net, options and limit.
pub fn is_same_identity(one: &SystemRegistered, other: &SystemRegistered) -> bool {
    let key = Key::of(one);
    key.is_some() && key == Key::of(other)
}

/// All identities, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identities {
    by_id: BTreeMap<EventId, Identity>,
    #[serde(with = "crate::projection::pairs")]
    by_key: BTreeMap<Key, EventId>,
    of_system: BTreeMap<EventId, EventId>,
}

impl Identities {
    /// The identity with this id.
    pub fn identity(&self, id: &EventId) -> Option<&Identity> {
        self.by_id.get(id)
    }

    /// The id of the identity that this registered system is.
    pub fn of_system(&self, system: &EventId) -> Option<EventId> {
        self.of_system.get(system).copied()
    }

    /// The id of the identity that would register like this, where there is one.
    pub fn of_registration(&self, system: &SystemRegistered) -> Option<EventId> {
        self.by_key.get(&Key::of(system)?).copied()
    }

    /// The identities, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Identity> {
        self.by_id.values()
    }

    /// Whether an identity plays. One that is not there does not.
    pub fn status(&self, id: &EventId) -> Status {
        self.by_id
            .get(id)
            .map_or(Status::Retired, |identity| identity.status)
    }

    pub(crate) fn register(&mut self, system: EventId, index: u64, registered: &SystemRegistered) {
        // An event says one or the other; its own check sees to that.
        let Some(key) = Key::of(registered) else {
            return;
        };
        let id = *self.by_key.entry(key).or_insert(system);
        self.of_system.insert(system, id);
        let identity = self.by_id.entry(id).or_insert_with(|| Identity {
            id,
            index,
            systems: Vec::new(),
            status: Status::Active,
        });
        identity.systems.push(system);
    }

    /// Gives an identity another status; says what is wrong with it. Returns
    /// the identity where it changed.
    pub(crate) fn change(
        &mut self,
        event: EventId,
        system: &EventId,
        to: Status,
    ) -> Result<EventId, Option<Finding>> {
        // A system that is not there is a dangling reference, which `verify` names.
        let id = self.of_system.get(system).ok_or(None)?;
        let identity = self.by_id.get_mut(id).ok_or(None)?;
        let may_follow = match to {
            Status::Paused => identity.status == Status::Active,
            Status::Active => identity.status != Status::Active,
            Status::Retired | Status::Withdrawn => !identity.status.has_left(),
        };
        if may_follow {
            identity.status = to;
            Ok(identity.id)
        } else {
            Err(Some(Finding::new(
                Code::StatusContradicted,
                Place::event(*event.digest()),
                format!("a system that may become {}", to.as_str()),
                format!("one that is {}", identity.status.as_str()),
            )))
        }
    }
}
