//! What whole accounts were seen to spend: beside the costs, and in none of them.

use crate::board::Table;
use crate::canonical::Day;
use crate::event::AccountObserved;
use crate::finding::visible;
use crate::projection::Projection;

/// What it is, for people.
pub(crate) const ACCOUNT_LEVEL: &str = "Account-level spend is what whole accounts were seen to spend. It is assigned to no model, overlaps what stands above, and is in no sum.";

/// What accounts were seen to spend in windows that touch these days.
pub(crate) fn observed_accounts(
    projection: &Projection,
    from: Option<Day>,
    until: Option<Day>,
) -> Vec<AccountObserved> {
    let observed = projection.account_spend().map(|one| &one.said);
    let touching = observed.filter(|one| {
        from.is_none_or(|from| from <= one.until) && until.is_none_or(|until| one.from <= until)
    });
    touching.cloned().collect()
}

/// One row an observation, for people.
pub(crate) fn account_level(accounts: &[AccountObserved]) -> Table {
    let mut table = Table::new(vec!["Account", "From", "Until", "Account-level", "Note"]);
    for one in accounts {
        table.push(vec![
            visible(&one.account),
            one.from.to_string(),
            one.until.to_string(),
            one.amount_usd.to_string(),
            visible(&one.note),
        ]);
    }
    table
}

/// The figures of a breakdown with a row for each observation below them, and a
/// column of their own that no other row has anything in.
pub(crate) fn beside_accounts(table: Table, accounts: &[AccountObserved]) -> Table {
    let none = vec![vec![String::new()]; table.rows().len()];
    let mut table = table.beside(&["account_level_usd"], none);
    let n_columns = table.columns().len();
    for one in accounts {
        let mut row = vec![
            "account".to_owned(),
            one.from.to_string(),
            one.until.to_string(),
            "account_level".to_owned(),
            "account_level".to_owned(),
            one.account.clone(),
        ];
        row.resize(n_columns - 1, String::new());
        row.push(one.amount_usd.to_string());
        table.push(row);
    }
    table
}
