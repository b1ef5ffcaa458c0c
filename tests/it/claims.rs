//! What is claimed of the evidence, from its tables to a release and back.

use serde_json::Value;

use crate::bundle::{Bundle, published};
use crate::codes::claims::promised;
use crate::story::{TIME, story};

/// Claims that system a finished so many games.
fn record<'a>(name: &'a str, figure: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let statement = ["--statement", "System a finished its games."];
    let claim = [
        "claim", "record", name, "--kind", "observed", "--cohort", "t",
    ];
    [&claim[..], &statement, &["--figure", figure], more].concat()
}

const RIGHT: &str = "reliability-csv: system=a, games_finished=2";

fn review<'a>(claims: &[&'a str], verdict: &'a str) -> Vec<&'a str> {
    let rest = [
        "--verdict",
        verdict,
        "--reason",
        "it says so",
        "--reviewer",
        "Ada",
    ];
    [&["claim", "review"], claims, &rest].concat()
}

/// The claims as programs read them.
fn claims(bundle: &Bundle, more: &[&str]) -> Vec<Value> {
    let args = [&["claims", "--format", "json"], more].concat();
    let report: Value = serde_json::from_str(&bundle.must(&args)).unwrap();
    report["claims"].as_array().unwrap().clone()
}

fn standings(bundle: &Bundle, more: &[&str]) -> Vec<String> {
    let claims = claims(bundle, more).into_iter();
    let words = claims.map(|claim| {
        let (name, standing) = (&claim["what"]["name"], &claim["standing"]);
        format!("{} {}", name.as_str().unwrap(), standing.as_str().unwrap())
    });
    words.collect()
}

/// What a refusal says; nothing is written then.
fn refused(bundle: &Bundle, args: &[&str]) -> String {
    let before = bundle.read("ledger/head");
    let (out, errors) = bundle.program(args);
    assert!(errors.contains("error"), "{args:?}: {out}{errors}");
    assert_eq!(bundle.read("ledger/head"), before, "{args:?}");
    errors
}

#[test]
fn a_claim_that_its_table_does_not_bear_out_is_refused_with_the_right_number() {
    let bundle = Bundle::new();
    let wrong = "reliability-csv: system=a, games_finished=3";
    let said = refused(&bundle, &record("games", wrong, &[]));
    assert!(said.contains("games_finished is 2, not 3"), "{said}");
    for (figure, why) in [
        ("reliability-csv: system=c, games_finished=2", "0 rows"),
        ("reliability-csv: games_finished=2, forfeits=0", "2 rows"),
        ("reliability-csv: system=a, wins=2", "no column wins"),
        (
            "reliability-csv: name=a, games_finished=2",
            "no column name",
        ),
        ("claims: name=games, value=2", "no evidence for a claim"),
        ("boards: system=a, games_finished=2", "no table boards"),
        (
            "reliability-csv/u: system=a, games_finished=2",
            "no cohort named u",
        ),
        (
            "reliability-csv: games_finished=2",
            "the last one is the number",
        ),
    ] {
        let said = refused(&bundle, &record("games", figure, &[]));
        assert!(said.contains(why), "{figure}: {said}");
    }
    for (more, why) in [
        (
            &["--status", "provisional"][..],
            "bears pilot and not provisional",
        ),
        (&["--endpoint", "0"], "was preregistered"),
        (&["--supersedes", "other"], "no claim is named other"),
    ] {
        let said = refused(&bundle, &record("games", RIGHT, more));
        assert!(said.contains(why), "{more:?}: {said}");
    }
    let bundle = promised();
    let said = refused(&bundle, &record("games", RIGHT, &["--endpoint", "2"]));
    assert!(said.contains("there is: 0 games; 1 forfeits"), "{said}");
}

#[test]
fn a_claim_stands_until_its_evidence_changes_or_another_takes_its_place() {
    let bundle = Bundle::new();
    let shown = bundle.must(&record("games", RIGHT, &["--dry-run", "--time", TIME]));
    assert!(shown.contains("\"kind\":\"claim.recorded\""), "{shown}");
    assert!(claims(&bundle, &[]).is_empty());
    bundle.must(&record("games", RIGHT, &[]));
    let again = refused(&bundle, &record("games", RIGHT, &[]));
    assert!(again.contains("named games already"), "{again}");
    let idea = [
        "claim",
        "record",
        "gate",
        "--kind",
        "proposal",
        "--negative",
    ];
    bundle.must(&[&idea[..], &["--statement", "Ask twice."]].concat());
    assert_eq!(standings(&bundle, &[]), ["games recorded", "gate recorded"]);
    bundle.must(&review(&["games", "gate"], "upheld"));
    assert_eq!(standings(&bundle, &[]), ["games reviewed", "gate reviewed"]);
    let reviewed = bundle.must(&["claims"]);
    assert!(reviewed.contains("review    upheld at size"), "{reviewed}");

    // A correction of a game changes what the first one stands on.
    let game = story().games[0].to_string();
    let why = ["--yes", "--reason", "r", "--evidence", "e"];
    bundle.must(&[&["correct", &game, "--exclude"], &why[..]].concat());
    assert_eq!(standings(&bundle, &[]), ["games stale", "gate reviewed"]);
    bundle.must(&review(&["games"], "narrowed"));
    assert_eq!(standings(&bundle, &[])[0], "games reviewed");
    bundle.must(&record("games", RIGHT, &["--supersedes", "games"]));
    let now = ["games superseded", "gate reviewed", "games recorded"];
    assert_eq!(standings(&bundle, &[]), now);
    bundle.must(&review(&["games"], "withdrawn"));
    assert_eq!(standings(&bundle, &[])[2], "games withdrawn");
    // An earlier prefix knows nothing of it.
    let size = claims(&bundle, &[])[1]["index"].to_string();
    assert_eq!(standings(&bundle, &["--at", &size]), ["games recorded"]);
}

