//! What the machine offers to tests.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use scoresheet::tree::{RelativePath, Tree};

/// Returns the value of an environment variable, if it is set.
#[expect(
    clippy::disallowed_methods,
    reason = "tests/run speaks to tests this way"
)]
pub(crate) fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// A number that the environment sets, such as a seed or a budget.
pub(crate) fn number(name: &str) -> Option<u64> {
    environment(name).map(|value| value.to_str().unwrap().parse().unwrap())
}

/// Returns the files that belong to the project at this root: what git tracks,
/// or in a copy without history everything but what is built.
pub(crate) fn tracked_files(root: &Path) -> Vec<String> {
    let git = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root)
        .output();
    if let Ok(listed) = git
        && listed.status.success()
        && !listed.stdout.is_empty()
    {
        let names = String::from_utf8(listed.stdout).unwrap();
        let files = names
            .split_terminator('\0')
            .filter(|name| root.join(name).exists());
        return files.map(str::to_owned).collect();
    }
    let tree = Tree::open(root).unwrap();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if matches!(name.as_str(), "target" | ".git") {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            let folder: RelativePath = name.parse().unwrap();
            let found = tree.walk(Some(&folder)).unwrap().files;
            files.extend(found.iter().map(ToString::to_string));
            files.retain(|file| !file.starts_with("fuzz/target/"));
        } else {
            files.push(name);
        }
    }
    files.sort();
    files
}
