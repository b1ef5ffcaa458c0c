use crate::finding::Severity;
use crate::finding::release_code::with_release_codes;

with_release_codes! {
    LedgerDescription "ledger-description" Blocker
        "LEDGER.json is missing or is not exactly what the ledger's first event says."
        "restore LEDGER.json from a trusted copy of the ledger"
    HeadMissing "head-missing" Blocker
        "The ledger has no head, so nothing says what was acknowledged."
        "restore the file `head` from a trusted copy; never make one by hand"
    HeadSlot "head-slot" Blocker
        "A slot of the head, or the padding around it, is not as it was written."
        "if the writer was interrupted, append once to roll the head forward; otherwise restore the file from a trusted copy"
    HeadMismatch "head-mismatch" Blocker
        "The events do not add up to the size and root that the head promises."
        "restore the ledger from a trusted copy; the events were changed or lost after they were acknowledged"
    SegmentMissing "segment-missing" Blocker
        "A segment that the head or the segment index counts is not there."
        "restore the segment from a trusted copy"
    SegmentLength "segment-length" Blocker
        "A segment is shorter or longer than it must be."
        "restore the segment from a trusted copy"
    SegmentChanged "segment-changed" Blocker
        "The events of a sealed segment do not add up to the root it was sealed with."
        "restore the segment from a trusted copy"
    SegmentIndex "segment-index" Blocker
        "The segment index is not what the segments say."
        "restore segments.jsonl from a trusted copy"
    LineFault "line-fault" Blocker
        "A line of a segment is not one event in canonical form."
        "restore the segment from a trusted copy"
    OpeningEvent "opening-event" Blocker
        "The first event is not `ledger.opened`, or a later one is."
        "restore the first segment from a trusted copy"
    DuplicateEvent "duplicate-event" Blocker
        "The same line stands in the ledger twice."
        "record what is meant with a new event; two facts never share a line"
    DanglingReference "dangling-reference" Blocker
        "An event names an event that does not stand before it."
        "keep the line, and publish nothing that rests on it; append what is right as a new event"
    ReferenceKind "reference-kind" Blocker
        "An event names an event of a kind that cannot be meant there."
        "keep the line, and publish nothing that rests on it; append what is right as a new event"
    UnacknowledgedTail "unacknowledged-tail" Blocker
        "Bytes stand behind what the head acknowledges: an append was interrupted."
        "scoresheet recover, or the next append, moves the tail to quarantine and records it"
    UnexpectedFile "unexpected-file" Blocker
        "A file stands where only the project's own files may."
        "move the file elsewhere, or declare it"
    CheckpointChanged "checkpoint-changed" Blocker
        "A stored checkpoint is not the one this ledger had at that size."
        "restore the checkpoint from a trusted copy"
    PolicyUnmet "policy-unmet" Blocker
        "A checkpoint is not signed as a policy demands: the reader's, or that of the specification."
        "get the missing signatures and add them: scoresheet checkpoint add-signatures; or look whether the policy is the right one"
    SignatureRefused "signature-refused" Blocker
        "A signature by a key that the policy names does not verify."
        "restore the checkpoint from a trusted copy; if that fails too, trust neither the key nor who sent it"
    ProofRefused "proof-refused" Blocker
        "A proof does not prove what it is held against."
        "ask for the proof again; if that fails too, what it is about does not stand where it is said to stand"
    QuarantineChanged "quarantine-changed" Blocker
        "A quarantined file is missing or does not have the digest that it is named by and recorded with."
        "restore the file from a trusted copy"
    BlobChanged "blob-changed" Blocker
        "A blob is missing, or does not have the digest that it is named by."
        "restore the blob from a trusted copy"
    PrivateMissing "private-missing" Blocker
        "A private body that was not erased is not in this copy's private store, or its key is not."
        "restore the folder private/ from a backup; if the loss is for good, say so: scoresheet erase GAME"
    PrivateChanged "private-changed" Blocker
        "A private body, or the key that opens it, is not what was sealed."
        "restore the file from a backup"
    PrivateLeft "private-left" Blocker
        "An event says that private bodies were erased, and files of them are still there."
        "erase once more: scoresheet erase GAME"
    PrivateStray "private-stray" Warning
        "A file stands in the private store that no event names."
        "a run at work or a killed one leaves sealed bodies before their event; they go when their game is erased; move anything else elsewhere"
    SeedLost "seed-lost" Blocker
        "The seed of a rating era that goes on is not in this copy's private store, or is damaged."
        "restore the file from a backup"
    PrivateWithheld "private-withheld" Note
        "This copy of the ledger does not have private bodies that its events name."
        "nothing: private bodies are not published; every public figure is recomputed without them"
    PrivateMisplaced "private-misplaced" Blocker
        "A private body is sealed under the key of another game than the one it belongs to."
        "keep the line, and erase both games when one of them is to be erased"
    ErasureContradicted "erasure-contradicted" Blocker
        "An event erases other private bodies than the events before it name."
        "keep the line; erase what is left: scoresheet erase GAME"
    ClockBackwards "clock-backwards" Note
        "An event carries an earlier time than the event before it."
        "nothing: order is the position in the ledger; check the clock of the machine that wrote it"
    GameState "game-state" Blocker
        "An event does not fit the state its game is in: finished already, or the wrong ply or attempt."
        "keep the line; exclude the game with a reason: scoresheet correct"
    MoveIllegal "move-illegal" Blocker
        "A move recorded as accepted is not legal in its position."
        "keep the line, and publish nothing that rests on it; exclude the game with a reason: scoresheet correct"
    MoveLegal "move-legal" Blocker
        "A move recorded as rejected for being illegal is legal in its position."
        "keep the line; exclude the game with a reason: scoresheet correct"
    RejectionDiffers "rejection-differs" Blocker
        "The class of a rejected answer is not the one that its text has in its position."
        "keep the line; exclude the game with a reason: scoresheet correct"
    ResultContradicted "result-contradicted" Blocker
        "The recorded result or termination is not what the moves and the protocol give."
        "keep the line; put what they give in its place, or exclude the game with a reason: scoresheet correct"
    NameTwice "name-twice" Warning
        "Two systems share a name, so that people cannot tell them apart."
        "register the later system under a name of its own"
    CohortTwice "cohort-twice" Blocker
        "Two schedules claim one cohort name."
        "commit the later schedule under a name of its own; the first one keeps the name"
    CellUnregistered "cell-unregistered" Blocker
        "A game claims a cell that its schedule does not have, or other seats or another start than the cell's."
        "exclude the game with a reason: scoresheet correct"
    ScheduleContradicted "schedule-contradicted" Blocker
        "A schedule does not fit its protocol, or names as an anchor a system that another rating was fixed for."
        "commit a schedule that fits under a name of its own, and exclude what was played for this one: scoresheet correct"
    PairingForbidden "pairing-forbidden" Blocker
        "A game under a protocol that measures against anchors is not one of a system against an anchor."
        "exclude the game with a reason: scoresheet correct"
    AllocationDiffers "allocation-differs" Blocker
        "A mini-match of an anchor ladder was begun against another opponent than earlier results give, or before they were there."
        "exclude the game with a reason: scoresheet correct"
    CellReplayed "cell-replayed" Blocker
        "A cell was played again although its earlier game had a result."
        "exclude the later game with a reason: scoresheet correct"
    CellOrder "cell-order" Blocker
        "A cell was played out of the frozen order."
        "exclude the game with a reason: scoresheet correct"
    CallState "call-state" Blocker
        "A call was answered or failed twice, or its answer claims another call's place."
        "keep the line; exclude the game with a reason: scoresheet correct"
    StatusContradicted "status-contradicted" Blocker
        "A system is given a status that cannot follow the one it has."
        "keep the line; record the status that is meant with a new event"
    EraContradicted "era-contradicted" Blocker
        "A rating era is started or closed against its protocol, its first batch or another era."
        "keep the line, and publish nothing that rests on it; start an era of its own"
    PoolContradicted "pool-contradicted" Blocker
        "A newcomer is not scheduled against everyone who was ranked when it was admitted."
        "keep the line, and publish nothing that rests on it; scoresheet schedule admit commits the right one"
    DrawContradicted "draw-contradicted" Blocker
        "A draw does not follow from the ladder as it stood: another number, others eligible, or a choice that no seed could make."
        "keep the line; exclude the game that was started for it with a reason: scoresheet correct"
    DrawRefuted "draw-refuted" Blocker
        "The seed that was revealed is not the one that was committed to, or gives another choice than was recorded."
        "publish nothing of this era: its games were picked and not drawn"
    DrawUncheckable "draw-uncheckable" Warning
        "A rating era was closed without its seed, which is lost: whether its draws are what the seed gives cannot be checked."
        "nothing brings it back; say so wherever figures of the era are shown"
    GameUnchosen "game-unchosen" Blocker
        "A game of the ladder was not chosen by a draw of its own."
        "exclude the game with a reason: scoresheet correct"
    SeatUnavailable "seat-unavailable" Blocker
        "A game was started that could not be: a player was paused, gone, or at another game, or its era had no ratings yet or was over."
        "exclude the game with a reason: scoresheet correct"
    SeatPerson "seat-person" Blocker
        "A game with a person does not have exactly one at the board, or another game has one."
        "exclude the game with a reason: scoresheet correct"
    PlayerTwice "player-twice" Warning
        "An account is registered as two people."
        "use the first registration; games of the second one count for the second one"
    EvaluationEarly "evaluation-early" Blocker
        "A position of a game with a person was measured in public before the game ended."
        "exclude the game with a reason: scoresheet correct"
    AnalysisIllegal "analysis-illegal" Blocker
        "A measurement names a move that is not legal in its position, or none where there is one: the engine answered for another position."
        "keep the line; exclude the measurement with a reason: scoresheet correct"
    MeasurementDiffers "measurement-differs" Warning
        "An engine measured the same position twice at the same number of nodes, and came to something else."
        "look what else differed: threads, hash, or a position that was analyzed before it; the first one counts, and may be excluded with a reason: scoresheet correct"
    CandidatesDiffer "candidates-differ" Blocker
        "The candidates that a call shows are not those that the record of the position and the protocol give, in that order; or the record does not stand before the call."
        "keep the line; exclude the game with a reason: scoresheet correct"
    OracleUnfit "oracle-unfit" Blocker
        "The oracle of a game has no limit of nodes, or a system that it helps is not registered as helped in that way."
        "exclude the game with a reason: scoresheet correct; play it anew under a protocol and systems that say what is shown"
    AnchorFitDiffers "anchor-fit-differs" Blocker
        "The fitted rating of an anchor is not what its frozen fit says, or the fit is not what the games before it give."
        "leave out of the release what was played against this anchor, and fit it anew under a name of its own: scoresheet anchor fit"
    TablebaseDiffers "tablebase-differs" Warning
        "Endgame tables say two things of one position: one of the files is not the table that its name says."
        "compare the digests of both with published ones; the first probe counts, and may be excluded with a reason: scoresheet correct"
    DatasetTwice "dataset-twice" Blocker
        "Two datasets claim one name."
        "register the later dataset under a name of its own; the first one keeps the name"
    PuzzleUnknown "puzzle-unknown" Blocker
        "An answer is to a puzzle that its dataset does not have."
        "keep the line, which counts nowhere; exclude the answer with a reason: scoresheet correct"
    PuzzleTwice "puzzle-twice" Blocker
        "A system answered the same puzzle of a dataset twice under one protocol: there is one try."
        "exclude the later answer with a reason: scoresheet correct; until then the first one counts"
    PuzzleContradicted "puzzle-contradicted" Blocker
        "An answer to a puzzle is not what its call or its protocol allows: a reply from a failed call, none from an answered one, another's call, or rules of games."
        "exclude the answer with a reason: scoresheet correct; until then it counts as wrong"
    PositionsContinued "positions-continued" Blocker
        "A further part of a list of positions does not go on from it: another name or file, a position or id again, after the first answer, or no list there."
        "keep the line, which counts nowhere; register the whole list under another name: scoresheet dataset positions"
    PositionUnknown "position-unknown" Blocker
        "An answer is to a position that its list does not have."
        "keep the line, which counts nowhere; exclude the answer with a reason: scoresheet correct"
    CellTwice "cell-twice" Blocker
        "A system was asked the same position again under one protocol and condition, after a move, a failed request or the last attempt."
        "exclude the later answer with a reason: scoresheet correct; until then the earlier ones count"
    CellContradicted "cell-contradicted" Blocker
        "An answer to a position is not what its call or its protocol allows: a reply from a failed call, none from an answered one, a call for something else or for another attempt, or rules of games."
        "exclude the answer with a reason: scoresheet correct; until then it is neither a move nor a rejection"
    CorrectionContradicted "correction-contradicted" Blocker
        "A correction reverses what is reversed already, or puts a result in place that the moves and the protocol do not give."
        "keep the line, and reverse it: scoresheet correct ID --reverse"
    RatingUnsettled "rating-unsettled" Blocker
        "A game gives a rating that is no finite number."
        "exclude the game with a reason: scoresheet correct"
    BillingContradicted "billing-contradicted" Blocker
        "A correction of a bill names another recorded total than follows from the events before it."
        "exclude the correction with a reason: scoresheet correct; then correct the bill anew: scoresheet billing correct"
}
