use crate::chess;
use crate::event::{
    AssistanceKind, Context, Conversation as Keeping, PromptIdentity, ProtocolPublished,
};
use crate::run::prompts::{
    Actions, Anchored, Candidates, Chessbench, Message, Retry, Template, TrackA, identities,
};
use crate::run::reply::{AnswerForm, Reading};

/// What the models of a run are sent, and how they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompting {
    /// A conversation of its own for each player.
    Chessbench(Chessbench),
    /// A fresh request a move, in games against anchors.
    Anchored(Anchored),
    /// A fresh request a move, in the form that is declared.
    TrackA(TrackA),
}

impl Prompting {
    /// Every text that a player can be sent.
    pub fn templates(self) -> Vec<Template> {
        match self {
            Self::Chessbench(prompts) => prompts.templates(),
            Self::Anchored(prompts) => prompts.templates(),
            Self::TrackA(prompts) => prompts.templates(),
        }
    }

    /// What identifies them all, and how replies are read, in a protocol.
    pub fn identities(self) -> Vec<PromptIdentity> {
        let mut prompts = self.templates();
        prompts.push(self.reading().declaration());
        identities(&prompts)
    }

    /// How replies are read.
    pub const fn reading(self) -> Reading {
        match self {
            Self::Chessbench(_) => Reading::CHESSBENCH,
            Self::Anchored(_) => Reading::ANCHORED,
            Self::TrackA(_) => Reading::TRACK_A,
        }
    }

    /// Whether a move may be submitted by a tool.
    pub(crate) const fn offers_tool(self) -> bool {
        matches!(self, Self::Chessbench(_))
    }

    /// The tag that a move is answered in, where it is.
    pub(crate) const fn tag(self) -> Option<&'static str> {
        match self.reading().form {
            AnswerForm::Tag(tag) => Some(tag),
            AnswerForm::Submitted { .. } => None,
        }
    }

    /// Returns the rules for engines as they are for models: what these are sent,
    /// what they are told of legal moves, and how long a conversation is kept.
    pub fn applied(self, rules: ProtocolPublished) -> ProtocolPublished {
        let (context, conversation) = match self {
            Self::Chessbench(_) => (Context::OwnConversation, Keeping::Erased),
            Self::Anchored(_) | Self::TrackA(_) => (Context::FreshRequest, Keeping::Kept),
        };
        ProtocolPublished {
            candidate_help: match self {
                Self::TrackA(TrackA {
                    actions: Actions::Candidates(_),
                    ..
                }) => AssistanceKind::CandidateOracle,
                _ => AssistanceKind::None,
            },
            context,
            conversation,
            legal_moves_listed: match self {
                Self::Chessbench(_) => true,
                Self::Anchored(_) => false,
                Self::TrackA(prompts) => prompts.actions == Actions::Listed,
            },
            prompts: self.identities(),
            ..rules
        }
    }

    /// How many candidates are shown, where some are.
    pub(crate) const fn candidates(self) -> Option<usize> {
        match self {
            Self::TrackA(TrackA {
                actions: Actions::Candidates(width),
                ..
            }) => Some(width),
            _ => None,
        }
    }

    /// The request for a move, where each is a fresh one. Nothing where it is not, or
    /// where the candidates that it needs are not there.
    pub(crate) fn fresh(
        self,
        board: &chess::Game,
        opening: usize,
        candidates: Option<&Candidates>,
        retry: Option<&Retry<'_>>,
    ) -> Option<Vec<Message>> {
        match self {
            Self::Chessbench(_) => None,
            Self::Anchored(prompts) => Some(prompts.request(board, retry)),
            Self::TrackA(prompts) => prompts.request(board, opening, candidates, retry).ok(),
        }
    }
}
