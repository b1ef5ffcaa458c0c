use crate::board::{CostBoard, CostsBy, LineKind, Table};
use crate::canonical::Total;
use crate::projection::CostFigures;
use crate::release::asked::Asked;
use crate::release::figure::drawing::Anchor;
use crate::release::figure::fixed::{fixed, ticks};
use crate::release::figure::sheet::{ENDS, Sheet};
use crate::release::figure::{Figure, cell, prefix_in_words};

/// How one basis is read off: how much of it there is, and US dollars.
type Basis = fn(&CostFigures) -> (u64, Total);

/// The bases, which are never added up, with their colors.
const BASES: [(&str, Basis, &str); 4] = [
    ("reported", |one| (one.reported, one.reported_usd), "one"),
    ("estimated", |one| (one.estimated, one.estimated_usd), "two"),
    ("bills", |one| (one.bills, one.corrected_usd), "three"),
    ("expenses", |one| (one.expenses, one.expenses_usd), "four"),
];

/// Costs so far, along the days.
pub(crate) fn costs(asked: &Asked<'_>) -> Vec<u8> {
    let source = asked.source.clone();
    let board = crate::board::costs(asked.projection, CostsBy::Part, None, None, source);
    let days = board.range.as_ref();
    let days = days.map_or_else(|| "no costs yet".to_owned(), ToString::to_string);
    Figure {
        title: "Costs so far, by basis".to_owned(),
        heading: vec![
            format!("All cohorts and eras, {days} (UTC), US dollars. Evidence: as each cohort has it; a cost claims nothing."),
            prefix_in_words(asked),
        ],
        notes: vec![
            "Each basis has a line of its own, and none is added to another. Reported: what providers charge. Estimated: tokens at a saved price where no charge is reported. Bills: by how much they differ from what was recorded. Expenses: what was spent on operating.".to_owned(),
            "Gray: the cost of some calls is unknown. No line is drawn there, and after it a line says at least so much. What accounts spent, and what players pay themselves, is in no line.".to_owned(),
        ],
        table: table(&board),
        draw,
    }
    .written(asked)
}

/// One row an interval and basis.
fn table(board: &CostBoard) -> Table {
    let mut table = Table::new(vec![
        "from",
        "until",
        "basis",
        "usd",
        "usd_so_far",
        "is_at_least",
        "calls_ended",
        "entries_known",
        "calls_unknown",
        "calls_without_price",
    ]);
    let total = board.lines.iter().find(|line| line.kind == LineKind::Total);
    let each = total.map_or(&[][..], |line| &line.each);
    for (basis, read, _) in BASES {
        let (mut so_far, mut is_known, mut is_at_least) = (Total::ZERO, false, false);
        for (days, figures) in board.intervals.iter().zip(each) {
            let (count, usd) = read(figures);
            // What calls cost says nothing of bills and expenses.
            let unknown = match basis {
                "reported" | "estimated" => figures.billed().saturating_sub(figures.priced()),
                _ => 0,
            };
            so_far += usd;
            is_known |= count != 0;
            is_at_least |= unknown != 0;
            let known = |is_known: bool, usd: Total| {
                if is_known {
                    usd.to_string()
                } else {
                    String::new()
                }
            };
            table.push(vec![
                days.from.to_string(),
                days.until.to_string(),
                basis.to_owned(),
                known(count != 0, usd),
                known(is_known, so_far),
                is_at_least.to_string(),
                figures.ended.to_string(),
                count.to_string(),
                unknown.to_string(),
                figures.unbilled.to_string(),
            ]);
        }
    }
    table
}

/// The height of the picture, and the room for the amounts at its left.
const HEIGHT: i128 = 2600;
const LABELS: i128 = 900;

/// Millionths of a dollar on tenths of a unit.
struct Scale {
    top: i128,
    low: i128,
    high: i128,
}

impl Scale {
    fn of(table: &Table, top: i128) -> Self {
        let rows = table.rows().iter();
        let all: Vec<_> = rows
            .filter_map(|row| fixed(cell(table, row, "usd_so_far"), 6))
            .collect();
        let low = all.iter().min().copied().unwrap_or_default().min(0);
        let high = all.iter().max().copied().unwrap_or_default();
        Self {
            top,
            low,
            high: high.max(low + 100),
        }
    }

    const fn place(&self, usd: i128) -> i128 {
        self.top + HEIGHT - (usd - self.low) * HEIGHT / (self.high - self.low)
    }
}

