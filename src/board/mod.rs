//! Rows for a reader, complete or not at all.
//!
//! A number about a system never stands alone: a [`Row`] holds sample size, raw
//! outcomes, interval, evidence status, assistance, coverage of colors and
//! openings, and the completeness of its resource accounting, and there is no
//! way to make one without them. A [`Board`] says which prefix of which ledger
//! it was computed from, what its scale is, and what it does not show.
//!
//! The room turns projections into rows and rows into bytes. It prints nothing.

mod account_level;
mod accounting;
mod anchored;
mod comparison;
mod comparison_render;
mod compute;
mod compute_render;
mod corrections;
mod cost_render;
mod costs;
mod coverage;
mod document;
mod intervals;
mod ladder;
mod ladder_games;
mod page;
mod pairings;
mod people;
mod placement;
mod positions;
mod puzzles;
mod reliability;
mod reliability_render;
mod render;
mod row;
mod sample;
mod table;
mod turns;

pub use accounting::Accounting;
pub use anchored::{
    AnchorLabel, AnchorScore, AnchoredBoard, AnchoredEstimate, AnchoredRow, Control, Grader,
    REPLICATES, SEED, Scale, Sensitivity, anchored_figures, render_anchored,
};
pub(crate) use anchored::{has_own_level, nominal_in_words};
pub use comparison::{AnchorComparison, Basis, Comparison, ComparisonError};
pub use comparison_render::render_comparison;
pub use compute::{ComputeBoard, NoSuchWork, compute_figures};
pub use compute_render::render_compute;
pub use corrections::{correction_document, correction_figures, correction_json};
pub use cost_render::{cost_figures, render_costs};
pub use costs::{CostBoard, CostLine, CostsBy, LineKind, SystemCosts, costs};
pub use coverage::Coverage;
pub(crate) use document::table_document;
pub use intervals::{DayRange, intervals};
pub use ladder::{LadderBoard, LadderRow};
pub use ladder_games::ladder_game_figures;
pub use pairings::{PAIRING_SPRT, pairing_figures, pairings};
pub use people::{people, people_figures};
pub use placement::{BoardError, cohort, placement};
pub use positions::{
    PositionBoard, PositionBoardError, PositionQuery, PositionRow, position_figures,
    render_positions,
};
pub use puzzles::{
    CellLabel, FormCount, PuzzleBoard, PuzzleBoardError, PuzzleResources, PuzzleRow, PuzzleScore,
    puzzle_figures, render_puzzles,
};
pub use reliability::{ReliabilityBoard, ReliabilityRow, SetCalls, Task};
pub use reliability_render::{reliability_figures, render_reliability};
pub use render::{Board, figures, render, render_first};
pub use row::{Conduct, Estimate, Row, SystemLabel};
pub use sample::{Sample, Wdl};
pub use table::{Format, ParseFormatError, Table};
pub use turns::turn_figures;
