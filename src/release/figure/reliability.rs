use crate::board::{ReliabilityBoard, Table, reliability_figures};
use crate::release::asked::Asked;
use crate::release::figure::fixed::fixed;
use crate::release::figure::sheet::{ENDS, Sheet};
use crate::release::figure::{Figure, Made, cell, prefix_in_words};

/// The kinds of endings of a call, with the column that counts them, the beginning
/// of the columns of their classes, and their color.
const KINDS: [(&str, &str, &str, &str); 3] = [
    ("accepted", "answers_accepted", "accepted_", "four"),
    ("rejected", "answers_rejected", "rejected_", "two"),
    ("failed", "calls_failed", "failed_", "three"),
];

/// How reliably systems answer, as stacked bars.
pub(crate) fn reliability(asked: &Asked<'_>) -> Made {
    let cohort = asked.value("cohort");
    let board = ReliabilityBoard::of(asked.projection, cohort, asked.source.clone())?;
    let of = cohort.map_or_else(
        || "everything that was asked".to_owned(),
        |one| format!("cohort {one}"),
    );
    let statuses = board.rows.iter().map(|row| row.evidence_status);
    let status = statuses.min().map_or("none", |status| status.as_str());
    Ok(Figure {
        title: format!("Reliability: {of}"),
        heading: vec![
            format!("Evidence: {status}. Shares of answers and failed calls, counts beside them."),
            prefix_in_words(asked),
        ],
        notes: vec!["Green: answers that were accepted. Orange: rejected answers, an interface failure, cut by class. Violet: failed calls, a provider failure, cut by class. None of them says how good a move is.".to_owned()],
        table: reliability_figures(&board)?,
        draw,
    }
    .written(asked))
}

fn count(table: &Table, row: &[String], column: &str) -> i128 {
    fixed(cell(table, row, column), 0).unwrap_or_default()
}

fn draw(sheet: &mut Sheet, table: &Table) -> Vec<String> {
    let mut said = Vec::new();
    if table.rows().is_empty() {
        said.push("Nothing was asked.".to_owned());
        sheet.paragraph("Nothing was asked.", 13, "figure");
    }
    for row in table.rows() {
        let of = |column| cell(table, row, column);
        let name = of("system");
        let set = format!("{} ({}), n {}", of("set"), of("task"), of("units"));
        sheet.named(name, &set);
        let counts = counts(table, row);
        sheet.paragraph(&counts, 11, "small");
        bar(sheet, table, row);
        said.push(format!("{name}, {set}: {counts}."));
    }
    said
}

/// The counts of a row in words, by class where there are classes, and what they
/// never stand without.
fn counts(table: &Table, row: &[String]) -> String {
    let of = |column| cell(table, row, column);
    let mut words = Vec::new();
    for (kind, column, prefix, _) in KINDS {
        let classes = classes(table, row, prefix);
        let classes: Vec<_> = classes
            .iter()
            .map(|(class, count)| format!("{class} {count}"))
            .collect();
        words.push(match classes.as_slice() {
            [] => format!("{kind} {}", of(column)),
            classes => format!("{kind} {} ({})", of(column), classes.join(", ")),
        });
    }
    let openings = match of("openings") {
        "1" => "1 opening".to_owned(),
        count => format!("{count} openings"),
    };
    format!(
        "{}; {} of {} calls answered; forfeits {}; {}W {}B, {openings}; assistance {}; {}",
        words.join(", "),
        of("calls_answered"),
        of("calls_sent"),
        of("forfeits"),
        of("white"),
        of("black"),
        of("assistance"),
        of("evidence_status"),
    )
}

/// The classes of a kind that there are, with their counts.
fn classes<'a>(table: &'a Table, row: &[String], prefix: &str) -> Vec<(&'a str, i128)> {
    let columns = table
        .columns()
        .iter()
        .filter(|one| *one != "rejected_percent");
    let of_kind = columns.filter_map(|one| Some((one.as_ref(), one.strip_prefix(prefix)?)));
    let counted = of_kind.map(|(column, class)| (class, count(table, row, column)));
    counted.filter(|(_, count)| *count != 0).collect()
}

/// Draws the bar of a row: a part a class, as wide as its share.
fn bar(sheet: &mut Sheet, table: &Table, row: &[String]) {
    let total: i128 = KINDS
        .iter()
        .map(|(_, column, ..)| count(table, row, column))
        .sum();
    let (width, height) = (ENDS[1] - ENDS[0], 140);
    sheet.y += 80;
    let at = [ENDS[0], sheet.y];
    sheet.drawing.bar(at, [width, height], "track");
    let mut taken = 0;
    for (_, column, prefix, color) in KINDS {
        let all = count(table, row, column);
        let classes = classes(table, row, prefix);
        let mut parts: Vec<_> = classes.iter().map(|(_, count)| *count).collect();
        let rest = all - parts.iter().sum::<i128>();
        parts.extend((0 < rest).then_some(rest));
        for part in parts {
            let ends = [taken, taken + part].map(|count| ENDS[0] + count * width / total.max(1));
            let size = [ends[1] - ends[0], height];
            let class = format!("{color} cut");
            sheet.drawing.bar([ends[0], at[1]], size, &class);
            taken += part;
        }
    }
    sheet.y += height + 120;
}