fn draw(sheet: &mut Sheet, table: &Table) -> Vec<String> {
    let mut said = Vec::new();
    let days: Vec<&Vec<String>> = rows_of(table, BASES[0].0).collect();
    for (basis, _, color) in BASES {
        let words = last(table, basis);
        sheet.y += 190;
        let y = sheet.y;
        sheet.drawing.bar([ENDS[0], y - 100], [200, 100], color);
        sheet
            .drawing
            .text([ENDS[0] + 280, y], "figure", Anchor::Start, &words);
        said.push(format!("{words}."));
    }
    let is_known = table
        .rows()
        .iter()
        .any(|row| !cell(table, row, "usd_so_far").is_empty());
    if days.is_empty() || !is_known {
        return said;
    }
    sheet.y += 200;
    let scale = Scale::of(table, sheet.y);
    let left = ENDS[0] + LABELS;
    let columns = i128::try_from(days.len()).unwrap_or(1);
    let x = |place: i128| left + place * (ENDS[1] - left) / columns;
    for mark in ticks(scale.low, scale.high, 6) {
        let y = scale.place(mark);
        sheet.drawing.line([left, y], [ENDS[1], y], "grid");
        let place = [left - 80, y + 40];
        sheet
            .drawing
            .text(place, "small", Anchor::End, &dollars(mark));
    }
    for (place, row) in (0..).zip(&days) {
        let ends = [x(place), x(place + 1)];
        if cell(table, row, "calls_unknown") != "0" {
            let size = [ends[1] - ends[0], HEIGHT];
            sheet.drawing.bar([ends[0], scale.top], size, "unknown");
            let from = cell(table, row, "from");
            let unknown = cell(table, row, "calls_unknown");
            said.push(format!(
                "From {from} on the cost of {unknown} calls is unknown."
            ));
        }
        let day = cell(table, row, "from").get(5..).unwrap_or_default();
        let middle = [i128::midpoint(ends[0], ends[1]), scale.top + HEIGHT + 180];
        sheet.drawing.text(middle, "small", Anchor::Middle, day);
    }
    for (basis, _, color) in BASES {
        let class = format!("{color}-line");
        steps(sheet, table, basis, &scale, &class, &x);
    }
    sheet.y = scale.top + HEIGHT + 200;
    said
}

fn rows_of<'a>(table: &'a Table, basis: &'a str) -> impl Iterator<Item = &'a Vec<String>> {
    let rows = table.rows().iter();
    rows.filter(move |row| cell(table, row, "basis") == basis)
}

/// Draws a basis as steps, but for the intervals with unknown costs.
fn steps(
    sheet: &mut Sheet,
    table: &Table,
    basis: &str,
    scale: &Scale,
    class: &str,
    x: &impl Fn(i128) -> i128,
) {
    let mut before = None;
    for (place, row) in (0..).zip(rows_of(table, basis)) {
        let usd = fixed(cell(table, row, "usd_so_far"), 6);
        let y = usd.map(|usd| scale.place(usd));
        let y = y.filter(|_| cell(table, row, "calls_unknown") == "0");
        if let (Some(before), Some(y)) = (before, y) {
            sheet.drawing.line([x(place), before], [x(place), y], class);
        }
        if let Some(y) = y {
            sheet.drawing.line([x(place), y], [x(place + 1), y], class);
        }
        before = y;
    }
}

/// What a basis has come to, in words.
fn last(table: &Table, basis: &str) -> String {
    let known: i128 = rows_of(table, basis)
        .filter_map(|row| fixed(cell(table, row, "entries_known"), 0))
        .sum();
    let Some(row) = rows_of(table, basis).last().filter(|_| known != 0) else {
        return match basis {
            "reported" | "estimated" => format!("{basis}: of no call, which is not zero"),
            _ => format!("{basis}: none recorded"),
        };
    };
    let (usd, what) = (
        cell(table, row, "usd_so_far"),
        match basis {
            "reported" | "estimated" => "calls",
            _ => "entries",
        },
    );
    let least = match cell(table, row, "is_at_least") {
        "true" if what == "calls" => "at least ",
        _ => "",
    };
    format!("{basis}: {least}{usd} of {known} {what}")
}

/// Millionths of a dollar as dollars, without zeros at the end.
fn dollars(millionths: i128) -> String {
    let sign = if millionths < 0 { "-" } else { "" };
    let number = millionths.unsigned_abs();
    let text = format!("{sign}{}.{:06}", number / 1_000_000, number % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
