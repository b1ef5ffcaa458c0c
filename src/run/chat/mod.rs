//! Models over HTTP: chat completions in the form that OpenAI made common.
//!
//! What a server sends back is read leniently: providers differ in what they
//! leave out, and no answer that was paid for is lost over a missing field. What
//! went wrong is told by kind, because only some of it is worth another try.

mod answer;
#[cfg(feature = "chat")]
mod client;
mod completion;
mod endpoint;
mod failure;
mod request;
mod stream;

pub(crate) use answer::message_of;
#[cfg(feature = "chat")]
pub(crate) use client::ChatPlayer;
#[cfg(feature = "chat")]
pub use client::Client;
pub use endpoint::{ApiKey, Endpoint};
pub(crate) use failure::is_passing;
pub(crate) use request::{Sent, settings};
pub(crate) use stream::is_stream;
