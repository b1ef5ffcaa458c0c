//! State folded from events: every game, system, schedule and total.
//!
//! [`Projection::apply`] is a pure function of the state and the next event: no
//! clock, no environment, no hash-map order. Events that contradict one another
//! become findings; the fold goes on. Nothing here is ever stored as truth, and
//! no event carries any of it.
//!
//! One file a concept. The room knows no files and no formats.

mod admission;
mod anchored;
mod anchors;
mod answered;
mod appearances;
mod bills;
mod bits;
mod by_color;
mod by_id;
mod call_figures;
mod call_fold;
mod calls;
mod candidates;
mod cells;
mod charges;
mod chosen;
mod cohort;
mod correction_fold;
mod corrections;
mod cost_figures;
mod cost_fold;
mod cost_per_game;
mod costs;
mod draw;
mod era;
mod eras;
mod fold;
mod freezing;
mod games;
mod grades;
mod identities;
mod ladder;
mod ladder_fold;
mod last_verdict;
mod measurement_fold;
mod measurements;
mod move_list;
mod next_game;
mod oracle;
mod pairs;
mod people;
mod pgn;
mod placement;
mod prices;
mod puzzles;
mod resources;
mod schedule;
mod seating;
mod source;
mod streaks;
mod systems;
mod tablebases;
mod tally;
mod turns;
mod world;

pub use anchored::{AnchoredGame, AnchoredRecord, SideCalls};
pub use anchors::{Anchor, Anchors};
pub use answered::AnsweredFinding;
pub use bills::{Bill, Billed, Expense};
pub use by_color::ByColor;
pub(crate) use by_id::ById;
pub use call_figures::CallFigures;
pub(crate) use call_figures::RecordedFigures;
pub use calls::{Call, CallState, Calls};
pub use candidates::{Candidates, CandidatesError, Presentation};
pub use cells::{Cell, cells_of, double_round_robin};
pub use chosen::Chosen;
pub use cohort::{Cohort, CohortCounts};
pub use corrections::{Correction, Corrections};
pub use cost_figures::{CostFigures, CostGroup, CostSlot, CostState};
pub use cost_per_game::CostPerGame;
pub use costs::{Costs, LateCost};
pub use draw::{Choice, Draw};
pub use era::{Era, LadderStanding, MadeDraw, Newcomer};
pub use eras::Eras;
pub use fold::{Frozen, Projection, Published};
pub use games::{Game, GameState, Games, PlayedMove, Recorded, RejectedAnswer, StandingAtStart};
pub use grades::Grades;
pub use identities::{Identities, Identity, Status, is_same_identity};
pub use ladder::{Ladder, Member, RatedGame};
pub use last_verdict::VERDICT_CP;
pub use measurements::{MeasuredContent, Measurement, Measurements, TOP_MOVES, Verdict};
pub use move_list::{ListedMove, MoveList};
pub use next_game::NextGame;
pub use oracle::{Shown, Unshown};
pub use people::{HumanGame, People, Person};
pub use pgn::{GameChoice, GamesPgnError, games_pgn};
pub use placement::{Placement, PlacementError, Standing};
pub use prices::{Price, Prices};
pub use puzzles::{Dataset, PuzzleAttempt, PuzzleRun, Puzzles};
pub use resources::Resources;
pub use schedule::{Schedule, Schedules};
pub use source::Source;
pub use streaks::Streaks;
pub use systems::{Protocol, System, Systems};
pub use tablebases::{TableProbe, Tablebases};
pub use tally::{Summand, Tally};
pub use turns::end_of;
