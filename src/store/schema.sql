-- The tables and views of the index. What they mean stands in docs/index.md.

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE protocols (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    ply_cap INTEGER NOT NULL,
    rules TEXT NOT NULL,
    pairing TEXT NOT NULL,
    colors TEXT NOT NULL,
    start TEXT NOT NULL,
    context TEXT NOT NULL,
    conversation TEXT NOT NULL,
    candidate_help TEXT NOT NULL,
    legal_moves_listed INTEGER NOT NULL,
    failed_request TEXT NOT NULL,
    replays_max INTEGER,
    glicko2_rating TEXT,
    glicko2_deviation TEXT,
    glicko2_volatility TEXT,
    glicko2_tau TEXT
) STRICT;

CREATE TABLE systems (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL UNIQUE,
    name TEXT NOT NULL,
    identity TEXT NOT NULL REFERENCES identities,
    assistance TEXT NOT NULL,
    engine_name TEXT,
    engine_net TEXT,
    limit_depth INTEGER,
    limit_movetime_ms INTEGER,
    limit_nodes INTEGER,
    requested_model TEXT,
    route TEXT,
    reasoning_effort TEXT,
    calls_sent INTEGER NOT NULL,
    calls_answered INTEGER NOT NULL,
    calls_failed INTEGER NOT NULL,
    nodes INTEGER,
    nodes_reported INTEGER NOT NULL,
    nodes_base INTEGER NOT NULL,
    time_ms INTEGER,
    time_reported INTEGER NOT NULL,
    time_base INTEGER NOT NULL,
    prompt_tokens INTEGER,
    prompt_tokens_reported INTEGER NOT NULL,
    prompt_tokens_base INTEGER NOT NULL,
    completion_tokens INTEGER,
    completion_tokens_reported INTEGER NOT NULL,
    completion_tokens_base INTEGER NOT NULL,
    cost_usd TEXT,
    cost_reported INTEGER NOT NULL,
    cost_base INTEGER NOT NULL,
    estimated_usd TEXT,
    estimated_reported INTEGER NOT NULL,
    estimated_base INTEGER NOT NULL
) STRICT;

CREATE TABLE system_files (
    system TEXT NOT NULL REFERENCES systems,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (system, position)
) STRICT;

CREATE TABLE system_settings (
    system TEXT NOT NULL REFERENCES systems,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (system, position)
) STRICT;

CREATE TABLE failures (
    system TEXT NOT NULL REFERENCES systems,
    class TEXT NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (system, class)
) STRICT;

CREATE TABLE cohorts (
    schedule TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    protocol TEXT NOT NULL REFERENCES protocols,
    preregistration TEXT,
    rule TEXT NOT NULL,
    era TEXT REFERENCES eras,
    run_file TEXT,
    evidence_status_claimed TEXT,
    evidence_status TEXT NOT NULL,
    is_terminal INTEGER NOT NULL,
    cells INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    aborted INTEGER NOT NULL,
    playing INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    forfeits INTEGER NOT NULL,
    censored INTEGER NOT NULL
) STRICT;

CREATE TABLE cohort_systems (
    schedule TEXT NOT NULL REFERENCES cohorts,
    position INTEGER NOT NULL,
    system TEXT NOT NULL REFERENCES systems,
    is_withdrawn INTEGER NOT NULL,
    PRIMARY KEY (schedule, position)
) STRICT;

CREATE TABLE anchors (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL UNIQUE,
    system TEXT NOT NULL REFERENCES systems,
    rating TEXT NOT NULL,
    basis TEXT NOT NULL,
    fit TEXT
) STRICT;

CREATE TABLE cohort_anchors (
    schedule TEXT NOT NULL REFERENCES cohorts,
    position INTEGER NOT NULL,
    anchor TEXT NOT NULL REFERENCES anchors,
    system TEXT NOT NULL REFERENCES systems,
    PRIMARY KEY (schedule, position)
) STRICT;

CREATE TABLE cells (
    schedule TEXT NOT NULL REFERENCES cohorts,
    cell_index INTEGER NOT NULL,
    white TEXT NOT NULL REFERENCES systems,
    black TEXT NOT NULL REFERENCES systems,
    fen TEXT NOT NULL,
    variant TEXT NOT NULL,
    opening TEXT,
    opening_moves TEXT,
    result_game TEXT REFERENCES games,
    is_released INTEGER NOT NULL,
    is_settled INTEGER NOT NULL,
    PRIMARY KEY (schedule, cell_index)
) STRICT;

