use serde_json::json;

use crate::cli::sheet::{Entry, LedgerLine, Sheet};
use crate::event::EventId;
use crate::projection::GameState;

impl Sheet<'_> {
    /// Returns the sheet for programs. What is not known is left out.
    pub(crate) fn json(&self, with_events: bool) -> serde_json::Value {
        let (game, started) = (self.game, &self.game.started);
        let turns: Vec<_> = self
            .entries()
            .iter()
            .map(|entry| self.entry_json(entry))
            .collect();
        let mut sheet = json!({
            "black": self.system_json(&started.seats.black),
            "findings": self.findings,
            "game": game.id,
            "origin": self.source.origin.as_str(),
            "protocol": started.protocol,
            "root": self.source.root.to_string(),
            "size": self.source.size,
            "stage": started.stage.as_str(),
            "start": started.start,
            "started_at": game.started_at,
            "turns": turns,
            "v": 1,
            "white": self.system_json(&started.seats.white),
        });
        let corrections = self.corrections();
        if !corrections.is_empty() {
            let corrections = corrections.into_iter();
            sheet["corrections"] = corrections.map(crate::board::correction_json).collect();
            sheet["is_excluded"] = game.is_excluded.into();
        }
        if !self.answered.is_empty() {
            sheet["answered"] = json!(self.answered);
        }
        if let Some(standing) = self.standing_json() {
            sheet["standing"] = standing;
        }
        if let Some(cell) = game.cell() {
            sheet["cell"] = json!(cell);
        }
        if let Some(schedule) = self.projection.schedule_of(game) {
            sheet["cohort"] = schedule.committed.cohort.as_str().into();
        }
        if let Some(opening) = &started.opening {
            sheet["opening"] = opening.name.as_str().into();
        }
        if let Some(fen) = self.moves.final_fen() {
            sheet["final_fen"] = fen.as_str().into();
        }
        self.add_state(&mut sheet);
        if with_events {
            sheet["events"] = self.lines.iter().map(line_json).collect();
        }
        sheet
    }

    /// Adds how the game stands, and which event ended it.
    fn add_state(&self, sheet: &mut serde_json::Value) {
        match self.game.state {
            GameState::Playing => sheet["state"] = "playing".into(),
            GameState::Finished {
                id,
                at,
                result,
                termination,
            } => {
                sheet["state"] = "finished".into();
                sheet["end"] = json!(id);
                sheet["ended_at"] = json!(at);
                sheet["result"] = json!(result);
                sheet["termination"] = json!(termination);
            }
            GameState::Aborted { id, at, cause } => {
                sheet["state"] = "aborted".into();
                sheet["end"] = json!(id);
                sheet["ended_at"] = json!(at);
                sheet["cause"] = cause.as_str().into();
                sheet["reason"] = self.abort_reason().unwrap_or_default().into();
            }
        }
    }

    fn system_json(&self, system: &EventId) -> serde_json::Value {
        json!({ "id": system, "name": self.projection.name_of(system) })
    }

    fn entry_json(&self, entry: &Entry<'_>) -> serde_json::Value {
        let (mut turn, answer) = match entry {
            Entry::Moved(listed) => {
                let mut turn = json!({
                    "color": listed.color,
                    "ply": listed.ply,
                    "uci": listed.uci,
                });
                if let Some(san) = &listed.san {
                    turn["san"] = san.as_str().into();
                }
                if let Some(played) = &listed.played {
                    turn["event"] = json!(played.id);
                }
                (turn, listed.played.and_then(|played| played.call))
            }
            Entry::Rejected(answer) => {
                let turn = json!({
                    "attempt": answer.attempt,
                    "color": answer.color,
                    "event": answer.id,
                    "extracted": answer.extracted,
                    "ply": answer.ply,
                    "rejected": answer.class.as_str(),
                });
                (turn, answer.call)
            }
        };
        if let Some(answer) = answer {
            turn["answer"] = json!(answer);
        }
        if let Some(report) = self.report(answer.as_ref()) {
            turn["engine"] = json!(report);
        }
        turn
    }
}

fn line_json(LedgerLine { index, event }: &LedgerLine) -> serde_json::Value {
    // As text: the id is the hash of these very bytes.
    json!({ "id": event.id(), "index": index, "line": event.line() })
}
