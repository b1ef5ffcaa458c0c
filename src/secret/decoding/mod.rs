//! What a text hides: the same bytes in other spellings.
//!
//! Each decoder finds the stretches of a text that are spelled its way and
//! returns them as plain bytes, with the place of every byte in the text. Most
//! text holds none, so finding out has to be quick: a decoder jumps from one
//! candidate to the next, and looks a second time before it decodes anything.

mod escape;
mod runs;
mod view;
mod wide;

pub(crate) use view::View;

/// Hands over every stretch of the text that is spelled in another way.
pub(crate) fn views(text: &[u8], each: &mut dyn FnMut(View)) {
    escape::views(text, each);
    runs::views(text, each);
    wide::views(text, each);
}
