use rusqlite::Connection;

use crate::projection::{Costs, Expense};
use crate::store::row::{insert, integer, known_text, text, word};

/// Adds prices, expenses, corrections of bills, and what everything cost.
pub(crate) fn insert_money(connection: &Connection, costs: &Costs) -> Result<(), rusqlite::Error> {
    for (position, price) in costs.prices.iter().enumerate() {
        let (recorded, counting) = (&price.recorded, price.counting.as_ref());
        let row = vec![
            ("id", text(price.id)),
            ("position", integer(position)),
            ("requested_model", text(&recorded.requested_model)),
            ("route", text(&recorded.route)),
            (
                "prompt_usd_per_million",
                known_text(counting.map(|price| price.prompt_usd_per_million)),
            ),
            (
                "cached_usd_per_million",
                known_text(counting.and_then(|price| price.cached_usd_per_million)),
            ),
            (
                "completion_usd_per_million",
                known_text(counting.map(|price| price.completion_usd_per_million)),
            ),
            ("source", text(&recorded.source)),
        ];
        insert(connection, "prices", row)?;
    }
    for (id, expense) in costs.expenses() {
        let Expense {
            day,
            recorded,
            counting,
        } = expense;
        let category = counting.map_or(recorded.category, |(category, _)| category);
        let row = vec![
            ("id", text(id)),
            ("day", text(day)),
            ("category", word(&category)),
            ("amount_usd", known_text(counting.map(|(_, amount)| amount))),
            ("note", text(&recorded.note)),
        ];
        insert(connection, "expenses", row)?;
    }
    for (id, bill) in costs.bills() {
        let corrected = &bill.corrected;
        let row = vec![
            ("id", text(id)),
            ("day", text(bill.day)),
            ("part", text(corrected.part.as_str())),
            ("identity", known_text(bill.identity)),
            ("covers_from", known_text(corrected.from)),
            ("covers_until", known_text(corrected.until)),
            ("recorded_usd", text(corrected.recorded_usd)),
            ("corrected_usd", known_text(bill.counting)),
            ("difference_usd", known_text(bill.difference())),
            ("note", text(&corrected.note)),
        ];
        insert(connection, "billing_corrections", row)?;
    }
    insert_costs(connection, costs)
}

fn insert_costs(connection: &Connection, costs: &Costs) -> Result<(), rusqlite::Error> {
    for (position, (slot, figures)) in costs.figures().iter().enumerate() {
        let known = |count: u64, usd| (count != 0).then_some(usd);
        let row = vec![
            ("position", integer(position)),
            ("day", text(slot.day)),
            ("part", text(slot.group.as_str())),
            ("identity", known_text(slot.identity)),
            ("calls_ended", integer(figures.ended)),
            ("calls_reported", integer(figures.reported)),
            (
                "reported_usd",
                known_text(known(figures.reported, figures.reported_usd)),
            ),
            ("calls_estimated", integer(figures.estimated)),
            (
                "estimated_usd",
                known_text(known(figures.estimated, figures.estimated_usd)),
            ),
            ("bills", integer(figures.bills)),
            (
                "corrected_usd",
                known_text(known(figures.bills, figures.corrected_usd)),
            ),
            ("expenses", integer(figures.expenses)),
            (
                "expenses_usd",
                known_text(known(figures.expenses, figures.expenses_usd)),
            ),
            ("calls_answered", integer(figures.answered)),
            ("answered_ms", integer(figures.answered_ms)),
            ("output_known", integer(figures.output_known)),
            ("output_tokens", integer(figures.output_tokens)),
            ("accepted", integer(figures.accepted)),
            ("rejected", integer(figures.rejected)),
        ];
        insert(connection, "costs", row)?;
    }
    Ok(())
}
