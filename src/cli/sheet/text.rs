use crate::chess::{Color, Ply};
use crate::cli::sheet::{Entry, LedgerLine, Sheet};
use crate::event::{EngineReport, EventId, ReportedScore};
use crate::finding::visible;
use crate::projection::GameState;

impl Sheet<'_> {
    /// Returns the sheet as text for people.
    pub(crate) fn text(&self, with_events: bool) -> String {
        let mut lines = vec![format!("Game {}", self.game.id), String::new()];
        let heading = self.heading();
        lines.extend(
            heading
                .iter()
                .map(|(name, value)| format!("{name:<10} {value}")),
        );
        lines.push(String::new());
        lines.extend(self.position_lines());
        lines.push(String::new());
        lines.push(" Ply  Move          Notes".to_owned());
        lines.extend(self.entries().iter().map(|entry| self.entry_line(entry)));
        for finding in &self.findings {
            lines.extend([String::new(), finding.to_string()]);
        }
        if !self.answered.is_empty() {
            lines.extend([String::new(), "Answered by corrections:".to_owned()]);
            lines.extend(self.answered.iter().map(ToString::to_string));
        }
        if with_events {
            lines.push("\nEvents: position in the ledger, id, line".to_owned());
            lines.extend(self.lines.iter().map(|LedgerLine { index, event }| {
                format!("{index:>8}  {}  {}", event.id(), visible(event.line()))
            }));
        }
        lines.join("\n") + "\n"
    }

    fn heading(&self) -> Vec<(&'static str, String)> {
        let (game, started) = (self.game, &self.game.started);
        let [white, black] = game
            .seats()
            .map(|(_, system)| self.projection.name_of(system));
        let protocol = self.projection.protocol_of(game);
        let protocol = protocol.map_or_else(
            || started.protocol.to_string(),
            |protocol| protocol.name.to_string(),
        );
        let mut lines = vec![
            ("White", white),
            ("Black", black),
            ("Protocol", protocol),
            ("Stage", started.stage.as_str().to_owned()),
        ];
        if let (Some(cell), Some(schedule)) = (game.cell(), self.projection.schedule_of(game)) {
            let place = format!(
                "{} of {} of cohort {}",
                cell.index.get() + 1,
                schedule.cells.len(),
                schedule.committed.cohort
            );
            lines.push(("Cell", place));
        }
        let start = &started.start;
        lines.push(("Start", format!("{} chess, {}", start.variant, start.fen)));
        if let Some(opening) = &started.opening {
            let moves = opening.moves.len();
            lines.push((
                "Opening",
                format!("{}, {moves} plies that nobody chose", opening.name),
            ));
        }
        lines.push(("Started", game.started_at.to_string()));
        lines.extend(self.end());
        lines.extend(self.standing_lines());
        lines.extend(game.seats().map(|(color, _)| {
            let taken = game.resources.get(color).clone();
            let name = match color {
                Color::White => "W calls",
                Color::Black => "B calls",
            };
            let failures = taken.failures();
            (
                name,
                format!(
                    "{} sent, {} answered, {failures} failed",
                    taken.sent, taken.answered
                ),
            )
        }));
        lines.extend(self.corrections().into_iter().map(|correction| {
            let words = visible(&crate::cli::corrections::in_words(correction));
            ("Corrected", words)
        }));
        lines.push((
            "Read from",
            format!(
                "the first {} events of {}, root {}",
                self.source.size, self.source.origin, self.source.root
            ),
        ));
        lines
    }

    fn end(&self) -> Vec<(&'static str, String)> {
        match self.game.state {
            GameState::Playing => vec![("Result", "none yet: the game goes on".to_owned())],
            GameState::Finished {
                id,
                at,
                result,
                termination,
            } => {
                let censored = if termination.is_censored() {
                    ", censored: chess had not ended the game"
                } else {
                    ""
                };
                vec![
                    ("Ended", at.to_string()),
                    ("Result", format!("{result} by {termination}{censored}")),
                    ("Result in", format!("event {id}")),
                ]
            }
            GameState::Aborted { at, cause, .. } => vec![
                ("Ended", at.to_string()),
                (
                    "Result",
                    format!(
                        "none: aborted by {}: {}",
                        cause.as_str(),
                        visible(self.abort_reason().unwrap_or_default())
                    ),
                ),
            ],
        }
    }

    fn position_lines(&self) -> Vec<String> {
        self.moves.final_fen().map_or_else(
            || vec!["The moves cannot be played, so there is no position at the end.".to_owned()],
            |fen| diagram(fen.as_str()),
        )
    }

    fn entry_line(&self, entry: &Entry<'_>) -> String {
        let (ply, word, said) = match entry {
            Entry::Moved(listed) => {
                let said = match &listed.played {
                    None => "of the opening".to_owned(),
                    Some(played) => self.said_with(played.call.as_ref()),
                };
                let san = listed.san.as_deref();
                (listed.ply, san.unwrap_or(listed.uci.as_str()), said)
            }
            Entry::Rejected(answer) => {
                let class = answer.class.as_str();
                let judged = quoted(&answer.extracted);
                let said = self.said_with(answer.call.as_ref());
                let said = format!(
                    "rejected, attempt {}, {class}: {judged}  {said}",
                    answer.attempt
                );
                (answer.ply, "-", said)
            }
        };
        let numbered = format!("{} {word}", self.number(ply));
        let line = format!("{:>4}  {numbered:<13} {said}", ply.0);
        line.trim_end().to_owned()
    }

    /// What the engine said beside this answer, or nothing.
    fn said_with(&self, answer: Option<&EventId>) -> String {
        self.report(answer).map_or_else(String::new, said)
    }

    /// The number of a move as in PGN: `3.` for White, `3...` for Black.
    fn number(&self, ply: Ply) -> String {
        let fen = self.game.started.start.fen.as_str();
        let first: u32 = fen
            .rsplit(' ')
            .next()
            .and_then(|n| n.parse().ok())
            .unwrap_or(1);
        let black_began = u32::from(fen.split(' ').nth(1) == Some("b"));
        let halves = ply.0.saturating_sub(1) + black_began;
        let dots = if halves.is_multiple_of(2) { "." } else { "..." };
        format!("{}{dots}", first + halves / 2)
    }
}

