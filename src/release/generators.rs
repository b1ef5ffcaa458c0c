//! The table of every generator there is.

use crate::release::asked::Argument;
use crate::release::usual::Usual;
use crate::release::{
    CLAIMS, Generator, boards, claims, figure, games, inconvenient, indexes, reliability,
};

/// The files of a board.
const BOARD: &[(&str, &str)] = &[("csv", "csv"), ("json", "json"), ("markdown", "md")];
/// The files of a table that nobody reads as a page.
const TABLE: &[(&str, &str)] = &[("csv", "csv"), ("json", "json")];
/// The files of a figure: the picture, and the table that it is drawn from.
const FIGURE: &[(&str, &str)] = &[("svg", "svg"), ("csv", "csv")];

const COHORT: &[Argument] = &[Argument::required("cohort")];
const COHORT_OR_ALL: &[Argument] = &[Argument::optional("cohort")];
const ERA: &[Argument] = &[Argument::required("era")];
const PREFIX: &[Argument] = &[];
const PUZZLES: &[Argument] = &[
    Argument::required("dataset"),
    Argument::optional("protocol"),
];
const POSITIONS: &[Argument] = &[
    Argument::required("positions"),
    Argument::optional("protocol"),
    Argument::optional("condition"),
];

/// Every generator there is, each version that can still be made.
pub const GENERATORS: &[Generator] = &[
    Generator {
        name: "board-anchored",
        version: 1,
        what: "Ratings of a cohort against anchors of fixed rating.",
        role: "board",
        arguments: COHORT,
        formats: BOARD,
        usual: Usual::Anchored,
        make: boards::anchored,
    },
    Generator {
        name: "board-comparison",
        version: 1,
        what: "Every two systems of a cohort, compared.",
        role: "comparison table",
        arguments: COHORT,
        formats: TABLE,
        usual: Usual::Rated,
        make: boards::pairs,
    },
    Generator {
        name: "board-costs",
        version: 1,
        what: "What everything cost, by part and day, each basis apart.",
        role: "cost table",
        arguments: PREFIX,
        formats: BOARD,
        usual: Usual::Prefix,
        make: boards::costs_by_part,
    },
    Generator {
        name: "board-ladder",
        version: 1,
        what: "The ladder of an era as it stands.",
        role: "board",
        arguments: ERA,
        formats: BOARD,
        usual: Usual::Era,
        make: boards::ladder,
    },
    Generator {
        name: "board-placement",
        version: 1,
        what: "The placement board of a cohort, as first released.",
        role: "board",
        arguments: COHORT,
        formats: BOARD,
        usual: Usual::Placement,
        make: boards::first_placement,
    },
    Generator {
        name: "board-placement",
        version: 2,
        what: "The placement board of a cohort.",
        role: "board",
        arguments: COHORT,
        formats: BOARD,
        usual: Usual::Placement,
        make: boards::placement_board,
    },
    Generator {
        name: "board-positions",
        version: 1,
        what: "Who answered a list of positions with how many legal moves.",
        role: "board",
        arguments: POSITIONS,
        formats: BOARD,
        usual: Usual::Nothing,
        make: boards::positions,
    },
    Generator {
        name: "board-puzzles",
        version: 1,
        what: "Who solved how many puzzles of a dataset.",
        role: "board",
        arguments: PUZZLES,
        formats: BOARD,
        usual: Usual::Nothing,
        make: boards::puzzles,
    },
    Generator {
        name: "board-reliability",
        version: 1,
        what: "Failed calls, rejected answers and forfeits: of a cohort, or of all games, puzzles and positions.",
        role: "reliability table",
        arguments: COHORT_OR_ALL,
        formats: BOARD,
        usual: Usual::Prefix,
        make: boards::reliability_board,
    },
    Generator {
        name: "board-system-costs",
        version: 1,
        what: "What everything cost, by system and day, each basis apart.",
        role: "cost table",
        arguments: PREFIX,
        formats: BOARD,
        usual: Usual::Prefix,
        make: boards::costs_by_system,
    },
    Generator {
        name: CLAIMS,
        version: 1,
        what: "The claims that stand on a cohort, how each stands, and what its tables say.",
        role: "claims ledger",
        arguments: COHORT,
        formats: BOARD,
        usual: Usual::Cohort,
        make: |asked| {
            claims::make(
                asked.projection,
                asked.source,
                asked.cohort(),
                asked.format_name(),
            )
        },
    },
    Generator {
        name: "corrections",
        version: 1,
        what: "What corrections change and exclude, and why.",
        role: "corrections",
        arguments: PREFIX,
        formats: BOARD,
        usual: Usual::Prefix,
        make: indexes::corrections,
    },
    Generator {
        name: "decisions",
        version: 1,
        what: "The inconvenient record of a cohort: decisions, deviations, exclusions, corrections, what is superseded, negative results.",
        role: "decision register",
        arguments: COHORT,
        formats: &[("csv", "csv"), ("markdown", "md")],
        usual: Usual::Cohort,
        make: |asked| {
            inconvenient::make(
                asked.projection,
                asked.source,
                asked.cohort(),
                asked.format_name(),
            )
        },
    },
    Generator {
        name: "figure-costs",
        version: 1,
        what: "Costs so far, day by day, a line a basis; gaps where some are unknown.",
        role: "figure",
        arguments: PREFIX,
        formats: FIGURE,
        usual: Usual::Prefix,
        make: |asked| Ok(figure::costs(asked)),
    },
    Generator {
        name: "figure-ratings",
        version: 1,
        what: "The ratings of a cohort with their intervals; bounds are arrows.",
        role: "figure",
        arguments: COHORT,
        formats: FIGURE,
        usual: Usual::Rated,
        make: figure::ratings,
    },
    Generator {
        name: "figure-reliability",
        version: 1,
        what: "Answers, rejected answers and failed calls of each system, as shares.",
        role: "figure",
        arguments: COHORT_OR_ALL,
        formats: FIGURE,
        usual: Usual::Cohort,
        make: figure::reliability,
    },
    Generator {
        name: "games-csv",
        version: 1,
        what: "The index of a cohort's games, one line each, aborted ones too.",
        role: "game index",
        arguments: COHORT,
        formats: &[("csv", "csv")],
        usual: Usual::Cohort,
        make: |asked| games::csv(asked.projection, asked.cohort()),
    },
    Generator {
        name: "games-pgn",
        version: 1,
        what: "A cohort's games as PGN; each move names its event.",
        role: "games",
        arguments: COHORT,
        formats: &[("pgn", "pgn")],
        usual: Usual::Cohort,
        make: games::pgn,
    },
    Generator {
        name: "index-ladder",
        version: 1,
        what: "The games of an era with their draws, and ranks and ratings before and after.",
        role: "ladder index",
        arguments: ERA,
        formats: TABLE,
        usual: Usual::Era,
        make: indexes::ladder,
    },
    Generator {
        name: "index-turns",
        version: 1,
        what: "The index of a cohort's turns: a line an answer, rejected ones too.",
        role: "turn index",
        arguments: COHORT,
        formats: TABLE,
        // As long as the ledger itself, which a release has beside it.
        usual: Usual::Nothing,
        make: indexes::turns,
    },
    Generator {
        name: "reliability-csv",
        version: 1,
        what: "Calls, failures by class, rejected answers and forfeits of each system of a cohort.",
        role: "reliability table",
        arguments: COHORT,
        formats: &[("csv", "csv")],
        usual: Usual::Cohort,
        make: |asked| reliability::csv(asked.projection, asked.cohort()),
    },
];
