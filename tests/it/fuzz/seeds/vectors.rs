//! Small files of Glicko-2 vectors.

use super::{Named, texts};

const SINGLE: &str = r#"{"single_player_periods":[{"id":"paper","tau":0.5,"player":{"rating":1500,"rd":200,"vol":"0.06"},"games":[{"opp_rating":1400,"opp_rd":30,"score":1},{"opp_rating":1550,"opp_rd":100,"score":0},{"opp_rating":1700,"opp_rd":300,"score":0}],"note":"","expected":{"rating":"1464.05067053908925","rd":"151.516524124304315","vol":"0.0599959844006778356"},"intermediate":{"v":"1.8"},"roots_of_f":1}]}"#;

pub(crate) fn all() -> Named {
    texts([
        ("single", SINGLE),
        (
            "tolerance",
            &SINGLE.replacen(
                '{',
                r#"{"about":"a","recommended_tolerance":{"eps_1e_6":{"rating":1e-5,"rd":1e-5,"vol":1e-7},"eps_1e_12":{"rating":1e-8,"rd":1e-8,"vol":"1E-11"}},"#,
                1,
            ),
        ),
        (
            "pair",
            r#"{"two_player_no_inflation":[{"id":"p","tau":0.75,"white":{"rating":1500,"rd":350,"vol":0.06},"black":[1500,350,0.06],"white_score":1,"expected_white":["1662.21200147034543","290.230507782238625","0.0599992696017985516"]}]}"#,
        ),
        (
            "sequence",
            r#"{"sequential":[{"id":"s","tau":0.5,"init":{"A":[1500,350,0.06],"B":[1500,350,0.06],"C":[1500,350,0.06]},"step6_inflation":true,"games":[{"white":"C","black":"A","white_score":1,"after":{"C":["1662.3","290.3","0.06"],"A":["1337.6","290.3","0.06"]}},{"white":"B","black":"A","white_score":0.5}],"final":{"A":[0,0,0],"B":[0,0,0],"C":[0,0,0]}}]}"#,
        ),
        (
            "placement",
            r#"{"rating_periods":[{"id":"r","tau":0.5,"init":{"P1":[1500,350,0.06],"P2":[1500,350,0.06]},"games":[["P1","P2",0.5],["P2","P1",0]],"final":{"P1":{"games":2,"points":1.5,"rating":"1623.65903361107209","rd":"253.404600016699327","vol":"0.0599988319308744376"},"P2":[1376,253,0.06]}}]}"#,
        ),
        ("unrated", &SINGLE.replace(r#""tau":0.5"#, r#""tau":0"#)),
        ("far", &SINGLE.replace(r#""rd":200"#, r#""rd":1e308"#)),
        ("not-finite", &SINGLE.replace("1400", "1e309")),
        ("not-a-number", &SINGLE.replace("\"0.06\"", "\"NaN\"")),
        ("repeated-key", &SINGLE.replace(r#""note""#, r#""tau""#)),
        ("unknown-section", &SINGLE.replace("single_player", "singel_player")),
        ("surrogate", &SINGLE.replace("paper", r"\ud800")),
        ("empty", "{}"),
    ])
}
