use serde_json::value::RawValue;

use crate::measure::figures::figure::{number_or_none, word_or_none};
use crate::measure::figures::{Figure, Read, Value};
use crate::measure::vectors::{Object, each, integer, list, name, number};
use crate::measure::{
    BySide, Course, Judgement, Outlook, Regret, VectorsFault, expected_points, move_accuracy,
};

/// What is tolerated where the file says nothing.
pub(crate) const TOLERANCE: f64 = 1e-6;

/// Keys of a file that are no sections. The constants are for people: those of
/// the program are in the program.
pub(crate) const ABOUT: &[&str] = &["about", "constants", "tolerance"];

pub(crate) const SECTIONS: &[(&str, Read)] = &[
    ("win_percent", win_percent),
    ("win_percent_mate", win_percent_mate),
    ("move_accuracy", accuracy_of_move),
    ("accuracy_by_diff", accuracy_by_diff),
    ("judgement", judgement),
    ("game_accuracy_white_starts", white_starts),
    ("game_accuracy_black_starts", black_starts),
    ("wdl_regret", regret),
];

type Case = Result<(Option<String>, Vec<Figure>), VectorsFault>;

/// Figures with what an object expects of each of them.
fn expecting(object: &Object<'_>, figures: Vec<Figure>) -> Result<Vec<Figure>, VectorsFault> {
    let figures = figures.into_iter();
    figures
        .map(|figure| figure.expecting(object, number_or_none))
        .collect()
}

fn win_percent(part: &RawValue) -> Case {
    let object = Object::of(part, &["cp", "win", "chances_uncapped"])?;
    let centipawns = object.need("cp", integer)?;
    let figures = vec![
        Figure::new("win", Outlook::Centipawns(centipawns).win_percent()),
        Figure::new(
            "chances_uncapped",
            crate::measure::outlook::winning_chances(centipawns),
        ),
    ];
    Ok((None, expecting(&object, figures)?))
}

fn win_percent_mate(part: &RawValue) -> Case {
    let object = Object::of(part, &["mate", "win"])?;
    let outlook = Outlook::of_mate(object.need("mate", integer)?);
    let figures = vec![Figure::new("win", outlook.win_percent())];
    Ok((None, expecting(&object, figures)?))
}

fn accuracy_of_move(part: &RawValue) -> Case {
    let keys = [
        "before_cp",
        "after_cp",
        "win_before",
        "win_after",
        "accuracy",
        "accuracy_published_no_bonus",
    ];
    let object = Object::of(part, &keys)?;
    let percent = |key| {
        let centipawns = object.need(key, integer)?;
        Ok::<_, VectorsFault>(Outlook::Centipawns(centipawns).win_percent())
    };
    let (before, after) = (percent("before_cp")?, percent("after_cp")?);
    let figures = vec![
        Figure::new("win_before", before),
        Figure::new("win_after", after),
        Figure::new("accuracy", move_accuracy(before, after)),
    ];
    Ok((None, expecting(&object, figures)?))
}

fn accuracy_by_diff(part: &RawValue) -> Case {
    let object = Object::of(part, &["diff", "accuracy"])?;
    let lost = object.need("diff", number)?;
    let figures = vec![Figure::new("accuracy", move_accuracy(lost, 0.0))];
    Ok((None, expecting(&object, figures)?))
}

/// Reads `["cp", 30]` or `["mate", -3]`.
fn outlook(part: &RawValue) -> Result<Outlook, VectorsFault> {
    let parts = list(part)?;
    let [kind, value] = parts.as_slice() else {
        let found = format!("a list of {}", parts.len());
        return Err(VectorsFault::new("[\"cp\" or \"mate\", a number]", found));
    };
    let value = integer(value).map_err(|fault| fault.inside("[1]"))?;
    match name(kind)?.as_str() {
        "cp" => Ok(Outlook::Centipawns(value)),
        "mate" => Ok(Outlook::of_mate(value)),
        _ => Err(VectorsFault::new("cp or mate", "another word").inside("[0]")),
    }
}

fn judgement(part: &RawValue) -> Case {
    let object = Object::of(part, &["before", "after", "verdict"])?;
    let before = object.need("before", outlook)?;
    let after = object.need("after", outlook)?;
    let judged = Judgement::of(before, after).map(Judgement::as_str);
    let figure = Figure::new("verdict", judged).expecting(&object, word_or_none)?;
    Ok((None, vec![figure]))
}

fn white_starts(part: &RawValue) -> Case {
    course(part, "white_pov_cps_after_each_ply", true)
}

fn black_starts(part: &RawValue) -> Case {
    course(part, "cps", false)
}

fn course(part: &RawValue, key: &'static str, is_white_first: bool) -> Case {
    let object = Object::of(part, &["id", key, "white", "black", "acpl"])?;
    let outlooks = object.need(key, |part| {
        each(part, |part| integer(part).map(Outlook::Centipawns))
    })?;
    let course = Course {
        outlooks: &outlooks,
        is_white_first,
    };
    let by_side = |names: [&'static str; 2], values: BySide| {
        [(names[0], values.white), (names[1], values.black)]
            .map(|(name, value)| Figure::new(name, Value::from(value)))
    };
    let accuracy = by_side(["white", "black"], course.accuracy());
    let mut figures = expecting(&object, accuracy.into())?;
    let loss = by_side(["acpl.white", "acpl.black"], course.centipawn_loss());
    let expected = object.have("acpl", |part| Object::of(part, &["white", "black"]))?;
    for (mut figure, key) in loss.into_iter().zip(["white", "black"]) {
        if let Some(expected) = &expected {
            figure.expected = expected
                .have(key, number_or_none)
                .map_err(|fault| fault.inside("acpl"))?;
        }
        figures.push(figure);
    }
    Ok((object.have("id", name)?, figures))
}

/// Reads chances of win, draw and loss in per mille.
fn chances(part: &RawValue) -> Result<[u32; 3], VectorsFault> {
    let chances = each(part, |part| {
        let chance = integer(part)?;
        let chance = u32::try_from(chance).ok().filter(|chance| *chance <= 1000);
        chance.ok_or_else(|| VectorsFault::new("an integer from 0 to 1000", "another one"))
    })?;
    match chances.as_slice() {
        [win, draw, loss] if win + draw + loss == 1000 => Ok([*win, *draw, *loss]),
        _ => Err(VectorsFault::new(
            "win, draw and loss, 1000 together",
            "other numbers",
        )),
    }
}

fn regret(part: &RawValue) -> Case {
    let keys = [
        "best_wdl_mover",
        "after_wdl_opponent",
        "expectation_best",
        "expectation_played",
        "regret",
        "raw",
    ];
    let object = Object::of(part, &keys)?;
    let best = object.need("best_wdl_mover", chances)?;
    let after = object.need("after_wdl_opponent", chances)?;
    let regret = Regret::of(best, after);
    let figures = vec![
        Figure::new("expectation_best", expected_points(best)),
        Figure::new("expectation_played", 1.0 - expected_points(after)),
        Figure::new("regret", regret.clamped()),
        Figure::new("raw", regret.raw()),
    ];
    Ok((None, expecting(&object, figures)?))
}
