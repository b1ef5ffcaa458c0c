//! What is built in: licences, sources, and nothing that opens the network.
//! Asks cargo, offline, about the platform that the tests run on; `deny.toml`
//! is the one list of what is allowed, and cargo-deny checks it for the others.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde::Deserialize;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    license: Option<String>,
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    root: String,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Banned>,
}

#[derive(Deserialize)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
}

fn metadata() -> Metadata {
    let cargo = crate::tool::environment("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .args(["--filter-platform=host-tuple", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&listed.stderr);
    assert!(listed.status.success(), "{stderr}");
    serde_json::from_slice(&listed.stdout).unwrap()
}

fn deny() -> Deny {
    toml::from_str(include_str!("../../deny.toml")).unwrap()
}

/// Whether a licence expression can be met with these licences alone. Knows
/// `AND`, `OR`, `WITH`, parentheses, and the old `/` for `OR`.
fn is_met(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let is_met = any_of(&mut words, allowed);
    is_met && words.next().is_none()
}

type Words<'a, 'b> = &'a mut std::iter::Peekable<std::str::SplitWhitespace<'b>>;

fn any_of(words: Words, allowed: &[&str]) -> bool {
    let mut is_met = all_of(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        is_met |= all_of(words, allowed);
    }
    is_met
}

fn all_of(words: Words, allowed: &[&str]) -> bool {
    let mut is_met = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        is_met &= one(words, allowed);
    }
    is_met
}

fn one(words: Words, allowed: &[&str]) -> bool {
    match words.next() {
        Some("(") => any_of(words, allowed) & words.next_if_eq(&")").is_some(),
        Some(licence) => match words.next_if_eq(&"WITH").and_then(|_| words.next()) {
            Some(exception) => allowed.contains(&format!("{licence} WITH {exception}").as_str()),
            None => allowed.contains(&licence),
        },
        None => false,
    }
}

/// Which packages have a licence that the list does not allow them.
fn unlicensed<'a>(packages: &'a [Package], licenses: &Licenses) -> Vec<&'a str> {
    let is_allowed = |package: &&Package| {
        let exceptions = licenses
            .exceptions
            .iter()
            .filter(|e| e.name == package.name);
        let excepted = exceptions.flat_map(|exception| &exception.allow);
        let allowed: Vec<_> = licenses
            .allow
            .iter()
            .chain(excepted)
            .map(String::as_str)
            .collect();
        package
            .license
            .as_ref()
            .is_some_and(|license| is_met(license, &allowed))
    };
    let denied = packages.iter().filter(|package| !is_allowed(package));
    denied.map(|package| package.name.as_str()).collect()
}

/// The sources of all packages but our own.
fn sources(packages: &[Package]) -> BTreeSet<&str> {
    let sources = packages
        .iter()
        .filter(|package| package.name != "scoresheet");
    sources
        .map(|package| package.source.as_deref().unwrap_or("a folder"))
        .collect()
}

fn is_one_registry(sources: &BTreeSet<&str>) -> bool {
    sources.len() == 1 && sources.iter().all(|source| source.starts_with("registry+"))
}

/// The names of what is built into the program, tests left out.
fn built_in(metadata: &Metadata) -> BTreeSet<&str> {
    let names: BTreeMap<_, _> = metadata
        .packages
        .iter()
        .map(|p| (&p.id, p.name.as_str()))
        .collect();
    let nodes: BTreeMap<_, _> = metadata
        .resolve
        .nodes
        .iter()
        .map(|n| (&n.id, &n.deps))
        .collect();
    let mut seen = BTreeSet::new();
    let mut open = vec![&metadata.resolve.root];
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let is_built = |kind: &Kind| kind.kind.as_deref() != Some("dev");
            let built = nodes[id]
                .iter()
                .filter(|dep| dep.dep_kinds.iter().any(is_built));
            open.extend(built.map(|dep| &dep.pkg));
        }
    }
    seen.iter().map(|id| names[id]).collect()
}

