use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::{EventId, Name, ProtocolPublished, SystemRegistered};
use crate::finding::{Code, Finding, Place};
use crate::projection::Resources;

/// A registered system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct System {
    /// The id of its registration.
    pub id: EventId,
    /// The position of its registration in the ledger.
    pub index: u64,
    /// What it is.
    pub registered: SystemRegistered,
    /// What all its calls took, in games and outside.
    pub resources: Resources,
}

/// A published protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocol {
    /// The id of its publication.
    pub id: EventId,
    /// Its rules.
    pub published: ProtocolPublished,
}

/// All systems and protocols, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Systems {
    systems: BTreeMap<EventId, System>,
    protocols: BTreeMap<EventId, Protocol>,
}

impl Systems {
    /// The system with this id.
    pub fn system(&self, id: &EventId) -> Option<&System> {
        self.systems.get(id)
    }

    /// The systems, in the order of registration.
    pub fn systems(&self) -> Vec<&System> {
        let mut systems: Vec<_> = self.systems.values().collect();
        systems.sort_by_key(|system| system.index);
        systems
    }

    /// The protocol with this id.
    pub fn protocol(&self, id: &EventId) -> Option<&Protocol> {
        self.protocols.get(id)
    }

    /// The first system with this name.
    pub fn system_named(&self, name: &Name) -> Option<&System> {
        let named = self
            .systems
            .values()
            .filter(|system| system.registered.name == *name);
        named.min_by_key(|system| system.index)
    }

    /// A protocol with this name.
    pub fn protocol_named(&self, name: &Name) -> Option<&Protocol> {
        self.protocols
            .values()
            .find(|protocol| protocol.published.name == *name)
    }

    /// The protocols, in the order of their ids.
    pub fn protocols(&self) -> impl Iterator<Item = &Protocol> {
        self.protocols.values()
    }

    pub(crate) fn resources_of(&mut self, id: &EventId) -> Option<&mut Resources> {
        self.systems.get_mut(id).map(|system| &mut system.resources)
    }

    pub(crate) fn register(
        &mut self,
        id: EventId,
        index: u64,
        registered: &SystemRegistered,
    ) -> Option<Finding> {
        let twice = self
            .systems
            .values()
            .any(|system| system.registered.name == registered.name);
        self.systems.insert(
            id,
            System {
                id,
                index,
                registered: registered.clone(),
                resources: Resources::default(),
            },
        );
        twice.then(|| {
            Finding::new(
                Code::NameTwice,
                Place::event(*id.digest()),
                "a name that no other system has",
                format!("another system is named {}", registered.name),
            )
        })
    }

    pub(crate) fn publish(&mut self, id: EventId, published: &ProtocolPublished) {
        let published = published.clone();
        self.protocols.insert(id, Protocol { id, published });
    }
}
