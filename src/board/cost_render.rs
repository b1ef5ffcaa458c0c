use serde_json::json;

use crate::board::account_level::{ACCOUNT_LEVEL, account_level, beside_accounts};
use crate::board::page::{WIDTH, folded, ratio};
use crate::board::{CostBoard, CostsBy, Format, SystemCosts, Table};
use crate::canonical::Total;
use crate::projection::{CostFigures, CostState};

/// Digits behind the point, for people. CSV and JSON have all of them.
const DIGITS: u32 = 6;

/// Where the figures come from.
const BASIS: &str = "A call costs what its provider reports or what is looked up later (reported), else its tokens at the saved price (estimated), else it is unknown, which is never zero. An engine's calls have no price: n/a.";

/// What is where.
const PLACES: &str = "Costs count on the UTC day on which their call ended, expenses and bills on that of their event. Bills count by their difference only. Every charge is the requesting system's; both players' are counted once.";

const SUBTOTAL: &str = "Benchmark LLM cost is placement games and continuous benchmark together; the total does not add it again.";

const SYSTEMS: &str = "Cost per game: the average over completed benchmark games with complete pricing. Rejected: of answered attempts at a move; failed calls are left out. Output includes reasoning.";

/// Returns the breakdown as bytes that end in a newline.
pub fn render_costs(board: &CostBoard, format: Format) -> Vec<u8> {
    match format {
        Format::Text => text(board).into_bytes(),
        Format::Json => json_text(board).into_bytes(),
        Format::Csv => cost_figures(board).csv(),
        Format::Markdown => markdown(board).into_bytes(),
    }
}

impl CostBoard {
    fn heading(&self) -> [String; 3] {
        let rows = match self.by {
            CostsBy::Part => "by part",
            CostsBy::System => "by system and thinking setup",
        };
        let days = self.range.as_ref();
        let days = days.map_or_else(|| "no costs yet".to_owned(), ToString::to_string);
        let source = &self.source;
        [
            format!("Cost breakdown {rows}"),
            format!("{days} (UTC), across rating eras, in US dollars"),
            format!(
                "From the first {} events of {}, root {}",
                source.size, source.origin, source.root
            ),
        ]
    }

    fn breakdown(&self) -> Table {
        let mut table = Table::new(vec![
            self.first_column(),
            "Cost",
            "Reported",
            "Estimated",
            "Bills",
            "Expenses",
            "Priced calls",
        ]);
        for line in &self.lines {
            let all = &line.all;
            let part = |count: u64, usd: Total| match count {
                0 => "-".to_owned(),
                _ => shown(usd),
            };
            table.push(vec![
                line.label.clone(),
                cost(all, "n/a"),
                part(all.reported, all.reported_usd),
                part(all.estimated, all.estimated_usd),
                part(all.bills, all.corrected_usd),
                part(all.expenses, all.expenses_usd),
                coverage(all),
            ]);
        }
        table
    }

    fn timeline(&self) -> Table {
        let columns = self.intervals.iter().map(ToString::to_string);
        let first = self.first_column().to_owned();
        let mut table = Table::new(std::iter::once(first).chain(columns).collect());
        for line in &self.lines {
            let cells = line.each.iter().map(|figures| cost(figures, "-"));
            table.push(std::iter::once(line.label.clone()).chain(cells).collect());
        }
        table
    }

