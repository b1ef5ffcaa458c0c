use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::chess::{Position, RejectionClass};
use crate::event::{
    CellAnswered, EventId, ListedPosition, Name, PositionRef, PositionsRegistered, StartRule,
};
use crate::finding::{Code, Finding, Place};
use crate::projection::turns::misjudged;
use crate::projection::{Calls, Corrections, Systems};

/// A registered list of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionList {
    /// The id of its registration.
    pub id: EventId,
    /// The position of its registration in the ledger.
    pub index: u64,
    /// What was registered: the positions of all its parts, in their order.
    pub registered: PositionsRegistered,
    /// Where in `registered` the position with an id stands.
    places: BTreeMap<String, usize>,
}

/// What one system answered to the positions of one list under one protocol and
/// condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionRun {
    /// What was asked, and of whom.
    pub key: PositionRunKey,
    /// The answers by the id of the position, in the order of their events.
    answers: BTreeMap<String, Vec<CellAnswer>>,
}

/// What a run of positions is: answers of two of them are never put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionRunKey {
    /// The list.
    pub dataset: EventId,
    /// The protocol.
    pub protocol: EventId,
    /// The condition.
    pub condition: Name,
    /// The system.
    pub system: EventId,
}

/// One answer to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellAnswer {
    /// The id of its event.
    pub id: EventId,
    /// The position of its event in the ledger.
    pub index: u64,
    /// What was answered.
    pub answered: CellAnswered,
    /// The `call.sent`, where it is there.
    pub call: Option<EventId>,
    /// Whether it contradicts the evidence: it is neither a move nor a rejection then.
    pub is_contradicted: bool,
}

/// All lists of positions, and what was answered to them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Positions {
    lists: BTreeMap<EventId, PositionList>,
    /// In the order of their first answers.
    runs: Vec<PositionRun>,
    /// The position in the ledger of the first answer that names an end of a call.
    answered: BTreeMap<EventId, u64>,
}

impl PositionList {
    fn new(id: EventId, index: u64, registered: &PositionsRegistered) -> Self {
        let positions = registered.positions.iter().enumerate();
        Self {
            id,
            index,
            places: positions
                .map(|(place, listed)| (listed.id.clone(), place))
                .collect(),
            registered: registered.clone(),
        }
    }

    /// The position with this id.
    pub fn position(&self, id: &str) -> Option<&ListedPosition> {
        let place = self.places.get(id)?;
        self.registered.positions.get(*place)
    }

    /// Takes in a further part, or says what is wrong with it.
    fn go_on(&mut self, part: &PositionsRegistered) -> Result<(), String> {
        let registered = &mut self.registered;
        if part.name != registered.name {
            return Err(format!("the name {}, not {}", part.name, registered.name));
        }
        if part.source_sha256 != registered.source_sha256 {
            return Err("a part of another file".to_owned());
        }
        let key = |listed: &ListedPosition| Some(listed.position().ok()?.repetition_key());
        let seen: BTreeSet<_> = registered.positions.iter().filter_map(key).collect();
        let is_there = |listed: &&ListedPosition| {
            let is_seen = key(listed).is_some_and(|key| seen.contains(&key));
            is_seen || self.places.contains_key(&listed.id)
        };
        if let Some(again) = part.positions.iter().find(is_there) {
            return Err(format!("{} once more", again.id));
        }
        for listed in &part.positions {
            self.places
                .insert(listed.id.clone(), registered.positions.len());
            registered.positions.push(listed.clone());
        }
        Ok(())
    }
}

impl PositionRun {
    /// The answers to this position that count: those that no correction takes out.
    pub fn counting<'r>(
        &'r self,
        position: &str,
        corrections: &'r Corrections,
    ) -> impl Iterator<Item = &'r CellAnswer> {
        let answers = self.answers.get(position).into_iter().flatten();
        answers.filter(|answer| !corrections.is_excluded(&answer.id))
    }

    /// Every answer, by the id of the position and then in the order of events.
    pub fn answers(&self) -> impl Iterator<Item = &CellAnswer> {
        self.answers.values().flatten()
    }
}

