use crate::finding::Severity;
use crate::finding::listed::codes;

codes! {
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
    SchemaViolation "schema-violation" Blocker
        "A document does not have the form that its schema describes."
        "correct the document; its schema is in the folder schemas"
    SubmissionUnreadable "submission-unreadable" Blocker
        "A submission is no JSON that every reader reads alike."
        "write the document anew as plain JSON in UTF-8, with each key once and whole numbers"
    SubmissionOpen "submission-open" Blocker
        "A question of a submission is not answered."
        "put the answer in the place of the question, or null where nobody can know it"
    SubmissionContradicted "submission-contradicted" Blocker
        "A submission says two things that cannot both be so."
        "mend the one that is wrong"
    SubmissionBound "submission-bound" Blocker
        "A record in which everything was won, or everything lost, is given as a finite estimate."
        "write null as the estimate, and the bound as the end of the interval that is known"
    SubmissionCost "submission-cost" Blocker
        "The costs of a submission are added up across bases, or cover more calls than there were."
        "give one entry a basis, each with the calls that it covers"
    SubmissionArtifact "submission-artifact" Blocker
        "A released file of a submission is not the one that its digest names."
        "restore the file, or give the digest of the one that is released"
    SubmissionEvidence "submission-evidence" Blocker
        "The raw events that a submission names are not there."
        "put the ledger into the folder of the submission as `ledger`, or name it with --ledger"
    SubmissionIdentity "submission-identity" Blocker
        "A submission describes another system or protocol than its raw events do."
        "write what the events say; where they are wrong, correct them by an event"
    SubmissionWindow "submission-window" Blocker
        "The observation window of a submission is not that of its calls."
        "write the times of the first call and of the last end of one"
    SubmissionCounts "submission-counts" Blocker
        "The counts of a submission are not those of its raw events."
        "write the counts that the events give"
    SubmissionResult "submission-result" Blocker
        "The result of a submission is not what its raw events give."
        "write the figures that the events give"
    SubmissionResources "submission-resources" Blocker
        "What a submission took is not what its raw events say, or covers other calls."
        "write the figures that the events give, each with the calls that it covers"
    SubmissionStatus "submission-status" Blocker
        "A submission claims a higher evidence status than its raw events can bear."
        "claim the status that they bear, or collect what is missing under a new preregistration"
    SpecInvalid "spec-invalid" Blocker
        "The publication specification does not say what it must."
        "correct release/publication.json; its schema is schemas/publication.json"
    InputsDiffer "inputs-differ" Blocker
        "An artifact declares inputs that it is not made from, or leaves some out."
        "declare what the finding expects; what a generator reads may be left out"
    ArtifactCircular "artifact-circular" Blocker
        "An artifact is made from itself, directly or through others."
        "take the artifact out of the inputs that lead back to it"
    SpecChanged "spec-changed" Blocker
        "The publication specification is not the one that was published."
        "restore release/publication.json, or publish a new release"
    ReleaseAltered "release-altered" Blocker
        "A release of this name is published with other content."
        "restore what was published, or give the release a new name: scoresheet release new NAME --cohort COHORT --replace"
    ReleaseContradicted "release-contradicted" Blocker
        "The event that published the release says other than an audit finds now."
        "reproduce with the version of the program that published it; if that fails too, publish a new release"
    ReleaseEmpty "release-empty" Blocker
        "The release declares nothing, or contains no game: a count of zero is never a pass."
        "declare at least one artifact and freeze at least one cohort with games"
    CheckpointUnknown "checkpoint-unknown" Blocker
        "The release is bound to a checkpoint that this ledger does not have."
        "bind the release to a checkpoint of this ledger: scoresheet checkpoint"
    HistoryRewritten "history-rewritten" Blocker
        "The ledger does not begin with the events that an earlier audit passed: history only ever grows."
        "restore the ledger from a copy that has them; where nothing was published yet, remove the audit that the finding names"
    PathEscapes "path-escapes" Blocker
        "A declared path leaves the project, goes through a link, or is not a plain name."
        "use a relative path of plain names inside the project"
    ArtifactMissing "artifact-missing" Blocker
        "A declared artifact is not there or cannot be read as a plain file."
        "generate it: scoresheet release build"
    FileTooLarge "file-too-large" Blocker
        "A file is larger than what is looked at whole."
        "split the file; a larger body is stored as a blob"
    FileUnsteady "file-unsteady" Blocker
        "A file changed while it was read, or yields other than its size."
        "stop what writes to it, then look again"
    ArtifactChanged "artifact-changed" Blocker
        "An artifact is not, byte for byte, what its generator makes of the ledger."
        "generate it again: scoresheet release build"
    ArtifactEdited "artifact-edited" Blocker
        "An artifact was changed after its generator made it; its provenance is as it was."
        "generate it again: scoresheet release build"
    ArtifactStale "artifact-stale" Blocker
        "An artifact is what was made once; its inputs or its generator have changed since."
        "generate it again: scoresheet release build"
    ArtifactEmpty "artifact-empty" Blocker
        "A declared artifact is there and holds nothing."
        "give it its content, or take it out of release/publication.json"
    ArtifactShared "artifact-shared" Blocker
        "A settled artifact has more than one name in the file system, so that it can be changed from elsewhere."
        "copy it to a file of its own: cp FILE FILE.new && mv FILE.new FILE"
    FilePointer "file-pointer" Blocker
        "A file is a pointer of Git LFS or git-annex, not the content."
        "fetch the content, and commit it as a plain file"
    ProvenanceMissing "provenance-missing" Blocker
        "Nothing says what a generated artifact was made from."
        "generate it again: scoresheet release build"
    ProvenanceDiffers "provenance-differs" Blocker
        "The provenance of an artifact says other than what it is made from."
        "generate it again: scoresheet release build"
    ArtifactUnregenerable "artifact-unregenerable" Blocker
        "An artifact names a generator, a version or arguments that this program does not have."
        "name one of the generators of `scoresheet release generators`"
    ArtifactUndeclared "artifact-undeclared" Blocker
        "A file stands in the release that its specification does not declare."
        "declare it, or remove it"
    PathPrivate "path-private" Blocker
        "A name that credentials or private logs have stands in the release."
        "move it out of the project; revoke the credential if it was public"
    PathTwin "path-twin" Blocker
        "Two names in the release differ in case only, which is one file on some systems."
        "rename one of them"
    FolderTooLarge "folder-too-large" Blocker
        "A folder of the release holds more names than are looked at."
        "remove what does not belong there"
    FileUntracked "file-untracked" Blocker
        "A file of the release is not tracked by git, so that no clone has it."
        "git add --force FILE"
    FileUnnoticed "file-unnoticed" Blocker
        "Git is told not to look at a file of the release, and it differs from what is tracked."
        "git update-index --no-assume-unchanged --no-skip-worktree FILE, then look at the difference"
    AuditGone "audit-gone" Blocker
        "The audit that a published release rests on is no longer there."
        "restore the file from the history of the project; it is kept for ever"
    ArtifactLive "artifact-live" Blocker
        "An artifact rests on evidence that is not frozen."
        "freeze the cohort: scoresheet freeze COHORT"
    CohortUnfrozen "cohort-unfrozen" Blocker
        "The release names a cohort that no manifest freezes before its checkpoint."
        "freeze the cohort: scoresheet freeze COHORT, then bind the release to a later checkpoint"
    CohortOpen "cohort-open" Blocker
        "A cohort has registered cells without a finished game."
        "run the rest of the schedule; a cohort that cannot be finished is played anew under another name"
    CellRetried "cell-retried" Blocker
        "A registered cell was played again although nothing failed in its earlier game: somebody stopped it, or no call of it failed."
        "say why, naming the game, then bind the release to a later checkpoint: scoresheet deviation"
    LabelContradicted "label-contradicted" Blocker
        "A manifest is labeled live and its cohort is complete, or does not name the manifest that it supersedes."
        "keep the line, and publish nothing that rests on it; freeze the cohort: scoresheet freeze COHORT"
    ManifestChanged "manifest-changed" Blocker
        "A manifest is missing, or is not what the ledger gives at its size."
        "restore the manifest from a trusted copy; a correction makes a new manifest"
    ClaimUnfounded "claim-unfounded" Blocker
        "A claim stands on a cohort that the release does not freeze."
        "freeze the cohort and add it to the release, or supersede the claim by one that stands on what is released: scoresheet claim record --supersedes"
    ClaimOverstated "claim-overstated" Blocker
        "A claim says a higher evidence status than its cohorts can bear."
        "supersede it by one that claims less: scoresheet claim record --supersedes"
    ClaimUnreviewed "claim-unreviewed" Blocker
        "Nobody has reviewed a claim on a cohort of the release before its checkpoint."
        "review it, then bind the release to a later checkpoint: scoresheet claim review"
    ClaimStale "claim-stale" Blocker
        "What a claim stands on was corrected or frozen after its last review."
        "review it anew, then bind the release to a later checkpoint: scoresheet claim review"
    ClaimContradicted "claim-contradicted" Blocker
        "A number of a claim is not what its table says, or its table, row, column or endpoint is not there."
        "supersede it by one with the right number, or withdraw it: scoresheet claim record --supersedes, scoresheet claim review --verdict withdrawn"
    ReviewContradicted "review-contradicted" Blocker
        "A review of a claim names a prefix that this ledger did not have then."
        "review the claim anew: scoresheet claim review; publish nothing that rests on this one"
    EndpointUnreported "endpoint-unreported" Blocker
        "A primary endpoint that was registered for a cohort of the release is reported by no claim."
        "record what it came to, whatever that is: scoresheet claim record --endpoint"
    PreregistrationLate "preregistration-late" Blocker
        "A preregistration of a cohort was committed when games of it had been played, and the cohort is no pilot."
        "leave the cohort out of the release; play it anew under a name of its own, and promise first"
    ImportFaulty "import-faulty" Warning
        "Games of an imported source cannot be read or played whole."
        "nothing here: the games stand as far as they go; where it matters, get a whole copy from whoever published the source"
    ImportContradicted "import-contradicted" Warning
        "An imported source says two things, such as another result than the moves give, or a published table says what its games do not."
        "nothing here: both stand as the source has them; tell whoever published it"
    ImportDiffers "import-differs" Blocker
        "An imported game is not what a source can have said: a number out of order, a move that is not legal, a contradiction that is passed over, a count that is wrong."
        "keep the line, and publish nothing that rests on it; import the source anew into another ledger and compare"
    SecretLike "secret-like" Blocker
        "Text looks like a credential."
        "remove it and revoke the credential; what was public once is no secret"
    WaiverExpired "waiver-expired" Blocker
        "A waiver of the specification has run out by the time of the last event of the prefix."
        "look again, and renew it with a later day or remove it"
    WaiverUnused "waiver-unused" Blocker
        "A waiver of the specification lets nothing pass."
        "remove it from release/publication.json"
    WaiverMisdirected "waiver-misdirected" Blocker
        "A waiver of the specification is for other bytes than the artifact has."
        "look at the artifact as it is, and waive its own digest or remove the waiver"
    WaiverInvalid "waiver-invalid" Blocker
        "A waiver of the specification names no rule, no reason or no reviewer, or covers the whole artifact."
        "name the rule, the bytes, the reason and who looked"
    WaiverUnseconded "waiver-unseconded" Blocker
        "A publication waives a rule that knows credentials by their shape, and one person looked."
        "let somebody else look, and name both: second_reviewer"
    Unscannable "unscannable" Blocker
        "A file, or a member of an archive, could not be looked at for secrets: it is no text, encrypted, broken, or too much."
        "publish it as plain text, or in a gzip, zip, tar or Zstandard file that can be opened"
    GapUnused "gap-unused" Warning
        "The draft permits a gap that is not there."
        "remove the gap from release/publication.json"
}