    const fn first_column(&self) -> &'static str {
        match self.by {
            CostsBy::Part => "Part",
            CostsBy::System => "System",
        }
    }

    fn conduct(&self) -> Table {
        let mut table = Table::new(vec![
            "System",
            "Thinking setup",
            "Cost per game",
            "Priced games",
            "Response time",
            "Output tokens",
            "Known of",
            "Rejected",
        ]);
        for system in &self.systems {
            let figures = &system.figures;
            let average = system.cost_per_game.average();
            let unknown = || "unknown".to_owned();
            let no_average = || match figures.billed() {
                0 => "n/a".to_owned(),
                _ => unknown(),
            };
            let output = match figures.output_known {
                0 => unknown(),
                _ => figures.output_tokens.to_string(),
            };
            table.push(vec![
                system.name.clone(),
                system.setup.clone(),
                average.map_or_else(no_average, shown),
                match figures.billed() {
                    0 => "n/a".to_owned(),
                    _ => format!("{} of {}", system.cost_per_game.games, system.completed),
                },
                system
                    .response_ms()
                    .map_or_else(unknown, |ms| format!("{ms} ms")),
                output,
                format!("{} of {}", figures.output_known, figures.answered),
                match system.rejected_percent() {
                    None => "n/a".to_owned(),
                    Some(percent) => {
                        format!(
                            "{percent} % ({} of {})",
                            figures.rejected,
                            figures.attempts()
                        )
                    }
                },
            ]);
        }
        table
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![BASIS.to_owned(), PLACES.to_owned(), SUBTOTAL.to_owned()];
        let is_partly = |figures: &CostFigures| figures.state() == CostState::Partial;
        if self.lines.iter().any(|line| is_partly(&line.all)) {
            notes.push("+: the cost of some of the calls is unknown.".to_owned());
        }
        if self.by == CostsBy::System {
            notes.push(SYSTEMS.to_owned());
        }
        if !self.accounts.is_empty() {
            notes.push(ACCOUNT_LEVEL.to_owned());
        }
        if self.byok_calls != 0 {
            notes.push(format!(
                "Calls of games that people pay for themselves (BYOK), in no sum here: {}.",
                self.byok_calls
            ));
        }
        notes
    }
}

impl SystemCosts {
    /// Milliseconds from request to answer on average, over answered calls.
    fn response_ms(&self) -> Option<String> {
        let figures = &self.figures;
        ratio(figures.answered_ms, figures.answered, 1, 0)
    }

    /// Rejected of answered attempts in percent, to one digit.
    fn rejected_percent(&self) -> Option<String> {
        ratio(self.figures.rejected, self.figures.attempts(), 100, 1)
    }
}

/// An amount for people.
fn shown(usd: Total) -> String {
    let rounded = usd.rounded(DIGITS);
    match (rounded == Total::ZERO, usd == Total::ZERO) {
        (true, false) if usd.is_negative() => ">-0.000001".to_owned(),
        (true, false) => "<0.000001".to_owned(),
        _ => rounded.to_string(),
    }
}

/// What is known of a cost, for people: never zero where it is not known.
fn cost(figures: &CostFigures, nothing: &str) -> String {
    match figures.known_usd() {
        Some(usd) if figures.is_complete() => shown(usd),
        Some(usd) => format!("{}+", shown(usd)),
        None if figures.ended == 0 => nothing.to_owned(),
        None if figures.billed() == 0 => "n/a".to_owned(),
        None => "unknown".to_owned(),
    }
}

fn coverage(figures: &CostFigures) -> String {
    match figures.billed() {
        0 => "n/a".to_owned(),
        billed => format!("{} of {billed}", figures.priced()),
    }
}

fn text(board: &CostBoard) -> String {
    let mut blocks = vec![board.heading().join("\n")];
    blocks.extend(board.breakdown().markdown_within(WIDTH));
    if !board.intervals.is_empty() {
        blocks.extend(board.timeline().markdown_within(WIDTH));
    }
    if board.by == CostsBy::System && !board.systems.is_empty() {
        blocks.extend(board.conduct().markdown_within(WIDTH));
    }
    if !board.accounts.is_empty() {
        blocks.extend(account_level(&board.accounts).markdown_within(WIDTH));
    }
    let notes: Vec<_> = board.notes().iter().map(|note| folded(note)).collect();
    let blocks: Vec<_> = blocks.iter().map(|block| block.trim_end()).collect();
    format!("{}\n\n{}\n", blocks.join("\n\n"), notes.join("\n"))
}

fn markdown(board: &CostBoard) -> String {
    let [title, days, source] = board.heading();
    let mut blocks = vec![format!("# {title}"), days, source];
    blocks.push(board.breakdown().markdown());
    if !board.intervals.is_empty() {
        blocks.push(board.timeline().markdown());
    }
    if board.by == CostsBy::System && !board.systems.is_empty() {
        blocks.push(board.conduct().markdown());
    }
    if !board.accounts.is_empty() {
        blocks.push(account_level(&board.accounts).markdown());
    }
    blocks.extend(board.notes());
    let blocks: Vec<_> = blocks.iter().map(|block| block.trim_end()).collect();
    format!("{}\n", blocks.join("\n\n"))
}

