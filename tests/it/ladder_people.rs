//! People are known by an account that stands nowhere.

use std::io::Write as _;
use std::process::Stdio;

use crate::arena::{Arena, Ran};

/// Registers an account that is told on standard input.
fn register(arena: &Arena, issuer: &str, account: &str) -> Ran {
    let words = [
        "player",
        "register",
        "--issuer",
        issuer,
        "--account-file",
        "-",
    ];
    let mut child = arena
        .command(&words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(account.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn an_account_is_known_again_and_stands_nowhere() {
    let arena = Arena::new();
    register(&arena, "x.com", "12345678\n")
        .ends_with(0)
        .says("registered ");
    let before = arena.files();
    // The same account, blanks or not; nothing more is written.
    let again = register(&arena, "x.com", " 12345678");
    again.ends_with(0).says("registered already: ");
    assert!(before == arena.files());
    register(&arena, "x.com", "12345679")
        .ends_with(0)
        .says("registered ");
    register(&arena, "y.com", "12345678")
        .ends_with(0)
        .says("registered ");
    assert_eq!(arena.projection().people.iter().count(), 3);
    for (path, bytes) in arena.files() {
        let is_there = bytes.windows(8).any(|window| window == b"12345678");
        assert!(!is_there, "{path} has the account");
    }
    register(&arena, "x.com", "  \n")
        .ends_with(2)
        .says("is empty");
    register(&arena, "x.com", &"9".repeat(2000)).ends_with(2);
}

#[test]
fn without_the_key_of_accounts_nobody_is_registered_twice() {
    let arena = Arena::new();
    register(&arena, "x.com", "12345678").ends_with(0);
    arena.call(&["verify"]).ends_with(0);
    let key = arena.bench.path().join("private/people/key");
    let bytes = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    arena.call(&["verify"]).ends_with(1).says("private-missing");
    register(&arena, "x.com", "12345678")
        .ends_with(2)
        .says("restore it from a backup");
    std::fs::write(&key, [1; 40]).unwrap();
    arena.call(&["verify"]).ends_with(1).says("private-changed");
    register(&arena, "x.com", "12345678")
        .ends_with(2)
        .says("the key is damaged");
    std::fs::write(&key, bytes).unwrap();
    arena.call(&["verify"]).ends_with(0);
    register(&arena, "x.com", "12345678").says("registered already");
}

#[test]
fn a_person_says_who_may_see_videos() {
    let arena = Arena::new();
    let file = arena.write("account", "12345678");
    let words = ["player", "register", "--issuer", "x.com", "--account-file"];
    let words = [&words[..], &[file.to_str().unwrap()]].concat();
    arena
        .call(&[&words[..], &["--dry-run"]].concat())
        .ends_with(0)
        .says("player.registered");
    assert_eq!(arena.projection().people.iter().count(), 0);
    arena.call(&words).ends_with(0);
    let id = arena
        .projection()
        .people
        .iter()
        .next()
        .unwrap()
        .id
        .to_string();
    let share = |player: &str, video: &str| arena.call(&["player", "sharing", player, video]);
    share(&id[..8], "owner")
        .ends_with(0)
        .says("for owner already");
    share(&id[..8], "public")
        .ends_with(0)
        .says("for public now");
    share("0", "public").ends_with(2).says("player list");
    let list = arena.call(&["player", "list"]);
    list.ends_with(0)
        .says("x.com, Elo 1500 after 0 games, videos for public");
}
