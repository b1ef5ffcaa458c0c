//! A Rust file, read as far as the arrows need it: tokens without comments and
//! text, the paths they form, and where the tests at the foot begin.
//!
//! Known limit: a path that a macro puts together from pieces is not seen.

use std::collections::{BTreeMap, BTreeSet};

use crate::token::{Token, is_name, tokens};

/// A file as tokens.
pub(crate) struct Source {
    tokens: Vec<Token>,
    /// The first token of `#[cfg(test)] mod tests`, or one behind the last.
    tests: usize,
    n_lines: usize,
}

/// A path that the file names, spelled out: groups flattened, imports followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    pub(crate) is_use: bool,
    pub(crate) is_test: bool,
}

impl Named {
    /// The path as it would be written.
    pub(crate) fn text(&self) -> String {
        self.segments.join("::")
    }
}

impl Source {
    pub(crate) fn of(text: &str) -> Self {
        let tokens = tokens(text);
        let head: Vec<&str> = "# [ cfg ( test ) ] mod tests {".split(' ').collect();
        let is_head = |window: &[Token]| {
            window
                .iter()
                .map(|t| t.text.as_str())
                .eq(head.iter().copied())
        };
        let tests = tokens.windows(head.len()).position(is_head);
        let n_lines = text.lines().count();
        let mut source = Self {
            tests: tokens.len(),
            tokens,
            n_lines,
        };
        // Only tests at the foot are exempt: code behind them is not.
        if let Some(tests) = tests
            && source.closing(tests + head.len() - 1) + 1 == source.tokens.len()
        {
            source.tests = tests;
        }
        source
    }

    /// How many lines stand above the tests.
    pub(crate) fn n_lines(&self) -> usize {
        self.tokens
            .get(self.tests)
            .map_or(self.n_lines, |token| token.line - 1)
    }

    /// Every path, with the imports of the file put in.
    pub(crate) fn paths(&self) -> Vec<Named> {
        let mut paths = Vec::new();
        let mut imports = BTreeMap::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let is_use = self.text_before(at) == "use";
            if !self.starts_path(at) {
                at += 1;
                continue;
            }
            let mut reader = PathReader {
                source: self,
                at,
                is_use,
                paths: &mut paths,
                imports: &mut imports,
            };
            reader.read(&mut Vec::new());
            at = reader.at;
        }
        for path in paths.iter_mut().filter(|path| !path.is_use) {
            if let Some(full) = imports.get(&path.segments[0]) {
                path.segments.splice(..1, full.iter().cloned());
            }
        }
        paths
    }

    /// The same file, taken as one that is only built for tests.
    pub(crate) fn into_tests(self) -> Self {
        Self { tests: 0, ..self }
    }

    /// The names of the files that this one has built only for tests.
    pub(crate) fn test_modules(&self) -> Vec<&str> {
        let head = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
        let declarations = self.tokens.windows(head.len() + 2);
        let test = declarations.filter(|window| {
            let mut texts = window.iter().map(|token| token.text.as_str());
            texts.clone().take(head.len()).eq(head) && texts.next_back() == Some(";")
        });
        test.map(|window| window[head.len()].text.as_str())
            .collect()
    }

    /// The names of modules that the file declares.
    pub(crate) fn modules(&self) -> BTreeSet<&str> {
        let pairs = self.tokens.windows(2);
        let modules = pairs.filter(|pair| pair[0].text == "mod");
        modules.map(|pair| pair[1].text.as_str()).collect()
    }

    /// Line and name of each macro and method call above the tests: `name!` and
    /// `.name(`.
    pub(crate) fn calls(&self) -> Vec<(usize, String)> {
        let triples = self.tokens[..self.tests].windows(3);
        triples
            .filter_map(
                |t| match (t[0].text.as_str(), t[1].text.as_str(), t[2].text.as_str()) {
                    (name, "!", _) if is_name(name) => Some((t[0].line, format!("{name}!"))),
                    (".", name, "(") => Some((t[1].line, format!(".{name}("))),
                    _ => None,
                },
            )
            .collect()
    }

    /// Line, name and number of lines of each function with a body.
    pub(crate) fn functions(&self) -> Vec<(usize, &str, usize)> {
        let mut functions = Vec::new();
        for (start, pair) in self.tokens.windows(2).enumerate() {
            if pair[0].text == "fn" && is_name(&pair[1].text) {
                let body = self.tokens[start..]
                    .iter()
                    .position(|t| t.text == "{" || t.text == ";");
                let open = start + body.unwrap_or(0);
                if self.tokens[open].text == "{" {
                    let n_lines = self.tokens[self.closing(open)].line - pair[0].line + 1;
                    functions.push((pair[0].line, pair[1].text.as_str(), n_lines));
                }
            }
        }
        functions
    }

    /// The token that closes the brace at this token.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.tokens.len() - 1
    }

    fn text_before(&self, at: usize) -> &str {
        let before = at.checked_sub(1).map(|at| &self.tokens[at]);
        before.map_or("", |token| token.text.as_str())
    }

    /// Whether a path begins here: a name followed by `::`, or an import, that
    /// is not in the middle of a longer path.
    fn starts_path(&self, at: usize) -> bool {
        let before = self.text_before(at);
        let after = self.tokens.get(at + 1).map(|token| token.text.as_str());
        is_name(&self.tokens[at].text) && before != "::" && (after == Some("::") || before == "use")
            || before == "use" && self.tokens[at].text == "{"
    }
}

