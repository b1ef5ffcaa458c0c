//! The codes of what is handed in and published: submissions, sources of others, releases.

/// Makes the list of codes of those of a ledger, and of these behind them.
macro_rules! with_release_codes {
    ($($of_ledger:tt)*) => { $crate::finding::listed::codes! {
    $($of_ledger)*
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
    } };
}

pub(in crate::finding) use with_release_codes;