CREATE TABLE games (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL UNIQUE,
    schedule TEXT REFERENCES cohorts,
    cell_index INTEGER,
    protocol TEXT NOT NULL REFERENCES protocols,
    stage TEXT NOT NULL,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    fen TEXT NOT NULL,
    variant TEXT NOT NULL,
    opening TEXT,
    opening_moves TEXT,
    state TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    end_event TEXT,
    result TEXT,
    termination TEXT,
    abort_cause TEXT,
    is_censored INTEGER,
    is_forfeit INTEGER,
    accepted INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    final_fen TEXT,
    era TEXT REFERENCES eras,
    draw TEXT REFERENCES draws,
    billing TEXT,
    is_excluded INTEGER NOT NULL
) STRICT;

CREATE TABLE seats (
    game TEXT NOT NULL REFERENCES games,
    color TEXT NOT NULL,
    system TEXT REFERENCES systems,
    person TEXT REFERENCES people,
    half_points INTEGER,
    accepted INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    calls_sent INTEGER NOT NULL,
    calls_answered INTEGER NOT NULL,
    calls_failed INTEGER NOT NULL,
    nodes INTEGER,
    nodes_reported INTEGER NOT NULL,
    nodes_base INTEGER NOT NULL,
    time_ms INTEGER,
    time_reported INTEGER NOT NULL,
    time_base INTEGER NOT NULL,
    prompt_tokens INTEGER,
    prompt_tokens_reported INTEGER NOT NULL,
    prompt_tokens_base INTEGER NOT NULL,
    completion_tokens INTEGER,
    completion_tokens_reported INTEGER NOT NULL,
    completion_tokens_base INTEGER NOT NULL,
    cost_usd TEXT,
    cost_reported INTEGER NOT NULL,
    cost_base INTEGER NOT NULL,
    estimated_usd TEXT,
    estimated_reported INTEGER NOT NULL,
    estimated_base INTEGER NOT NULL,
    PRIMARY KEY (game, color)
) STRICT;

-- The tables that grow with the moves (with position_measurements below) name systems, games and calls by
-- ledger_index, which is a tenth of an id. Their rows come in the order of the
-- ledger, or nearly so; what finds them otherwise is made at the end. DuckDB reads
-- no table without row ids.
CREATE TABLE calls (
    ledger_index INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    system INTEGER NOT NULL REFERENCES systems (ledger_index),
    game INTEGER REFERENCES games (ledger_index),
    ply INTEGER,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    ended_at TEXT,
    end_event TEXT,
    total_ms INTEGER,
    first_token_ms INTEGER,
    queue_ms INTEGER,
    failure TEXT,
    failure_detail TEXT,
    http_status INTEGER,
    retry_after_ms INTEGER,
    requested_model TEXT,
    returned_model TEXT,
    route TEXT,
    request_id TEXT,
    finish_reason TEXT,
    prompt_tokens INTEGER,
    cached_tokens INTEGER,
    completion_tokens INTEGER,
    reasoning_tokens INTEGER,
    limit_depth INTEGER,
    limit_movetime_ms INTEGER,
    limit_nodes INTEGER,
    depth INTEGER,
    nodes INTEGER,
    score_cp INTEGER,
    score_mate INTEGER,
    cost_usd TEXT,
    cost_event TEXT,
    candidates TEXT,
    candidates_measured TEXT
) STRICT;

CREATE TABLE plies (
    ledger_index INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES games (ledger_index),
    ply INTEGER NOT NULL,
    color TEXT NOT NULL,
    uci TEXT NOT NULL,
    san TEXT,
    event TEXT NOT NULL,
    call INTEGER REFERENCES calls
) STRICT;

CREATE TABLE rejected_answers (
    ledger_index INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES games (ledger_index),
    ply INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    color TEXT NOT NULL,
    class TEXT NOT NULL,
    extracted TEXT NOT NULL,
    event TEXT NOT NULL,
    call INTEGER REFERENCES calls
) STRICT;

CREATE TABLE standings (
    schedule TEXT NOT NULL REFERENCES cohorts,
    position INTEGER NOT NULL,
    system TEXT NOT NULL REFERENCES systems,
    rank INTEGER,
    rating TEXT NOT NULL,
    deviation TEXT NOT NULL,
    volatility TEXT NOT NULL,
    interval_low TEXT NOT NULL,
    interval_high TEXT NOT NULL,
    cost_usd TEXT,
    estimated_usd TEXT,
    estimated_of TEXT NOT NULL,
    cost_state TEXT NOT NULL,
    PRIMARY KEY (schedule, position)
) STRICT;

