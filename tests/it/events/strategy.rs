//! Events that nobody thought of.

use proptest::prelude::*;
use scoresheet::canonical::{Count, Integer, MAX_SAFE_INTEGER, Money, Time};
use scoresheet::chess::{Ply, RejectionClass, UciMove};
use scoresheet::digest::Digest;
use scoresheet::event::{
    AbortCause, BodyRole, By, CallAnswered, CallFailed, CallFailure, CallSent, CallTime,
    Commitment, EngineReport, Event, EventId, ExpenseCategory, ExpenseRecorded, GameAborted,
    MoveAccepted, MoveRejected, PriceRecorded, PrivateBody, PuzzleRef, Redaction, ReportedScore,
    SearchLimit, ShownCandidates, SubCall, Tokens, What,
};

fn time() -> impl Strategy<Value = Time> {
    (-62_167_219_200_000_i64..253_402_300_800_000).prop_map(|ms| Time::from_unix_ms(ms).unwrap())
}

fn count() -> impl Strategy<Value = Count> {
    prop_oneof![0..100_u64, 0..=MAX_SAFE_INTEGER].prop_map(|n| Count::try_from(n).unwrap())
}

fn integer() -> impl Strategy<Value = Integer> {
    let max = MAX_SAFE_INTEGER.cast_signed();
    prop_oneof![-100..100_i64, -max..=max].prop_map(|n| Integer::try_from(n).unwrap())
}

fn one_or_more() -> impl Strategy<Value = Count> {
    (1..=MAX_SAFE_INTEGER).prop_map(|n| Count::try_from(n).unwrap())
}

fn ply() -> impl Strategy<Value = Ply> {
    (1..=u32::MAX).prop_map(Ply)
}

fn money() -> impl Strategy<Value = Money> {
    "(0|[1-9][0-9]{0,8})(\\.[0-9]{0,17}[1-9])?".prop_map(|text| text.parse().unwrap())
}

fn id() -> impl Strategy<Value = EventId> {
    "[0-9a-f]{64}".prop_map(|text| text.parse().unwrap())
}

/// Any text, control characters and other planes included.
pub(crate) fn text() -> impl Strategy<Value = String> {
    "(?s).{0,40}"
}

fn maybe<T: std::fmt::Debug>(
    strategy: impl Strategy<Value = T>,
) -> impl Strategy<Value = Option<T>> {
    proptest::option::of(strategy)
}

fn bodies() -> impl Strategy<Value = Vec<PrivateBody>> {
    let name = || "[a-z0-9][a-z0-9_-]{0,20}".prop_map(|text| text.parse().unwrap());
    let redaction = (
        any::<[u8; 32]>(),
        name(),
        prop::collection::vec(name(), 1..3),
    )
        .prop_map(|(commitment, field, rules)| Redaction {
            commitment: Commitment::new(commitment),
            field,
            rules,
        });
    let role = prop_oneof![Just(BodyRole::Request), Just(BodyRole::Reasoning)];
    let body = (count(), maybe(redaction), role, any::<[u8; 32]>(), id()).prop_map(
        |(bytes, redaction, role, sha256, unit)| PrivateBody {
            bytes,
            role: redaction.as_ref().map_or(role, |_| BodyRole::Redacted),
            redaction,
            sha256: Digest::new(sha256),
            unit,
        },
    );
    prop::collection::vec(body, 0..3)
}

fn uci() -> impl Strategy<Value = UciMove> {
    "[a-h][1-8][a-h][1-8][nbrq]?".prop_map(|text| text.parse::<UciMove>().unwrap())
}

fn shown() -> impl Strategy<Value = ShownCandidates> {
    let moves = prop::collection::vec(uci(), 1..4);
    (id(), moves).prop_map(|(measured, mut moves)| {
        moves.sort();
        moves.dedup();
        ShownCandidates { measured, moves }
    })
}

fn moves() -> impl Strategy<Value = What> {
    let accepted = (one_or_more(), maybe(id()), id(), ply(), uci()).prop_map(
        |(attempt, call, game, ply, uci)| {
            What::from(MoveAccepted {
                attempt,
                call,
                game,
                ply,
                uci,
            })
        },
    );
    let class = prop_oneof![
        Just(RejectionClass::Unparseable),
        Just(RejectionClass::CutOff)
    ];
    let rejected = (
        one_or_more(),
        bodies(),
        maybe(id()),
        class,
        text(),
        id(),
        ply(),
    )
        .prop_map(|(attempt, bodies, call, class, extracted, game, ply)| {
            What::from(MoveRejected {
                attempt,
                bodies,
                call,
                class,
                extracted,
                game,
                ply,
            })
        });
    prop_oneof![accepted, rejected]
}

fn call_time() -> impl Strategy<Value = CallTime> {
    (maybe(count()), maybe(count()), count()).prop_map(|(first_token_ms, queue_ms, total_ms)| {
        CallTime {
            first_token_ms,
            queue_ms,
            total_ms,
        }
    })
}

