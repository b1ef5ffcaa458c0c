//! How conversations that a protocol does not keep are erased.

use std::io;

use crate::event::{Conversation, EventId};
use crate::finding::Place;
use crate::ledger::{
    Erasing, LedgerError, PackedBodies, Prefix, PrivateRoll, Storage, private_path,
};
use crate::projection::GameState;
use crate::run::RunError;
use crate::run::record::{Record, read_all};

/// Why a conversation is erased without anybody asking.
const FORGOTTEN: &str = "the game has ended, and its protocol keeps no conversation";

impl Record<'_> {
    /// Erases the private bodies of a game that has ended, as a protocol that
    /// keeps no conversation demands; commits first. Returns whether any body
    /// was left to be erased.
    ///
    /// # Errors
    ///
    /// When the ledger takes no more events or contradicts itself, or a file
    /// cannot be destroyed: another call completes it.
    pub fn erase(&mut self, game: &EventId, reason: &str) -> Result<bool, RunError> {
        self.commit()?;
        let packed = self.packs.of_unit(game)?;
        let erasing = Erasing::prepare(self.storage, *game, packed)?;
        let is_said = self.say_erasure(game, reason)?;
        self.commit()?;
        erasing.destroy(self.storage)?;
        self.packs.forget(&erasing)?;
        Ok(is_said)
    }

    /// Says that all private bodies of a game that committed events name are erased;
    /// nothing where none is left. Returns whether something was said.
    fn say_erasure(&mut self, game: &EventId, reason: &str) -> Result<bool, RunError> {
        let erasure = self.roll()?.erasure(game, reason);
        match erasure {
            Some(erasure) => self.say(erasure).map(|_| true),
            None => Ok(false),
        }
    }

    /// Counts the private bodies that committed events name, unless they are counted.
    fn roll(&mut self) -> Result<&PrivateRoll, LedgerError> {
        let roll = match self.roll.take() {
            Some(roll) => roll,
            None => whole_roll(self.storage)?,
        };
        Ok(self.roll.insert(roll))
    }

    /// Gets ready to erase conversations, where bodies are sealed: with a long ledger
    /// that takes a moment, and later players would wait for it.
    pub(crate) fn prepare_to_forget(&mut self) -> Result<(), LedgerError> {
        if self.keys.is_some() {
            self.roll()?;
        }
        Ok(())
    }

    /// What packs hold of a game that has ended and whose protocol keeps no
    /// conversation; nothing where there is nothing private of it to be erased.
    pub(crate) fn conversation_of(
        &mut self,
        game: &EventId,
    ) -> Result<Option<PackedBodies>, RunError> {
        let state = self.projection.games.game(game);
        let has_ended = state.filter(|state| state.state != GameState::Playing);
        let protocol = has_ended.and_then(|state| self.projection.protocol_of(state));
        let is_erased =
            protocol.is_some_and(|protocol| protocol.conversation == Conversation::Erased);
        if is_erased && self.has_private(game)? {
            Ok(Some(self.packs.of_unit(game)?))
        } else {
            Ok(None)
        }
    }

    /// Says that the conversation of a game is erased, before anything is destroyed.
    pub(crate) fn say_forgotten(&mut self, game: &EventId) -> Result<(), RunError> {
        self.say_erasure(game, FORGOTTEN).map(drop)
    }

    /// Takes in that the conversation of a game was destroyed.
    pub(crate) fn forgot(&mut self, erased: &Erasing) -> Result<(), LedgerError> {
        self.packs.forget(erased)
    }

    /// Erases what is private of a game that has ended, where its protocol keeps no
    /// conversation.
    ///
    /// # Errors
    ///
    /// As [`erase`](Self::erase).
    pub(crate) fn forget_conversation(&mut self, game: &EventId) -> Result<(), RunError> {
        if self.conversation_of(game)?.is_some() {
            self.erase(game, FORGOTTEN)?;
        }
        Ok(())
    }

    /// Whether something private of a game may still be there.
    fn has_private(&mut self, game: &EventId) -> Result<bool, LedgerError> {
        let path = private_path(game);
        match self.storage.list(&path) {
            // An erasure leaves the folder, and is complete once packs have nothing.
            Ok(there) => Ok(!there.is_empty() || self.packs.has(game)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(LedgerError::io("look into", path)(error)),
        }
    }
}

/// Returns the private bodies that the committed events name.
fn whole_roll(storage: &dyn Storage) -> Result<PrivateRoll, LedgerError> {
    let mut roll = PrivateRoll::open(storage)?;
    let prefix = Prefix::open(storage)?;
    read_all(&prefix, |_, event| {
        drop(roll.take(&event, &Place::default()));
    })?;
    Ok(roll)
}