/// Every figure: one row for each line of the breakdown, and one for each of
/// its intervals. What is not known is empty, and so is what has no price: the
/// state tells them apart.
///
/// Where accounts were observed, they have rows of the kind `account_level` and
/// a column of their own, which no other row has anything in.
pub fn cost_figures(board: &CostBoard) -> Table {
    let table = breakdown_figures(board);
    if board.accounts.is_empty() {
        return table;
    }
    beside_accounts(table, &board.accounts)
}

fn breakdown_figures(board: &CostBoard) -> Table {
    let mut table = Table::new(vec![
        "span",
        "from",
        "until",
        "kind",
        "key",
        "label",
        "setup",
        "cost_usd",
        "cost_state",
        "reported_usd",
        "estimated_usd",
        "bills_usd",
        "expenses_usd",
        "calls_ended",
        "calls_reported",
        "calls_estimated",
        "calls_without_price",
    ]);
    let Some(range) = board.range else {
        return table;
    };
    for line in &board.lines {
        let whole = std::iter::once(("range", &range, &line.all));
        let each = board.intervals.iter().zip(&line.each);
        let each = each.map(|(interval, figures)| ("interval", interval, figures));
        for (span, days, figures) in whole.chain(each) {
            let part = |count: u64, usd: Total| match count {
                0 => String::new(),
                _ => usd.to_string(),
            };
            let known = figures.known_usd();
            table.push(vec![
                span.to_owned(),
                days.from.to_string(),
                days.until.to_string(),
                line.kind.as_str().to_owned(),
                line.key.clone(),
                line.label.clone(),
                line.setup.clone().unwrap_or_default(),
                known.map_or_else(String::new, |usd| usd.to_string()),
                figures.state().as_str().to_owned(),
                part(figures.reported, figures.reported_usd),
                part(figures.estimated, figures.estimated_usd),
                part(figures.bills, figures.corrected_usd),
                part(figures.expenses, figures.expenses_usd),
                figures.ended.to_string(),
                figures.reported.to_string(),
                figures.estimated.to_string(),
                figures.unbilled.to_string(),
            ]);
        }
    }
    table
}

/// What benchmark games took, every figure.
fn conduct_figures(board: &CostBoard) -> Table {
    let mut table = Table::new(vec![
        "system",
        "system_id",
        "setup",
        "cost_per_game_usd",
        "cost_per_game_state",
        "games_priced",
        "games_completed",
        "calls_answered",
        "response_ms_mean",
        "output_tokens",
        "output_tokens_known_of_calls",
        "attempts",
        "rejected",
        "rejected_percent",
    ]);
    for system in &board.systems {
        let figures = &system.figures;
        let average = system.cost_per_game.average();
        let output = match figures.output_known {
            0 => String::new(),
            _ => figures.output_tokens.to_string(),
        };
        table.push(vec![
            system.name.clone(),
            system.identity.to_string(),
            system.setup.clone(),
            average.map_or_else(String::new, |usd| usd.to_string()),
            match (average, figures.billed()) {
                (Some(_), _) => CostState::Known,
                (None, 0) => CostState::NotApplicable,
                (None, _) => CostState::Unknown,
            }
            .as_str()
            .to_owned(),
            system.cost_per_game.games.to_string(),
            system.completed.to_string(),
            figures.answered.to_string(),
            system.response_ms().unwrap_or_default(),
            output,
            figures.output_known.to_string(),
            figures.attempts().to_string(),
            figures.rejected.to_string(),
            system.rejected_percent().unwrap_or_default(),
        ]);
    }
    table
}

fn json_text(board: &CostBoard) -> String {
    let mut document = json!({
        "basis": BASIS,
        "board": "costs",
        "by": board.by.as_str(),
        "byok_calls": board.byok_calls,
        "origin": board.source.origin.as_str(),
        "root": board.source.root.to_string(),
        "rows": breakdown_figures(board).objects(),
        "size": board.source.size,
        "systems": conduct_figures(board).objects(),
        "v": 1,
    });
    if !board.accounts.is_empty() {
        document["account_level"] = json!(board.accounts);
    }
    if let (Some(range), Some(keys)) = (board.range, document.as_object_mut()) {
        keys.insert("from".to_owned(), range.from.to_string().into());
        keys.insert("until".to_owned(), range.until.to_string().into());
    }
    format!("{document:#}\n")
}
