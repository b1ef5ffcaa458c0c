use crate::board::{AnchoredBoard, Table, anchored_figures, figures, placement};
use crate::release::asked::Asked;
use crate::release::figure::drawing::Anchor;
use crate::release::figure::fixed::{Side, fixed, one_digit, ticks};
use crate::release::figure::sheet::{ENDS, Sheet};
use crate::release::figure::{Figure, Made, cell, prefix_in_words};

/// The columns of the table, each with what it is called on a placement board and
/// on an anchored one. A name that stands in neither is the value itself.
pub(super) const COLUMNS: [(&str, &str, &str); 20] = [
    ("system", "system", "system"),
    ("system_id", "system_id", "system_id"),
    ("rating_kind", "=estimate", "rating_kind"),
    ("rating", "rating", "rating"),
    ("bound", "=", "bound"),
    ("interval_low", "interval_low", "interval_low"),
    ("interval_high", "interval_high", "interval_high"),
    ("n", "games", "games"),
    ("wins", "wins", "wins"),
    ("draws", "draws", "draws"),
    ("losses", "losses", "losses"),
    ("white_games", "white_games", "white_games"),
    ("black_games", "black_games", "black_games"),
    ("openings", "openings", "openings"),
    ("assistance", "assistance", "assistance"),
    ("evidence_status", "evidence_status", "evidence_status"),
    ("calls_answered", "calls_answered", "calls_answered"),
    (
        "completion_tokens_of",
        "completion_tokens_reported_of",
        "completion_tokens_of",
    ),
    ("cost_of", "cost_reported_of", "list_usd_of"),
    ("cost_basis", "=reported", "cost_basis"),
];

/// The ratings of a cohort: of its placement board or, where it is measured
/// against anchors, of its anchored board.
pub(crate) fn ratings(asked: &Asked<'_>) -> Made {
    let (projection, cohort) = (asked.projection, asked.cohort());
    let schedule = projection.schedules.cohort(cohort);
    let is_anchored = schedule.is_some_and(|one| one.committed.rule.has_anchors());
    let source = asked.source.clone();
    let (board, standing, protocol, status, scale) = if is_anchored {
        let board = AnchoredBoard::of(projection, cohort, source)?;
        let standing = if board.is_complete {
            "Every registered cell has a result or is released"
        } else {
            "Registered cells are open"
        };
        (
            anchored_figures(&board)?,
            standing.to_owned(),
            board.protocol,
            board.evidence_status,
            "Ratings against anchors of fixed rating, each system alone.",
        )
    } else {
        let board = placement(projection, cohort, source)?;
        (
            figures(&board)?,
            board.standing(),
            board.protocol.clone(),
            board.evidence_status,
            "Glicko-2 of this cohort alone; it gives a perfect score a finite rating too.",
        )
    };
    let status = status.as_str();
    Ok(Figure {
        title: format!("Ratings of cohort {cohort}"),
        heading: vec![
            format!("Protocol {protocol}. Evidence: {status}. {standing}."),
            prefix_in_words(asked),
        ],
        notes: vec![
            scale.to_owned(),
            "A dot is an estimate and the line through it its 95 % interval; an arrow is a one-sided 95 % bound, which is no estimate. Systems whose intervals overlap are not told apart.".to_owned(),
        ],
        table: table(&board, is_anchored),
        draw,
    }
    .written(asked))
}

/// The table of the figure, from that of the board.
fn table(board: &Table, is_anchored: bool) -> Table {
    let columns: Vec<_> = COLUMNS.iter().map(|(column, ..)| *column).collect();
    let mut table = Table::new(columns);
    for row in board.rows() {
        let cells = COLUMNS.iter().map(|(_, of_placement, of_anchored)| {
            let name = if is_anchored {
                of_anchored
            } else {
                of_placement
            };
            match name.strip_prefix('=') {
                // Nobody bills an engine's calls.
                Some("reported") if cell(board, row, "cost_state") == "not_applicable" => "n/a",
                Some(value) => value,
                None => cell(board, row, name),
            }
            .to_owned()
        });
        table.push(cells.collect());
    }
    table
}

/// Tenths of a point on tenths of a unit.
struct Scale {
    low: i128,
    high: i128,
}

impl Scale {
    /// The scale of everything finite in the table, with room at both ends.
    fn of(table: &Table) -> Self {
        let columns = ["rating", "bound", "interval_low", "interval_high"];
        let rows = table.rows().iter();
        let all = rows.flat_map(|row| columns.map(|column| fixed(cell(table, row, column), 1)));
        let all: Vec<i128> = all.flatten().collect();
        let low = all.iter().min().copied().unwrap_or_default();
        let high = all.iter().max().copied().unwrap_or_default();
        let room = ((high - low) / 12).max(500);
        Self {
            low: low - room,
            high: high + room,
        }
    }