fn limit() -> impl Strategy<Value = SearchLimit> {
    (0..3, one_or_more()).prop_map(|(which, most)| SearchLimit {
        depth: (which == 0).then_some(most),
        movetime_ms: (which == 1).then_some(most),
        nodes: (which == 2).then_some(most),
    })
}

fn sent() -> impl Strategy<Value = What> {
    (
        one_or_more(),
        bodies(),
        maybe((id(), ply())),
        maybe(limit()),
        maybe(text()),
        maybe(text()),
        id(),
        maybe(id()),
        maybe(shown()),
    )
        .prop_map(
            |(attempt, bodies, turn, limit, requested_model, route, system, dataset, shown)| {
                let (game, ply) = turn.unzip();
                let puzzle = dataset.filter(|_| game.is_none()).map(|dataset| PuzzleRef {
                    dataset,
                    id: "002Q2".to_owned(),
                });
                What::from(CallSent {
                    attempt,
                    bodies,
                    candidates: shown.filter(|_| game.is_some()),
                    game,
                    limit,
                    ply,
                    position: None,
                    puzzle,
                    requested_model,
                    route,
                    system,
                })
            },
        )
}

fn engine() -> impl Strategy<Value = EngineReport> {
    let score = (any::<bool>(), integer()).prop_map(|(is_mate, number)| ReportedScore {
        cp: (!is_mate).then_some(number),
        mate: is_mate.then_some(number),
    });
    (maybe(count()), maybe(count()), maybe(score)).prop_map(|(depth, nodes, score)| EngineReport {
        depth,
        nodes,
        score,
    })
}

fn tokens() -> impl Strategy<Value = Tokens> {
    (
        maybe(count()),
        maybe(count()),
        maybe(count()),
        maybe(count()),
    )
        .prop_map(|(cached, completion, prompt, reasoning)| Tokens {
            cached,
            completion,
            prompt,
            reasoning,
        })
}

fn sub_call() -> impl Strategy<Value = SubCall> {
    let texts = (maybe(text()), maybe(text()), text());
    (maybe(money()), texts, [maybe(tokens()), maybe(tokens())])
        .prop_map(
            |(cost_usd, (model, request_id, role), [overhead, tokens])| SubCall {
                cost_usd,
                model,
                overhead,
                request_id,
                role,
                tokens,
            },
        )
        // A strategy is as large as all its parts, and a thread of tests has no room.
        .boxed()
}

fn ended() -> impl Strategy<Value = What> {
    let texts = (maybe(text()), maybe(text()), maybe(text()));
    let answered = (
        bodies(),
        id(),
        prop::collection::vec(sub_call(), 0..3),
        maybe(money()),
        maybe(engine()),
        texts,
        call_time(),
        [maybe(tokens()), maybe(tokens())],
    )
        .prop_map(
            |(bodies, call, calls, cost_usd, engine, texts, time, both)| {
                let (finish_reason, request_id, returned_model) = texts;
                let [overhead, tokens] = both;
                What::from(CallAnswered {
                    bodies,
                    call,
                    calls,
                    cost_usd,
                    engine,
                    finish_reason,
                    overhead,
                    request_id,
                    returned_model,
                    time,
                    tokens,
                })
            },
        );
    let failed = (
        bodies(),
        id(),
        text(),
        maybe(count()),
        maybe(count()),
        maybe(call_time()),
    )
        .prop_map(
            |(bodies, call, detail, http_status, retry_after_ms, time)| {
                What::from(CallFailed {
                    bodies,
                    call,
                    class: CallFailure::BrokenStream,
                    detail,
                    http_status,
                    retry_after_ms,
                    time,
                })
            },
        );
    prop_oneof![answered.boxed(), failed.boxed()]
}

fn others() -> impl Strategy<Value = What> {
    let price = (maybe(money()), money(), money(), text(), text(), text()).prop_map(
        |(cached, completion, prompt, requested_model, route, source)| {
            What::from(PriceRecorded {
                cached_usd_per_million: cached,
                completion_usd_per_million: completion,
                prompt_usd_per_million: prompt,
                requested_model,
                route,
                source,
            })
        },
    );
    let expense = (money(), text()).prop_map(|(amount_usd, note)| {
        What::from(ExpenseRecorded {
            amount_usd,
            category: ExpenseCategory::Storage,
            note,
        })
    });
    let aborted = (maybe(id()), id(), text()).prop_map(|(call, game, reason)| {
        What::from(GameAborted {
            call,
            cause: AbortCause::RunnerFailure,
            game,
            reason,
        })
    });
    prop_oneof![price, expense, aborted]
}

/// Any event of the kinds that a game makes most of.
pub(crate) fn event() -> impl Strategy<Value = Event> {
    let by = "[!-~]{1,100}".prop_map(|text| text.parse::<By>().unwrap());
    let what = prop_oneof![moves(), sent(), ended(), others()];
    (time(), by, what).prop_map(|(at, by, what)| Event { at, by, what })
}
