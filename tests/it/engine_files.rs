//! Which files run when an engine does.

use std::fs;
use std::os::unix::fs::symlink;

use scoresheet::digest::Digest;
use scoresheet::run::uci::{EngineSpec, Limit, engine_files};
use tempfile::TempDir;

fn spec(command: &str) -> EngineSpec {
    EngineSpec {
        command: command.into(),
        args: Vec::new(),
        environment: vec![("PATH".into(), "/nowhere:/usr/bin:/bin".into())],
        options: Vec::new(),
        limit: Limit::Depth(1),
    }
}

#[test]
fn a_program_that_is_not_there_has_no_files() {
    for command in ["no-such-engine", "/no/such/engine", "/bin", ""] {
        assert!(engine_files(&spec(command)).is_err(), "{command}");
    }
}

#[test]
fn the_files_that_run_are_named_and_digested() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["e.js", "e.wasm", "e-part-0.wasm", "e-lite.wasm", "net.bin"] {
        fs::write(at(name), name).unwrap();
    }
    symlink(at("e.js"), at("engine.js")).unwrap();
    let mut spec = spec("sh");
    let engine = at("engine.js").into_os_string();
    spec.args = vec![engine.clone(), "--bench".into(), engine];
    let net = at("net.bin").into_os_string().into_string().unwrap();
    spec.options = vec![
        ("Hash".to_owned(), "16".to_owned()),
        ("Net".to_owned(), net),
    ];
    let files = engine_files(&spec).unwrap();
    let shell = fs::canonicalize("/bin/sh").unwrap();
    assert_eq!(files[0].path, shell.file_name().unwrap().to_str().unwrap());
    assert_eq!(files[0].sha256, Digest::of(&fs::read(shell).unwrap()));
    let names: Vec<_> = files[1..].iter().map(|file| file.path.as_str()).collect();
    assert_eq!(names, ["e.js", "e-part-0.wasm", "e.wasm", "net.bin"]);
    for file in &files[1..] {
        assert_eq!(file.sha256, Digest::of(file.path.as_bytes()));
        assert_eq!(file.bytes, file.path.len() as u64);
    }
}