CREATE TABLE anchored_standings (
    schedule TEXT NOT NULL REFERENCES cohorts,
    position INTEGER NOT NULL,
    system TEXT NOT NULL REFERENCES systems,
    scale TEXT NOT NULL,
    is_primary_scale INTEGER NOT NULL,
    rating_kind TEXT NOT NULL,
    rating TEXT,
    bound TEXT,
    no_fit TEXT,
    interval_low TEXT,
    interval_high TEXT,
    interval_basis TEXT,
    profile_low TEXT,
    profile_high TEXT,
    draw_rate TEXT,
    color_effect TEXT,
    without_forfeits_kind TEXT,
    without_forfeits TEXT,
    without_forfeits_low TEXT,
    without_forfeits_high TEXT,
    censored_in_tables INTEGER NOT NULL,
    by_tables_kind TEXT,
    by_tables TEXT,
    promotion TEXT,
    PRIMARY KEY (schedule, position)
) STRICT;

CREATE TABLE position_measurements (
    ledger_index INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    game INTEGER REFERENCES games (ledger_index),
    ply INTEGER,
    analyst INTEGER NOT NULL REFERENCES systems (ledger_index),
    fen TEXT NOT NULL,
    variant TEXT NOT NULL,
    best TEXT,
    score_cp INTEGER,
    score_mate INTEGER,
    wdl_win INTEGER,
    wdl_draw INTEGER,
    wdl_loss INTEGER,
    nodes INTEGER
) STRICT;

CREATE TABLE tablebase_probes (
    ledger_index INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    fen TEXT NOT NULL,
    wdl INTEGER NOT NULL,
    dtz INTEGER,
    files TEXT NOT NULL
) STRICT;

CREATE TABLE findings (
    position INTEGER PRIMARY KEY,
    code TEXT NOT NULL,
    severity TEXT NOT NULL,
    event TEXT,
    expected TEXT NOT NULL,
    found TEXT NOT NULL,
    remedy TEXT NOT NULL
) STRICT;

CREATE TABLE identities (
    id TEXT PRIMARY KEY REFERENCES systems,
    ledger_index INTEGER NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL
) STRICT;

CREATE TABLE eras (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL,
    name TEXT NOT NULL,
    protocol TEXT NOT NULL REFERENCES protocols,
    placement TEXT NOT NULL REFERENCES cohorts,
    seed_sha256 TEXT NOT NULL,
    seed TEXT,
    reach INTEGER NOT NULL,
    window_hours INTEGER NOT NULL,
    is_placed INTEGER NOT NULL
) STRICT;

CREATE TABLE ladder_standings (
    era TEXT NOT NULL REFERENCES eras,
    identity TEXT NOT NULL REFERENCES identities,
    position INTEGER,
    rank INTEGER,
    status TEXT NOT NULL,
    is_placed INTEGER NOT NULL,
    rating TEXT NOT NULL,
    deviation TEXT NOT NULL,
    volatility TEXT NOT NULL,
    cost_usd_per_game TEXT,
    cost_per_game_games INTEGER NOT NULL,
    PRIMARY KEY (era, identity)
) STRICT;

CREATE TABLE rated_games (
    era TEXT NOT NULL REFERENCES eras,
    position INTEGER NOT NULL,
    color TEXT NOT NULL,
    game TEXT NOT NULL REFERENCES games,
    identity TEXT NOT NULL REFERENCES identities,
    rating_before TEXT NOT NULL,
    deviation_before TEXT NOT NULL,
    volatility_before TEXT NOT NULL,
    rating_after TEXT NOT NULL,
    deviation_after TEXT NOT NULL,
    volatility_after TEXT NOT NULL,
    PRIMARY KEY (era, position, color)
) STRICT;

CREATE TABLE draws (
    id TEXT PRIMARY KEY,
    era TEXT NOT NULL REFERENCES eras,
    number INTEGER NOT NULL,
    eligible INTEGER NOT NULL,
    picked TEXT NOT NULL REFERENCES identities,
    white TEXT NOT NULL REFERENCES identities,
    black TEXT NOT NULL REFERENCES identities,
    game TEXT REFERENCES games
) STRICT;

CREATE TABLE starts (
    game TEXT NOT NULL REFERENCES games,
    color TEXT NOT NULL,
    rank INTEGER,
    rating TEXT,
    PRIMARY KEY (game, color)
) STRICT;

CREATE TABLE people (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL,
    issuer TEXT NOT NULL,
    video TEXT NOT NULL,
    elo TEXT NOT NULL
) STRICT;

