use crate::canonical::Total;
use crate::chess::Color;
use crate::cli::screen::{Screen, counted};
use crate::finding::visible;
use crate::projection::{Allocation, Projection};
use crate::run::{
    Answers, Attendance, BudgetShare, Estimate, Opening, Outlook, PlannedCell, RunFile,
};

/// Shows what a run comes to, before anybody is asked. `of` says what the estimate
/// is of.
pub(crate) fn show(outlook: &Outlook, of: &str, screen: &mut Screen<'_>) {
    for attendance in &outlook.attendances {
        screen.line(&attendance_in_words(attendance));
    }
    for (number, opening) in outlook.openings.iter().enumerate() {
        let earlier = &outlook.openings[..number];
        show_opening(opening, earlier, screen);
    }
    if outlook.estimates.is_empty() {
        return;
    }
    let length = outlook.length.as_ref();
    let length = length.map_or_else(String::new, |length| format!("; {length}"));
    screen.line(&format!(
        "estimate for {of}, without rejected answers and failed requests{length}; a token of a prompt is taken to be 4 characters:"
    ));
    for estimate in &outlook.estimates {
        screen.line(&format!("  {}", estimate_in_words(estimate)));
    }
    for share in &outlook.shares {
        screen.line(&share_in_words(share));
    }
}

/// Shows who plays whom from where, as far as that is known.
pub(crate) fn show_cells(
    projection: &Projection,
    file: &RunFile,
    cells: &[PlannedCell<'_>],
    screen: &mut Screen<'_>,
) {
    let ladder = file.allocation();
    if let Some(ladder) = ladder {
        screen.line(&format!(
            "opponents follow from results: anchor ladder v{}, one rung up where both games of a mini-match were won, one down where both were lost",
            ladder.version
        ));
    }
    let schedule = projection.schedules.cohort(file.cohort.as_str());
    let schedule = schedule.filter(|_| ladder.is_some());
    for (number, planned) in cells.iter().enumerate() {
        let from = planned.from();
        let from = from.map_or_else(String::new, |from| format!("  from {from}"));
        let known = schedule.filter(|schedule| schedule.is_settled(number));
        let known = known.and_then(|schedule| schedule.cells.get(number));
        let [mut white, mut black] = match known {
            Some(cell) => {
                [&cell.seats.white, &cell.seats.black].map(|seat| projection.name_of(seat))
            }
            None => [planned.white, planned.black].map(ToString::to_string),
        };
        if known.is_none() && !planned.is_settled {
            let opponent = match Allocation::color_in(number) {
                Color::White => &mut black,
                Color::Black => &mut white,
            };
            "by results".clone_into(opponent);
        }
        screen.line(&format!("{:>5}  {white} - {black}{from}", number + 1));
    }
}

fn attendance_in_words(attendance: &Attendance) -> String {
    let Attendance {
        name,
        games,
        with_white,
        open,
    } = attendance;
    let games = counted(*games, "game");
    format!("{name}: {games}, {with_white} with White, {open} open")
}

fn show_opening(opening: &Opening, earlier: &[Opening], screen: &mut Screen<'_>) {
    let Opening {
        name,
        occasion,
        request,
    } = opening;
    let Some(request) = request else {
        screen.line(&format!(
            "{name} {occasion} is sent no prompt: it is told of the game"
        ));
        return;
    };
    let is_same = |other: &&Opening| other.request.as_ref() == Some(request);
    if let Some(same) = earlier.iter().find(is_same) {
        screen.line(&format!(
            "{name} {occasion} is first sent what {} is",
            same.name
        ));
        return;
    }
    screen.line(&format!("{name} {occasion} is first sent:"));
    let said = earlier.iter().filter(|other| other.name == *name);
    let said: Vec<_> = said.filter_map(|other| other.request.as_ref()).collect();
    for message in &request.messages {
        let (role, text) = message;
        if said.iter().any(|one| one.messages.contains(message)) {
            screen.line(&format!("  {role}: as above"));
            continue;
        }
        screen.line(&format!("  {role}:"));
        for line in text.lines() {
            screen.line(format!("    {}", visible(line)).trim_end());
        }
    }
    if let Some(tool) = &request.tool {
        screen.line(&format!("  with the tool {tool}"));
    }
    if let Some(grammar) = &request.grammar {
        screen.line(&format!("  with the grammar {}", visible(grammar)));
    }
}

/// Digits of a dollar that an estimate is shown with.
const DIGITS: u32 = 6;

fn estimate_in_words(estimate: &Estimate) -> String {
    let usd = |usd: Total| usd.rounded(DIGITS);
    let unknown = || "unknown".to_owned();
    let prompts = estimate.prompt_tokens;
    let prompts = prompts.map_or_else(unknown, |tokens| tokens.to_string());
    let answers = match (estimate.completion_tokens, estimate.answers) {
        (Some(tokens), Answers::Mean(answers)) => {
            format!("about {tokens} (the mean of its {answers} so far)")
        }
        (Some(tokens), Answers::Most(most)) => {
            format!("at most {tokens} ({most} each, as its parameters say)")
        }
        (Some(_) | None, _) => unknown(),
    };
    let cost = match (estimate.usd, estimate.prompt_usd) {
        (Some(all), _) => format!("about {}", usd(all)),
        (None, Some(prompts)) => format!("unknown, {} for the prompts alone", usd(prompts)),
        (None, None) => "unknown, no price is saved that could tell".to_owned(),
    };
    let calls = counted(estimate.calls, "call");
    let name = &estimate.name;
    format!(
        "{name}: about {calls}; tokens of prompts {prompts}, of answers {answers}; US dollars {cost}"
    )
}

fn share_in_words(share: &BudgetShare) -> String {
    let BudgetShare {
        part,
        allowed,
        taken,
        more,
        is_too_little,
    } = share;
    let end = match is_too_little {
        Some(true) => "; too little, so the run stops before its end",
        Some(false) | None => "",
    };
    format!("budget, {part}: {taken} taken, {more} to come, {allowed} allowed{end}")
}