impl CellAnswer {
    /// Whether another attempt may follow: it was rejected.
    pub const fn is_rejected(&self) -> bool {
        self.answered.class.is_some()
    }
}

/// Whether these answers, in their order, are all that a protocol with so many
/// attempts asks for: a move, a request that failed, or the last attempt.
pub fn is_settled<'c>(answers: impl IntoIterator<Item = &'c CellAnswer>, attempts: u64) -> bool {
    let mut n_rejected = 0;
    for answer in answers {
        if !answer.is_rejected() {
            return true;
        }
        n_rejected += 1;
    }
    attempts <= n_rejected
}

impl Positions {
    /// The list with this id.
    pub fn list(&self, id: &EventId) -> Option<&PositionList> {
        self.lists.get(id)
    }

    /// The first list with this name.
    pub fn list_named(&self, name: &str) -> Option<&PositionList> {
        let mut lists = self.lists().into_iter();
        lists.find(|list| list.registered.name.as_str() == name)
    }

    /// The lists, in the order of registration.
    pub fn lists(&self) -> Vec<&PositionList> {
        let mut lists: Vec<_> = self.lists.values().collect();
        lists.sort_by_key(|list| list.index);
        lists
    }

    /// What was answered to positions of this list, in the order of first answers.
    pub fn runs<'a>(&'a self, dataset: &'a EventId) -> impl Iterator<Item = &'a PositionRun> {
        self.runs.iter().filter(|run| run.key.dataset == *dataset)
    }

    /// What this system answered there.
    pub fn run(&self, key: &PositionRunKey) -> Option<&PositionRun> {
        self.runs.iter().find(|run| run.key == *key)
    }

    /// Takes in a list, or a further part of one; says what is wrong with a part, which
    /// is passed over then.
    pub(crate) fn register(
        &mut self,
        id: EventId,
        index: u64,
        registered: &PositionsRegistered,
    ) -> Option<Finding> {
        let Some(first) = registered.continues else {
            self.lists
                .insert(id, PositionList::new(id, index, registered));
            return None;
        };
        let is_asked = self.runs(&first).next().is_some();
        let fault = match self.lists.get_mut(&first) {
            _ if is_asked => "a part behind the first answer".to_owned(),
            None => "a part of what is no first part".to_owned(),
            Some(list) => list.go_on(registered).err()?,
        };
        let expected = "a further part of a list that nobody has answered yet, with its name and its file, and with positions that it does not have";
        Some(Finding::new(
            Code::PositionsContinued,
            Place::event(*id.digest()),
            expected,
            fault,
        ))
    }

    /// Takes in an answer; says what is wrong with it.
    pub(crate) fn answer(
        &mut self,
        id: EventId,
        index: u64,
        answered: &CellAnswered,
        (calls, systems, corrections): (&Calls, &Systems, &Corrections),
    ) -> Vec<Finding> {
        // A list that is not there is a dangling reference, which `verify` names.
        let Some(list) = self.lists.get(&answered.dataset) else {
            return Vec::new();
        };
        let place = Place::event(*id.digest());
        let find = |code, expected: String, found: String| {
            Finding::new(code, place.clone(), expected, found)
        };
        let name = &list.registered.name;
        let Some(listed) = list.position(&answered.position) else {
            let expected = format!("a position of {name}");
            let found = format!("position {}, which is none", answered.position);
            return vec![find(Code::PositionUnknown, expected, found)];
        };
        let key = PositionRunKey::of(answered);
        let run = self.run(&key);
        let before: Vec<_> = run.map_or_else(Vec::new, |run| {
            run.counting(&answered.position, corrections).collect()
        });
        let mut findings = Vec::new();
        let contradiction = self.contradiction(answered, before.len(), (calls, systems));
        if let Some((expected, found)) = &contradiction {
            let (expected, found) = ((*expected).to_owned(), found.clone());
            findings.push(find(Code::CellContradicted, expected, found));
        }
        let claim = false_claim(listed, id, answered);
        let attempts = systems.protocol(&answered.protocol);
        let attempts = attempts.map(|protocol| protocol.published.attempts.get());
        let is_settled = attempts.is_some_and(|attempts| {
            !before.is_empty() && is_settled(before.iter().copied(), attempts)
        });
        if let Some(first) = before.first().filter(|_| is_settled) {
            let expected = format!(
                "no more answers of a system to position {}",
                answered.position
            );
            let found = format!("another one; event {} is the first", first.index);
            findings.push(find(Code::CellTwice, expected, found));
        }
        let answer = CellAnswer {
            id,
            index,
            answered: answered.clone(),
            call: calls.ended_by(&answered.call).map(|ended| ended.id),
            is_contradicted: contradiction.is_some() || claim.is_some(),
        };
        findings.extend(claim);
        self.answered.entry(answered.call).or_insert(index);
        self.take(key, answer);
        findings
    }