/// Reads one path with its groups; the tree of an import is such a path.
struct PathReader<'a> {
    source: &'a Source,
    at: usize,
    is_use: bool,
    paths: &'a mut Vec<Named>,
    imports: &'a mut BTreeMap<String, Vec<String>>,
}

impl PathReader<'_> {
    fn text(&self) -> &str {
        let token = self.source.tokens.get(self.at);
        token.map_or("", |token| token.text.as_str())
    }

    fn read(&mut self, prefix: &mut Vec<String>) {
        let depth = prefix.len();
        while is_name(self.text()) {
            prefix.push(self.text().to_owned());
            self.at += 1;
            if self.text() != "::" {
                break;
            }
            self.at += 1;
        }
        if self.text() == "{" && self.is_use {
            self.at += 1;
            while self.text() != "}" && !self.text().is_empty() {
                let before = self.at;
                self.read(prefix);
                let is_stuck = before == self.at;
                self.at += usize::from(is_stuck || self.text() == ",");
            }
            self.at += 1;
        } else {
            if self.text() == "*" && self.is_use {
                prefix.push("*".to_owned());
                self.at += 1;
            }
            self.emit(prefix);
        }
        prefix.truncate(depth);
    }

    fn emit(&mut self, path: &[String]) {
        let mut segments = path.to_vec();
        if 1 < segments.len() && segments.last().is_some_and(|last| last == "self") {
            segments.pop();
        }
        let mut name = segments.last().cloned().unwrap_or_default();
        let at = self.at.saturating_sub(1);
        if self.text() == "as" && self.is_use {
            self.at += 1;
            name = String::from(self.text());
            self.at += 1;
        }
        if self.is_use {
            self.imports.insert(name, segments.clone());
        }
        self.paths.push(Named {
            segments,
            line: self.source.tokens[at].line,
            is_use: self.is_use,
            is_test: self.source.tests <= at,
        });
    }
}

#[test]
fn paths_are_found_in_groups_and_expressions_and_not_in_comments_or_text() {
    let source = Source::of(
        r##"
        use crate::{digest::{Digest, merkle::*}, finding::{self, Place as P}};
        // use crate::cli::Never;
        /* crate::cli /* nested */ crate::cli */
        fn f<'a>(x: &'a str) -> ::std::fmt::Result {
            let slash = "http://example"; let c = '"'; let d = '\'';
            let raw = r#"crate::cli::Never "quoted" "#; let b = b"crate::cli";
            crate::tree::Tree::open(x); P::file(x); Vec::<u8>::new();
            <T as crate::chess::Board>::new();
        }
        use ::std::io; use {std::env as e}; fn g() { e::args(); io::stdin() }
        "##,
    );
    let paths = source.paths();
    let shown: Vec<_> = paths.iter().map(Named::text).collect();
    assert_eq!(
        shown,
        [
            "crate::digest::Digest",
            "crate::digest::merkle::*",
            "crate::finding",
            "crate::finding::Place",
            "std::fmt::Result",
            "crate::tree::Tree::open",
            "crate::finding::Place::file",
            "Vec",
            "crate::chess::Board",
            "std::io",
            "std::env",
            "std::env::args",
            "std::io::stdin",
        ]
    );
    assert_eq!((paths[0].line, paths[5].line), (2, 8));
}

#[test]
fn tests_at_the_foot_and_functions_are_measured() {
    let source = Source::of(
        "fn a() {\n}\nfn b();\n\n#[cfg(test)]\nmod tests {\n    use std::fs;\n    fn c() { {} }\n}\n",
    );
    assert_eq!(source.n_lines(), 4);
    assert_eq!(source.functions(), [(1, "a", 2), (8, "c", 1)]);
    assert!(source.paths()[0].is_test);
    let without = Source::of("fn a() {}\n#[cfg(test)]\nfn b() { std::fs::read(x) }\n");
    assert_eq!(without.n_lines(), 3);
    assert!(!without.paths()[0].is_test);
    let of_tests = Source::of("fn f() { std::fs::read(x) }").into_tests();
    assert!(of_tests.paths()[0].is_test && of_tests.calls().is_empty());
    let declared = Source::of("mod a;\n#[cfg(test)]\nmod b;\n#[cfg(test)]\nmod tests {}\n");
    assert_eq!(declared.test_modules(), ["b"]);
    let above = Source::of("#[cfg(test)]\nmod tests {}\nfn f() { std::fs::read(x) }\n");
    assert!(!above.paths()[0].is_test);
}