CREATE TABLE human_games (
    person TEXT NOT NULL REFERENCES people,
    position INTEGER NOT NULL,
    game TEXT NOT NULL REFERENCES games,
    color TEXT NOT NULL,
    opponent_rating TEXT NOT NULL,
    elo_before TEXT NOT NULL,
    elo_after TEXT NOT NULL,
    PRIMARY KEY (person, position)
) STRICT;

CREATE TABLE datasets (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    source_sha256 TEXT NOT NULL,
    seed TEXT NOT NULL,
    per_cell INTEGER NOT NULL,
    puzzles INTEGER NOT NULL,
    is_partial INTEGER NOT NULL
) STRICT;

CREATE TABLE dataset_puzzles (
    dataset TEXT NOT NULL REFERENCES datasets,
    position INTEGER NOT NULL,
    puzzle TEXT NOT NULL,
    tactic TEXT NOT NULL,
    band TEXT NOT NULL,
    rating INTEGER NOT NULL,
    fen TEXT NOT NULL,
    solution TEXT NOT NULL,
    PRIMARY KEY (dataset, puzzle)
) STRICT;

CREATE TABLE puzzle_answers (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL,
    dataset TEXT NOT NULL REFERENCES datasets,
    puzzle TEXT NOT NULL,
    protocol TEXT NOT NULL REFERENCES protocols,
    system TEXT NOT NULL REFERENCES systems,
    call TEXT,
    form TEXT,
    line TEXT,
    is_solved INTEGER NOT NULL,
    is_any_mate INTEGER NOT NULL,
    counts INTEGER NOT NULL,
    FOREIGN KEY (dataset, puzzle) REFERENCES dataset_puzzles
) STRICT;

CREATE TABLE position_lists (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    source_sha256 TEXT NOT NULL,
    positions INTEGER NOT NULL
) STRICT;

CREATE TABLE listed_positions (
    dataset TEXT NOT NULL REFERENCES position_lists,
    place INTEGER NOT NULL,
    position TEXT NOT NULL,
    fen TEXT NOT NULL,
    PRIMARY KEY (dataset, position)
) STRICT;

CREATE TABLE cell_answers (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL,
    dataset TEXT NOT NULL REFERENCES position_lists,
    position TEXT NOT NULL,
    protocol TEXT NOT NULL REFERENCES protocols,
    condition TEXT NOT NULL,
    system TEXT NOT NULL REFERENCES systems,
    call TEXT,
    uci TEXT,
    class TEXT,
    extracted TEXT,
    is_contradicted INTEGER NOT NULL,
    counts INTEGER NOT NULL,
    FOREIGN KEY (dataset, position) REFERENCES listed_positions
) STRICT;

CREATE TABLE prices (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    requested_model TEXT NOT NULL,
    route TEXT NOT NULL,
    prompt_usd_per_million TEXT,
    cached_usd_per_million TEXT,
    completion_usd_per_million TEXT,
    source TEXT NOT NULL
) STRICT;

CREATE TABLE expenses (
    id TEXT PRIMARY KEY,
    day TEXT NOT NULL,
    category TEXT NOT NULL,
    amount_usd TEXT,
    note TEXT NOT NULL
) STRICT;

CREATE TABLE billing_corrections (
    id TEXT PRIMARY KEY,
    day TEXT NOT NULL,
    part TEXT NOT NULL,
    identity TEXT,
    covers_from TEXT,
    covers_until TEXT,
    recorded_usd TEXT NOT NULL,
    corrected_usd TEXT,
    difference_usd TEXT,
    note TEXT NOT NULL
) STRICT;

CREATE TABLE corrections (
    id TEXT PRIMARY KEY,
    ledger_index INTEGER NOT NULL,
    at TEXT NOT NULL,
    recorded_by TEXT NOT NULL,
    change TEXT NOT NULL,
    reason TEXT NOT NULL,
    evidence TEXT NOT NULL,
    is_in_effect INTEGER NOT NULL
) STRICT;

CREATE TABLE correction_targets (
    correction TEXT NOT NULL REFERENCES corrections,
    position INTEGER NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (correction, position)
) STRICT;

CREATE TABLE costs (
    position INTEGER PRIMARY KEY,
    day TEXT NOT NULL,
    part TEXT NOT NULL,
    identity TEXT,
    calls_ended INTEGER NOT NULL,
    calls_reported INTEGER NOT NULL,
    reported_usd TEXT,
    calls_estimated INTEGER NOT NULL,
    estimated_usd TEXT,
    bills INTEGER NOT NULL,
    corrected_usd TEXT,
    expenses INTEGER NOT NULL,
    expenses_usd TEXT,
    calls_answered INTEGER NOT NULL,
    answered_ms INTEGER NOT NULL,
    output_known INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    rejected INTEGER NOT NULL
) STRICT;