    fn take(&mut self, key: PositionRunKey, answer: CellAnswer) {
        let place = self.runs.iter().position(|run| run.key == key);
        let place = place.unwrap_or_else(|| {
            let answers = BTreeMap::new();
            self.runs.push(PositionRun { key, answers });
            self.runs.len() - 1
        });
        if let Some(run) = self.runs.get_mut(place) {
            let position = answer.answered.position.clone();
            run.answers.entry(position).or_default().push(answer);
        }
    }

    /// What an answer says that its call and its protocol do not, where so many
    /// answers to the position came before.
    fn contradiction(
        &self,
        answered: &CellAnswered,
        n_before: usize,
        (calls, systems): (&Calls, &Systems),
    ) -> Option<(&'static str, String)> {
        let protocol = systems.protocol(&answered.protocol);
        if let Some(protocol) = protocol.map(|protocol| &protocol.published)
            && protocol.start != StartRule::ListedPosition
        {
            let found = format!("{}, which is none", protocol.name);
            return Some(("a protocol of listed positions", found));
        }
        // Nothing is known of a call that is not there, or was forgotten.
        let ended = calls.ended_by(&answered.call)?;
        let sent = &ended.call.sent;
        let asked = PositionRef {
            dataset: answered.dataset,
            id: answered.position.clone(),
        };
        if sent.system != answered.system || sent.position != Some(asked) {
            let expected = "a call for this position, of the system that answers";
            return Some((expected, "another call".to_owned()));
        }
        let attempt = u64::try_from(n_before)
            .unwrap_or(u64::MAX)
            .saturating_add(1);
        if sent.attempt.get() != attempt {
            let found = format!(
                "attempt {}, where {n_before} answers came before",
                sent.attempt
            );
            return Some(("a call for the attempt that is due", found));
        }
        let has_reply = answered.uci.is_some() || answered.class.is_some();
        match (ended.is_failed, has_reply) {
            (true, true) => {
                let found = "one".to_owned();
                return Some(("no reply where the call failed", found));
            }
            (false, false) => {
                let expected = "a move or a rejection where the call was answered";
                return Some((expected, "neither".to_owned()));
            }
            (true, false) | (false, true) => {}
        }
        let other = self.answered.get(&answered.call)?;
        let found = format!("that of event {other}");
        Some(("a call of its own for every answer", found))
    }
}

impl PositionRunKey {
    fn of(answered: &CellAnswered) -> Self {
        Self {
            dataset: answered.dataset,
            protocol: answered.protocol,
            condition: answered.condition.clone(),
            system: answered.system,
        }
    }
}

/// Judges again what is said of an answer.
fn false_claim(listed: &ListedPosition, id: EventId, answered: &CellAnswered) -> Option<Finding> {
    let position: Position = listed.position().ok()?;
    if let Some(uci) = answered.uci {
        let expected = format!("a move that is legal in {}", position.fen());
        let place = Place::event(*id.digest());
        let is_legal = position.is_legal(uci);
        return (!is_legal)
            .then(|| Finding::new(Code::MoveIllegal, place, expected, uci.to_string()));
    }
    let rejected: Option<(RejectionClass, &str)> =
        answered.class.zip(answered.extracted.as_deref());
    let (class, extracted) = rejected?;
    misjudged(&position, id, (class, extracted), &answered.bodies)
}
