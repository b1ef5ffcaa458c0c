//! What runs that ask one question after another have in common.

use std::path::PathBuf;

use serde_json::Value;

use crate::arena::Arena;
use crate::provider::Provider;

/// Writes a run file that asks one model of this provider a list of this kind,
/// `position` or `puzzle`. `more` are lines of its first part.
pub(crate) fn write(
    arena: &Arena,
    provider: &Provider,
    kind: &str,
    list: &str,
    more: &str,
) -> PathBuf {
    let url = &provider.url;
    let text = format!(
        "{kind}s = \"{list}\"\n\
         parallel = 2\n\
         {more}\n\
         [protocol]\n\
         name = \"{kind}-rules\"\n\
         retries_max = 1\n\
         [deadlines]\n\
         answer_ms = 2000\n\
         [[model]]\n\
         name = \"model\"\n\
         route = \"here\"\n\
         base_url = \"{url}\"\n\
         model = \"test/model\"\n\
         stream = false\n"
    );
    arena.write(&format!("{kind}s.toml"), &text)
}

/// Which of these boards a request is about.
pub(crate) fn board_of(body: &Value, boards: &[&str]) -> usize {
    let text = body["messages"][1]["content"].as_str().unwrap();
    boards
        .iter()
        .position(|board| text.contains(board))
        .unwrap()
}