/// A bundle of which everything inconvenient is said that there is.
fn inconvenient() -> Bundle {
    let bundle = Bundle::new();
    let game = story().games[0].to_string();
    let why = ["--reason", "it was late"];
    bundle.must(
        &[
            &["decide", "Both games count.", "--about", &game[..8]],
            &why[..],
        ]
        .concat(),
    );
    let differed = [
        "--from",
        "t",
        "--differed",
        "another clock",
        "--affected",
        &game,
    ];
    bundle.must(&[&["deviation"], &differed[..], &why].concat());
    let from = refused(
        &bundle,
        &[&["deviation", "--from", "x", "--differed", "d"], &why[..]].concat(),
    );
    assert!(from.contains("no cohort of this name (t)"), "{from}");
    let evidence = ["--yes", "--evidence", "a log"];
    bundle.must(&[&["correct", &game, "--exclude"], &why[..], &evidence].concat());
    let observe = [
        "account",
        "observe",
        "--account",
        "router",
        "--amount",
        "41.50",
    ];
    let days = [
        "--from",
        "2026-11-01",
        "--until",
        "2026-11-30",
        "--note",
        "the page",
    ];
    bundle.must(&[&observe[..], &days].concat());
    let bill = ["--part", "operating", "--total", "3", "--note", "bill 7"];
    bundle.must(&[&["billing", "correct"], &bill[..]].concat());
    bundle
}

#[test]
fn what_is_inconvenient_is_in_the_tables_of_a_release() {
    let bundle = inconvenient();
    bundle.must(&record("none", RIGHT, &["--negative"]));
    bundle.must(&review(&["none"], "upheld"));
    // What was frozen before the correction is superseded by what is frozen now.
    bundle.must(&["freeze", "t"]);
    bundle.must(&review(&["none"], "upheld"));
    bundle.must(&["release", "new", "s", "--cohort", "t", "--replace"]);
    bundle.must(&["release", "build"]);
    let text = |path: &str| String::from_utf8(bundle.read(path)).unwrap();
    let record = text("release/t/decisions.csv");
    let sorts: Vec<_> = record
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).unwrap())
        .collect();
    let expected = [
        "superseded_manifest",
        "decision",
        "deviation",
        "exclusion",
        "billing_correction",
        "negative_result",
    ];
    assert_eq!(sorts, expected, "{record}");
    let claims = text("release/t/claims.csv");
    assert!(
        claims.contains("none,observed_system_result,reviewed,upheld"),
        "{claims}"
    );
    assert!(text("release/t/claims.md").contains("reliability-csv@1 t: system=a, games_finished"));
    let json: Value = serde_json::from_str(&text("release/t/claims.json")).unwrap();
    assert_eq!(json["claims"][0]["figures"][0]["holds"], true);
}

#[test]
fn an_account_stands_beside_the_costs_and_in_none_of_them() {
    let bundle = inconvenient();
    let costs = bundle.must(&["board", "costs", "--format", "json"]);
    let costs: Value = serde_json::from_str(&costs).unwrap();
    assert_eq!(costs["account_level"][0]["amount_usd"], "41.5");
    assert!(!costs["rows"].to_string().contains("41.5"), "{costs}");
    let csv = bundle.must(&["board", "costs", "--format", "csv"]);
    assert!(
        csv.lines().next().unwrap().ends_with(",account_level_usd"),
        "{csv}"
    );
    assert!(csv.lines().last().unwrap().ends_with(",41.5"), "{csv}");
    let earlier = bundle.must(&[
        "board",
        "costs",
        "--until",
        "2026-10-31",
        "--format",
        "json",
    ]);
    assert!(!earlier.contains("account_level"), "{earlier}");
    let id = bundle.read("ledger/events/000000.jsonl");
    let id = id.split(|byte| *byte == b'\n').find(|line| {
        let kind = b"account.observed";
        line.windows(kind.len()).any(|window| window == kind)
    });
    let id = scoresheet::event::EventId::of(id.unwrap()).to_string();
    bundle.must(
        &[
            &["correct", &id, "--exclude", "--reason", "it was late"],
            &["--yes", "--evidence", "a log"][..],
        ]
        .concat(),
    );
    let none = bundle.must(&["board", "costs", "--format", "json"]);
    assert!(!none.contains("account_level"), "{none}");
}

#[test]
fn a_release_stands_under_the_rules_that_passed_it() {
    let bundle = Bundle::of(published());
    let audit = "release/audits/publication.json";
    let newest = String::from_utf8(bundle.read(audit)).unwrap();
    assert!(newest.contains("scoresheet-audit@3"), "{newest}");
    // Another version in a file that no event pins is not believed.
    bundle.edit(audit, |text| text.replacen("audit@3", "audit@1", 1));
    let outcome = bundle.run(&["reproduce"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.out.contains(audit), "{}", outcome.out);
}