CREATE TABLE snapshot (
    format TEXT PRIMARY KEY,
    origin TEXT NOT NULL,
    size INTEGER NOT NULL,
    root TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    projection TEXT NOT NULL
) STRICT;

-- DuckDB reads a view through its own spelling of it, which SQLite must still
-- understand: so no count(*) in a view.
--
-- Counts are counted again here, from the games that count; only what cannot
-- be added up in SQL comes from `standings`.
CREATE VIEW placement_board AS
SELECT
    cohorts.name AS cohort,
    standings.position AS position,
    standings.rank AS rank,
    systems.name AS system,
    systems.id AS system_id,
    standings.rating AS rating,
    standings.deviation AS deviation,
    standings.volatility AS volatility,
    standings.interval_low AS interval_low,
    standings.interval_high AS interval_high,
    count(games.id) AS games,
    sum(seats.half_points = 2) AS wins,
    sum(seats.half_points = 1) AS draws,
    sum(seats.half_points = 0) AS losses,
    (sum(seats.half_points) / 2)
        || iif(sum(seats.half_points) % 2 = 1, '.5', '') AS points,
    sum(seats.color = 'white') AS white_games,
    sum(seats.color = 'black') AS black_games,
    count(DISTINCT games.variant || ' ' || games.fen || ' ' || coalesce(games.opening, '')
        || ' ' || coalesce(games.opening_moves, '')) AS openings,
    sum(games.is_censored) AS censored,
    sum(games.is_forfeit AND seats.half_points = 0) AS forfeits,
    sum(seats.rejected) AS rejected,
    sum(seats.rejected + seats.accepted) AS judged,
    systems.assistance AS assistance,
    cohorts.evidence_status AS evidence_status,
    (SELECT count(stopped.id)
        FROM games AS stopped
        JOIN cells AS registered USING (schedule, cell_index)
        WHERE stopped.schedule = standings.schedule AND stopped.state = 'aborted'
            AND standings.system IN (stopped.white, stopped.black)) AS aborted_games,
    sum(seats.calls_answered) AS calls_answered,
    sum(seats.calls_failed) AS calls_failed,
    sum(seats.nodes) AS nodes,
    sum(seats.nodes_reported) || '/' || sum(seats.nodes_base) AS nodes_reported_of,
    sum(seats.time_ms) AS time_ms,
    sum(seats.time_reported) || '/' || sum(seats.time_base) AS time_reported_of,
    sum(seats.completion_tokens) AS completion_tokens,
    sum(seats.completion_tokens_reported) || '/' || sum(seats.completion_tokens_base)
        AS completion_tokens_reported_of,
    standings.cost_usd AS cost_usd_reported,
    sum(seats.cost_reported) || '/' || sum(seats.cost_base) AS cost_reported_of,
    standings.estimated_usd AS cost_usd_estimated,
    standings.estimated_of AS cost_estimated_of,
    standings.cost_state AS cost_state
FROM standings
JOIN cohorts ON cohorts.schedule = standings.schedule
JOIN systems ON systems.id = standings.system
JOIN cells ON cells.schedule = standings.schedule
JOIN games ON games.id = cells.result_game
JOIN seats ON seats.game = games.id AND seats.system = standings.system
WHERE games.is_excluded = 0 AND NOT EXISTS (
    SELECT 1 FROM cohort_systems AS gone
    WHERE gone.schedule = standings.schedule AND gone.is_withdrawn = 1
        AND gone.system IN (games.white, games.black))
GROUP BY standings.schedule, standings.position
ORDER BY cohorts.name, standings.position;

-- One row an identity of an era, the ranked first.
CREATE VIEW ladder_board AS
SELECT
    eras.name AS era,
    ladder_standings.position AS position,
    ladder_standings.rank AS rank,
    identities.name AS system,
    identities.id AS system_id,
    ladder_standings.status AS status,
    ladder_standings.rating AS rating,
    ladder_standings.deviation AS deviation,
    ladder_standings.volatility AS volatility,
    ladder_standings.cost_usd_per_game AS cost_usd_per_game,
    ladder_standings.cost_per_game_games AS cost_per_game_games,
    (SELECT count(rated_games.game) FROM rated_games
        WHERE rated_games.era = eras.id
            AND rated_games.identity = ladder_standings.identity) AS rated_games
FROM ladder_standings
JOIN eras ON eras.id = ladder_standings.era
JOIN identities ON identities.id = ladder_standings.identity
ORDER BY eras.ledger_index, ladder_standings.position IS NULL, ladder_standings.position,
    identities.id;
