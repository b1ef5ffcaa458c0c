//! The boards of a release: the same rows as the `board` commands print.

use crate::board::{
    AnchoredBoard, CostsBy, Format, LadderBoard, PositionBoard, PositionQuery, PuzzleBoard,
    ReliabilityBoard, costs, pairing_figures, pairings, placement, render, render_anchored,
    render_costs, render_first, render_positions, render_puzzles, render_reliability,
    table_document,
};
use crate::release::GenerateError;
use crate::release::asked::Asked;

type Made = Result<Vec<u8>, GenerateError>;

pub(crate) fn anchored(asked: &Asked<'_>) -> Made {
    let source = asked.source.clone();
    let board = AnchoredBoard::of(asked.projection, asked.cohort(), source)?;
    Ok(render_anchored(&board, asked.format()?)?)
}

pub(crate) fn first_placement(asked: &Asked<'_>) -> Made {
    let board = placement(asked.projection, asked.cohort(), asked.source.clone())?;
    Ok(render_first(&board, asked.format()?)?)
}

pub(crate) fn placement_board(asked: &Asked<'_>) -> Made {
    let board = placement(asked.projection, asked.cohort(), asked.source.clone())?;
    Ok(render(&board, asked.format()?)?)
}

pub(crate) fn ladder(asked: &Asked<'_>) -> Made {
    let board = LadderBoard::of(asked.projection, asked.era()?, asked.source.clone());
    Ok(board.render(asked.format()?)?)
}

pub(crate) fn puzzles(asked: &Asked<'_>) -> Made {
    let (dataset, protocol) = (asked.value("dataset"), asked.value("protocol"));
    let board = PuzzleBoard::of(asked.projection, dataset, protocol, asked.source.clone())?;
    Ok(render_puzzles(&board, asked.format()?)?)
}

pub(crate) fn positions(asked: &Asked<'_>) -> Made {
    let query = PositionQuery {
        dataset: asked.value("positions"),
        protocol: asked.value("protocol"),
        condition: asked.value("condition"),
    };
    let board = PositionBoard::of(asked.projection, query, asked.source.clone())?;
    Ok(render_positions(&board, asked.format()?)?)
}

pub(crate) fn reliability_board(asked: &Asked<'_>) -> Made {
    let (cohort, source) = (asked.value("cohort"), asked.source.clone());
    let board = ReliabilityBoard::of(asked.projection, cohort, source)?;
    Ok(render_reliability(&board, asked.format()?)?)
}

pub(crate) fn costs_by_part(asked: &Asked<'_>) -> Made {
    cost_board(asked, CostsBy::Part)
}

pub(crate) fn costs_by_system(asked: &Asked<'_>) -> Made {
    cost_board(asked, CostsBy::System)
}

fn cost_board(asked: &Asked<'_>, by: CostsBy) -> Made {
    let board = costs(asked.projection, by, None, None, asked.source.clone());
    Ok(render_costs(&board, asked.format()?))
}

pub(crate) fn pairs(asked: &Asked<'_>) -> Made {
    let cohort = asked.cohort();
    let pairs = pairings(asked.projection, cohort, asked.source)?;
    let table = pairing_figures(asked.projection, &pairs)?;
    Ok(match asked.format()? {
        Format::Json => table_document("comparison", &[("cohort", cohort)], &table, asked.source),
        Format::Csv | Format::Text | Format::Markdown => table.csv(),
    })
}