/// What an engine said beside its move, in the words of UCI.
fn said(report: &EngineReport) -> String {
    let score = report.score.and_then(|score| match score {
        ReportedScore { cp: Some(cp), .. } => Some(format!("cp {cp}")),
        ReportedScore {
            mate: Some(mate), ..
        } => Some(format!("mate {mate}")),
        ReportedScore {
            cp: None,
            mate: None,
        } => None,
    });
    let nodes = report.nodes.map(|nodes| format!("{nodes} nodes"));
    let depth = report.depth.map(|depth| format!("depth {depth}"));
    let parts: Vec<_> = [score, nodes, depth].into_iter().flatten().collect();
    parts.join(", ")
}

/// The beginning of what a player said, on one line.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    let beginning: String = text.chars().take(SHOWN).collect();
    let rest = if beginning.len() < text.len() {
        "..."
    } else {
        ""
    };
    format!("\"{}{rest}\"", visible(&beginning))
}

/// The board of a FEN in letters, White below, with its coordinates.
fn diagram(fen: &str) -> Vec<String> {
    let files = "     a b c d e f g h";
    let placement = fen.split(' ').next().unwrap_or_default();
    let ranks = (1..=8)
        .rev()
        .zip(placement.split('/'))
        .map(|(number, rank)| {
            let squares: Vec<String> = rank
                .chars()
                .flat_map(|c| match c.to_digit(10) {
                    Some(empty) => (0..empty).map(|_| ".".to_owned()).collect(),
                    None => vec![c.to_string()],
                })
                .collect();
            format!("   {number} {} {number}", squares.join(" "))
        });
    let mut lines = vec![files.to_owned()];
    lines.extend(ranks);
    lines.extend([files.to_owned(), format!("     {fen}")]);
    lines
}