#[test]
fn every_licence_is_allowed_and_every_source_is_the_one_registry() {
    let metadata = metadata();
    assert!(
        50 < metadata.packages.len(),
        "cargo listed too little to be true"
    );
    assert_eq!(unlicensed(&metadata.packages, &deny().licenses), [""; 0]);
    let sources = sources(&metadata.packages);
    assert!(is_one_registry(&sources), "{sources:?}");
}

#[test]
fn the_lock_file_names_one_registry_for_every_platform() {
    let lock: toml::Table = include_str!("../../Cargo.lock").parse().unwrap();
    let packages = lock["package"].as_array().unwrap().iter();
    let others = packages.filter(|package| package["name"].as_str() != Some("scoresheet"));
    let source = |package: &toml::Value| package.get("source").map(ToString::to_string);
    let sources: BTreeSet<_> = others.map(source).collect();
    assert_eq!(sources.len(), 1, "{sources:?}");
    assert!(
        sources
            .iter()
            .flatten()
            .all(|source| source.contains("registry+"))
    );
}

#[test]
fn nothing_built_in_opens_the_network() {
    let metadata = metadata();
    let built_in = built_in(&metadata);
    assert!(
        built_in.contains("serde_json") && !built_in.contains("proptest"),
        "{built_in:?}"
    );
    for Banned { name } in deny().bans.deny {
        assert!(!built_in.contains(name.as_str()), "{name} is built in");
    }
}

#[test]
fn licence_expressions_are_read_as_they_are_meant() {
    let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"];
    for met in [
        "MIT",
        "GPL-2.0 OR MIT",
        "Apache-2.0/MIT",
        "MIT AND Zlib",
        "(GPL-2.0 OR MIT) AND Zlib",
        "Zlib OR GPL-2.0 AND LGPL-2.1",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for unmet in [
        "",
        "GPL-2.0",
        "MIT AND GPL-2.0",
        "(MIT OR Zlib) AND GPL-2.0",
        "Apache-2.0",
        "MIT WITH Some-exception",
        "(MIT",
        "MIT Zlib",
    ] {
        assert!(!is_met(unmet, &allowed), "{unmet}");
    }
}

#[test]
fn a_foreign_licence_source_or_network_crate_is_found() {
    let package = |name: &str, license: Option<&str>, source: Option<&str>| Package {
        id: name.to_owned(),
        name: name.to_owned(),
        license: license.map(str::to_owned),
        source: source.map(str::to_owned),
    };
    let registry = Some("registry+here");
    let packages = [
        package("scoresheet", Some("GPL-3.0-or-later"), None),
        package("plain", Some("MIT"), registry),
        package("copyleft", Some("GPL-3.0-or-later"), registry),
        package("silent", None, registry),
    ];
    assert_eq!(
        unlicensed(&packages, &deny().licenses),
        ["copyleft", "silent"]
    );
    assert!(is_one_registry(&sources(&packages)));
    for source in [None, Some("git+somewhere"), Some("registry+elsewhere")] {
        let two = [
            package("plain", None, registry),
            package("other", None, source),
        ];
        assert!(!is_one_registry(&sources(&two)), "{source:?}");
    }
    let kinds = |kind: Option<&str>| {
        vec![Kind {
            kind: kind.map(str::to_owned),
        }]
    };
    let dependency = |name: &str, kind| Dependency {
        pkg: name.to_owned(),
        dep_kinds: kinds(kind),
    };
    let node = |name: &str, deps| Node {
        id: name.to_owned(),
        deps,
    };
    let metadata = Metadata {
        resolve: Resolve {
            root: "scoresheet".to_owned(),
            nodes: vec![
                node(
                    "scoresheet",
                    vec![dependency("plain", None), dependency("silent", Some("dev"))],
                ),
                node("plain", vec![dependency("copyleft", Some("build"))]),
                node("copyleft", vec![]),
                node("silent", vec![]),
            ],
        },
        packages: packages.into(),
    };
    assert_eq!(
        built_in(&metadata),
        BTreeSet::from(["scoresheet", "plain", "copyleft"])
    );
}