    const fn place(&self, points: i128) -> i128 {
        ENDS[0] + (points - self.low) * (ENDS[1] - ENDS[0]) / (self.high - self.low)
    }
}

pub(super) fn draw(sheet: &mut Sheet, table: &Table) -> Vec<String> {
    let scale = Scale::of(table);
    let mut said = Vec::new();
    if table.rows().is_empty() {
        sheet.paragraph("No system has a game that counts.", 13, "figure");
        return vec!["No system has a game that counts.".to_owned()];
    }
    for row in table.rows() {
        let of = |column| cell(table, row, column);
        let (name, level) = (of("system"), level(table, row));
        sheet.named(name, &level);
        let details = details(table, row);
        sheet.paragraph(&details, 11, "small");
        sheet.y += 150;
        let grid = ticks(scale.low / 10, scale.high / 10, 8);
        for mark in &grid {
            let x = scale.place(mark * 10);
            sheet
                .drawing
                .line([x, sheet.y - 80], [x, sheet.y + 80], "grid");
        }
        mark(sheet, table, row, &scale);
        sheet.y += 130;
        said.push(format!("{name}: {level}; {details}."));
    }
    sheet.y += 130;
    for mark in ticks(scale.low / 10, scale.high / 10, 8) {
        let place = [scale.place(mark * 10), sheet.y];
        let text = mark.to_string();
        sheet.drawing.text(place, "small", Anchor::Middle, &text);
    }
    said
}

/// Draws an estimate with its interval, or a bound.
fn mark(sheet: &mut Sheet, table: &Table, row: &[String], scale: &Scale) {
    let at = |column: &str| fixed(cell(table, row, column), 1).map(|points| scale.place(points));
    let y = sheet.y;
    if let Some(x) = at("rating") {
        // What reaches beyond all ratings goes to the end of the picture.
        let low = at("interval_low").unwrap_or(ENDS[0]);
        let high = at("interval_high").unwrap_or(ENDS[1]);
        if !cell(table, row, "interval_low").is_empty() {
            sheet.drawing.line([low, y], [high, y], "one-line");
        }
        for (column, x, way) in [("interval_low", low, -1), ("interval_high", high, 1)] {
            match cell(table, row, column) {
                "-inf" | "+inf" => sheet.drawing.head([x, y], way, "one"),
                "" => {}
                _ => sheet.drawing.line([x, y - 50], [x, y + 50], "one-line"),
            }
        }
        sheet.drawing.dot([x, y], "one");
    } else if let Some(x) = at("bound") {
        let way = if cell(table, row, "rating_kind") == "at_least" {
            1
        } else {
            -1
        };
        let end = x + way * 700;
        sheet.drawing.line([x, y - 60], [x, y + 60], "two-line");
        sheet.drawing.line([x, y], [end - way * 80, y], "two-line");
        sheet.drawing.head([end, y], way, "two");
    }
}

/// A rating in words, to a tenth of a point; a bound to its open side.
fn level(table: &Table, row: &[String]) -> String {
    let of = |column| cell(table, row, column);
    let rounded = |text: &str, side| match text {
        "-inf" => "below all".to_owned(),
        "+inf" => "above all".to_owned(),
        text => one_digit(text, side).unwrap_or_else(|| "unknown".to_owned()),
    };
    let near = |column| rounded(of(column), Side::Near);
    match of("rating_kind") {
        "estimate" if of("interval_low").is_empty() => {
            format!("{} without an interval", near("rating"))
        }
        "estimate" => format!(
            "{} ({} to {})",
            near("rating"),
            near("interval_low"),
            near("interval_high")
        ),
        "at_least" => format!("at least {}", rounded(of("bound"), Side::Down)),
        "at_most" => format!("at most {}", rounded(of("bound"), Side::Up)),
        _ => "no fit".to_owned(),
    }
}

/// What a rating never stands without.
fn details(table: &Table, row: &[String]) -> String {
    let of = |column| cell(table, row, column);
    let openings = match of("openings") {
        "1" => "1 opening".to_owned(),
        count => format!("{count} openings"),
    };
    let cost = match of("cost_basis") {
        "n/a" => "no price".to_owned(),
        basis => format!("cost ({basis}) of {} calls", of("cost_of")),
    };
    format!(
        "n {}, W-D-L {}-{}-{}, {}W {}B, {openings}, assistance {}, {}, tokens of {} calls, {cost}",
        of("n"),
        of("wins"),
        of("draws"),
        of("losses"),
        of("white_games"),
        of("black_games"),
        of("assistance"),
        of("evidence_status"),
        of("completion_tokens_of"),
    )
}
