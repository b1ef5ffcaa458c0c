//! No name of a released file is one that credentials or private logs have, and no
//! two differ in case only.

use std::collections::BTreeMap;

use crate::finding::{Code, Finding, Place};
use crate::tree::RelativePath;

/// Names, in small letters, that people publish by mistake.
const PRIVATE: [&str; 23] = [
    "_logs",
    ".aws",
    ".docker",
    ".env",
    ".git",
    ".git-credentials",
    ".gnupg",
    ".htpasswd",
    ".kube",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".ssh",
    "_netrc",
    "authorized_keys",
    "credentials",
    "credentials.json",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "known_hosts",
];

/// Returns what is wrong with the names of files that are released.
pub fn check_names<'a>(files: impl Iterator<Item = &'a RelativePath>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut twins = BTreeMap::new();
    for file in files {
        if let Some(name) = file.components().find(|name| is_private(name)) {
            findings.push(Finding::new(
                Code::PathPrivate,
                Place::file(file.as_str()),
                "no name of credentials or private logs",
                name,
            ));
        }
        // A folder that differs in case from another one makes twins of both.
        let mut path = String::new();
        for name in file.components() {
            if !path.is_empty() {
                path.push('/');
            }
            path.push_str(name);
            let other = twins
                .entry(path.to_ascii_lowercase())
                .or_insert_with(|| path.clone());
            if *other != path {
                findings.push(Finding::new(
                    Code::PathTwin,
                    Place::file(path.as_str()),
                    "names that differ in more than case",
                    format!("{other} as well"),
                ));
                break;
            }
        }
    }
    findings
}

fn is_private(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let ends = |ending: &str| name.ends_with(ending);
    PRIVATE.contains(&name.as_str())
        || name.starts_with(".env.")
        || [".kdbx", ".p12", ".pfx", ".ppk", ".keystore"]
            .iter()
            .any(|ending| ends(ending))
        || (name.starts_with("service-account") && ends(".json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(paths: &[&str]) -> Vec<&'static str> {
        let paths: Vec<RelativePath> = paths.iter().map(|path| path.parse().unwrap()).collect();
        let findings = check_names(paths.iter());
        findings
            .iter()
            .map(|finding| finding.code.as_str())
            .collect()
    }

    #[test]
    fn names_of_credentials_and_logs_are_found_in_any_case_and_at_any_depth() {
        for path in [
            "release/_logs/a",
            "release/data/_LOGS/x",
            "release/.env",
            "release/.env.production",
            "release/ID_RSA",
            "release/.netrc",
            "release/.aws/credentials",
            "release/.npmrc",
            "release/.git/config",
            "release/.pypirc",
            "release/x.kdbx",
            "release/service-account-7.json",
        ] {
            assert_eq!(codes(&[path]), ["path-private"], "{path}");
        }
        let plain = [
            "release/logs",
            "release/env",
            "release/id_rsa.md",
            "release/a.json",
        ];
        assert_eq!(codes(&plain), [""; 0]);
    }

    #[test]
    fn names_that_differ_in_case_only_are_twins_folders_too() {
        assert_eq!(codes(&["release/a", "release/A"]), ["path-twin"]);
        assert_eq!(codes(&["release/x/a", "release/X/b"]), ["path-twin"]);
        assert_eq!(codes(&["release/x/a", "release/x/b"]), [""; 0]);
    }
}
