//! Indexes of raw units, and what was corrected in them.

use crate::board::{
    Format, Table, correction_document, correction_figures, ladder_game_figures, table_document,
    turn_figures,
};
use crate::finding::visible;
use crate::projection::Source;
use crate::release::GenerateError;
use crate::release::asked::Asked;

type Made = Result<Vec<u8>, GenerateError>;

pub(crate) fn turns(asked: &Asked<'_>) -> Made {
    let table = turn_figures(asked.projection, asked.cohort())?;
    written(asked, "turns", ("cohort", asked.cohort()), &table)
}

pub(crate) fn ladder(asked: &Asked<'_>) -> Made {
    let era = asked.era()?;
    let table = ladder_game_figures(asked.projection, era)?;
    written(
        asked,
        "ladder_games",
        ("era", era.started.name.as_str()),
        &table,
    )
}

fn written(asked: &Asked<'_>, of: &str, about: (&str, &str), table: &Table) -> Made {
    Ok(match asked.format()? {
        Format::Json => table_document(of, &[about], table, asked.source),
        Format::Csv | Format::Text | Format::Markdown => table.csv(),
    })
}

/// In Markdown texts of strangers stay on their line.
pub(crate) fn corrections(asked: &Asked<'_>) -> Made {
    let projection = asked.projection;
    Ok(match asked.format()? {
        Format::Csv => correction_figures(projection, str::to_owned).csv(),
        Format::Json => {
            let document = correction_document(projection, asked.source);
            format!("{document:#}\n").into_bytes()
        }
        Format::Text | Format::Markdown => page(
            "Corrections",
            asked.source,
            &correction_figures(projection, visible),
        ),
    })
}

/// A table as a page of Markdown, with the prefix that it follows from.
pub(crate) fn page(title: &str, source: &Source, table: &Table) -> Vec<u8> {
    let heading = format!(
        "# {title}\n\nFrom the first {} events of {}, root {}",
        source.size, source.origin, source.root
    );
    format!("{heading}\n\n{}", table.markdown()).into_bytes()
}
