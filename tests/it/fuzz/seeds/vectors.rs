//! Small files of Glicko-2 vectors and of figures.

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
        (
            "grading",
            r#"{"win_percent":[{"cp":15,"win":"51.38","chances_uncapped":0.02}],"win_percent_mate":[{"mate":-1,"win":2.5}],"move_accuracy":[{"before_cp":15,"after_cp":-9,"accuracy":90}],"accuracy_by_diff":[{"diff":5.0,"accuracy":"80.8"}],"judgement":[{"before":["cp",0],"after":["mate",-3],"verdict":"blunder"}],"game_accuracy_white_starts":[{"id":"g","white_pov_cps_after_each_ply":[15,-900,3],"white":1,"black":null,"acpl":{"white":9,"black":0}}],"game_accuracy_black_starts":[{"cps":[15]}],"wdl_regret":[{"best_wdl_mover":[100,880,20],"after_wdl_opponent":[30,900,70],"regret":0.02}]}"#,
        ),
        (
            "match",
            r#"{"tolerance":0.01,"wdl":[{"id":"w","stats":[76,89,123],"nelo":-20.76,"los":"15.53 %"},{"stats":[9,0,0],"elo":null,"elo_at_least":165}],"penta":[{"stats":[34,54,31,32,64,75],"elo":55.58}],"sprt_logistic_trinomial":[{"stats":[214,211,407],"elo0":0.5,"elo1":2.5,"llr":-0.02,"state":"goes on"}],"sprt_logistic_pentanomial":[{"stats":[3,5,3,3,6,7],"elo0":0,"elo1":5,"alpha":0.01,"beta":0.05}]}"#,
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
