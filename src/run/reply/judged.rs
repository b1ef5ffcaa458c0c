use crate::chess::{Position, RejectionClass, UciMove};
use crate::run::prompts::{Anchored, Chessbench, Template, TrackA};
use crate::run::reply::{AnswerForm, Reply};

/// How a protocol reads replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// In what form it accepts a move.
    pub form: AnswerForm,
    /// Whether a move in capital letters is read as one in lower case. Where it
    /// is, the extracted text is in lower case.
    pub folds_case: bool,
}

/// A reply that was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The text that was judged, which is public.
    pub extracted: String,
    /// The move that it is, or why it is none.
    pub verdict: Result<UciMove, RejectionClass>,
}

impl Reading {
    /// Of `chessbench-v3`.
    pub const CHESSBENCH: Self = Self {
        form: AnswerForm::Submitted {
            tool: Chessbench::TOOL_NAME,
            argument: Chessbench::TOOL_ARGUMENT,
        },
        folds_case: false,
    };
    /// Of games against anchors.
    pub const ANCHORED: Self = Self {
        form: AnswerForm::Tag(Anchored::TAG),
        folds_case: false,
    };
    /// Of Track A.
    pub const TRACK_A: Self = Self {
        form: AnswerForm::Tag(TrackA::TAG),
        folds_case: false,
    };

    /// Returns what is declared of it, as a text that stands among the prompts of a
    /// protocol: replies that are read otherwise are another protocol.
    pub fn declaration(self) -> Template {
        let folded = if self.folds_case { "yes" } else { "no" };
        let text = format!("form: {}\ncase folded: {folded}\n", self.form.as_str());
        Template::declared("answer", text)
    }

    /// Returns the move of a reply, or why it is none, with the text that this
    /// follows from.
    ///
    /// The class is what [`Position::judge`] says of the extracted text, but for
    /// a reply without a move that the model declined
    /// ([`RejectionClass::Refused`]) or that was cut off
    /// ([`RejectionClass::CutOff`]).
    pub fn judge(self, position: &Position, reply: &Reply<'_>) -> Judged {
        let Some(mut extracted) = self.form.extract(reply) else {
            return Judged {
                extracted: String::new(),
                verdict: Err(RejectionClass::CutOff),
            };
        };
        if self.folds_case {
            let folded = extracted.to_ascii_lowercase();
            if folded.parse::<UciMove>().is_ok() {
                extracted = folded;
            }
        }
        let verdict = position.judge(&extracted).map_err(|class| {
            if reply.is_refusal {
                RejectionClass::Refused
            } else if reply.is_cut_off {
                RejectionClass::CutOff
            } else {
                class
            }
        });
        Judged { extracted, verdict }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{Fen, Variant};
    use crate::run::prompts::ToolCall;

    fn start() -> Position {
        Fen::standard_start().position(Variant::Standard).unwrap()
    }

    fn call(name: &str, arguments: &str) -> ToolCall {
        ToolCall {
            id: "1".to_owned(),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        }
    }

    /// The extracted text, and the move or the class as a word.
    fn judged(reading: Reading, reply: &Reply<'_>) -> (String, String) {
        let Judged { extracted, verdict } = reading.judge(&start(), reply);
        let word = match verdict {
            Ok(uci) => uci.to_string(),
            Err(class) => class.to_string(),
        };
        (extracted, word)
    }

    fn text(text: &str) -> Reply<'_> {
        Reply {
            text,
            ..Reply::default()
        }
    }

    #[test]
    fn chessbench_takes_a_bare_move_or_move_json_and_nothing_around_it() {
        for (reply, extracted, word) in [
            ("e2e4", "e2e4", "e2e4"),
            (" e2e4\n", "e2e4", "e2e4"),
            ("{\"move\": \"e2e4\"}", "e2e4", "e2e4"),
            ("{\"move\": \" e2e4 \", \"why\": \"space\"}", "e2e4", "e2e4"),
            ("", "", "empty"),
            (" \n", "", "empty"),
            ("{\"move\": \"\"}", "", "empty"),
            ("My move is e2e4.", "... e2e4", "wrong_format"),
            ("{\"move\": \"Nf3\"}", "Nf3", "wrong_format"),
            ("{\"Move\": \"e2e4\"}", "... e2e4", "wrong_format"),
            ("```e2e4```", "```e2e4```", "wrong_format"),
            ("E2E4", "E2E4", "wrong_format"),
            ("e2e4 d2d4", "e2e4 d2d4", "ambiguous"),
            (
                "{\"move\":\"e2e4\",\"move\":\"d2d4\"}",
                "... e2e4 ... d2d4",
                "ambiguous",
            ),
            (
                "{\"move\": [\"e2e4\", \"d2d4\"]}",
                "... e2e4 d2d4",
                "ambiguous",
            ),
            ("I cannot see the board.", "...", "unparseable"),
            ("{\"move\": 7}", "...", "unparseable"),
            ("e2e5", "e2e5", "unreachable"),
            ("e7e5", "e7e5", "wrong_side"),
        ] {
            let expected = (extracted.to_owned(), word.to_owned());
            assert_eq!(
                judged(Reading::CHESSBENCH, &text(reply)),
                expected,
                "{reply}"
            );
        }
    }

    #[test]
    fn a_tool_call_is_an_answer_and_the_text_beside_it_a_remark() {
        let e4 = || call("submit_move", "{\"move\": \"e2e4\"}");
        let d4 = || call("submit_move", "{\"move\": \"d2d4\"}");
        for (calls, beside, extracted, word) in [
            (vec![e4()], "", "e2e4", "e2e4"),
            (vec![e4()], "I play d2d4 or e4.", "e2e4", "e2e4"),
            (vec![e4(), e4()], "e2e4", "e2e4", "e2e4"),
            (vec![e4(), d4()], "", "e2e4 d2d4", "ambiguous"),
            (vec![e4()], "d2d4", "e2e4 d2d4", "ambiguous"),
            (
                vec![call("submit_move", "{\"move\": \"e2")],
                "",
                "... e2",
                "unparseable",
            ),
            (
                vec![call("submit_move", "e2e4")],
                "",
                "e2e4 ...",
                "wrong_format",
            ),
            (
                vec![call("other", "{\"move\": \"e2e4\"}")],
                "",
                "... e2e4",
                "wrong_format",
            ),
            (
                vec![call("submit_move", "{\"move\": \"\"}")],
                "",
                "",
                "empty",
            ),
        ] {
            let reply = Reply {
                tool_calls: &calls,
                ..text(beside)
            };
            let expected = (extracted.to_owned(), word.to_owned());
            assert_eq!(judged(Reading::CHESSBENCH, &reply), expected, "{calls:?}");
        }
    }

    #[test]
    fn the_last_tag_counts_and_an_answer_without_one_never() {
        for (reply, extracted, word) in [
            (
                "First <move>d2d4</move>, no: <move> e2e4\n</move> it is",
                "e2e4",
                "e2e4",
            ),
            ("e2e4", "e2e4 ...", "wrong_format"),
            ("Nf3 or e4?", "Nf3 ... e4", "ambiguous"),
            ("<move>Nf3</move>", "Nf3", "wrong_format"),
            ("<move>e2e4 d2d4</move>", "e2e4 d2d4", "ambiguous"),
            ("<move></move>", "", "empty"),
            ("<MOVE>e2e4</MOVE>", "... e2e4 ...", "wrong_format"),
            ("<move>e2e4", "... e2e4", "wrong_format"),
            ("</move>", "...", "unparseable"),
            ("<move>e2e4</move> beside <move>", "e2e4", "e2e4"),
            ("", "", "empty"),
        ] {
            let expected = (extracted.to_owned(), word.to_owned());
            assert_eq!(judged(Reading::ANCHORED, &text(reply)), expected, "{reply}");
        }
    }

    #[test]
    fn what_was_refused_or_cut_off_is_so_unless_a_move_was_complete() {
        let word = |reading, reply: Reply<'_>| judged(reading, &reply).1;
        let cut = |text| Reply {
            is_cut_off: true,
            ..self::text(text)
        };
        let refusal = |text| Reply {
            is_refusal: true,
            ..self::text(text)
        };
        assert_eq!(
            word(Reading::ANCHORED, cut("Let me think about e4")),
            "cut_off"
        );
        assert_eq!(word(Reading::ANCHORED, cut("")), "cut_off");
        assert_eq!(word(Reading::ANCHORED, cut("<move>e2e4</move> or")), "e2e4");
        assert_eq!(
            word(Reading::ANCHORED, cut("<move>e2e4</move> <move>d2")),
            "cut_off"
        );
        assert_eq!(word(Reading::CHESSBENCH, cut("{\"move\": \"e2")), "cut_off");
        assert_eq!(
            word(Reading::CHESSBENCH, refusal("I will not play.")),
            "refused"
        );
        assert_eq!(word(Reading::CHESSBENCH, refusal("e2e4")), "e2e4");
    }

    #[test]
    fn case_is_folded_where_the_protocol_says_so_and_the_text_shows_it() {
        let folding = Reading {
            folds_case: true,
            ..Reading::CHESSBENCH
        };
        let (extracted, word) = judged(folding, &text("E2E4"));
        assert_eq!((extracted.as_str(), word.as_str()), ("e2e4", "e2e4"));
        let (extracted, word) = judged(folding, &text("NF3"));
        assert_eq!((extracted.as_str(), word.as_str()), ("NF3", "unparseable"));
    }

    #[test]
    fn of_a_reply_of_any_length_little_becomes_public() {
        let key = ["sk", "-", &"0aZ".repeat(20)].concat();
        for part in ["<move>", "e2e4 ", "Nf3 e4 d4 ", "{\"move\":", "word ", &key] {
            let long = part.repeat(1 << 20 >> 3);
            for reading in [Reading::CHESSBENCH, Reading::ANCHORED] {
                let judged = reading.judge(&start(), &text(&long));
                assert!(
                    judged.verdict.is_err() && judged.extracted.len() < 200,
                    "{part}"
                );
                assert!(!judged.extracted.contains("sk"), "{part}");
            }
        }
    }

    fn replies() -> impl Strategy<Value = (String, Vec<ToolCall>)> {
        let text = prop_oneof![
            "(<move>|</move>|[a-h][1-8][a-h][1-8]|[NBR][a-h][1-8]|\\{\"move\": ?\"|\"\\}| |no\n|♞|E2E4){0,7}",
            ".{0,40}",
        ];
        let arguments = prop_oneof!["\\{\"move\":\"[a-h][1-8][a-h][1-8]\"\\}", ".{0,20}"];
        let call =
            ("submit_move|other", arguments).prop_map(|(name, arguments)| call(&name, &arguments));
        (text, prop::collection::vec(call, 0..3))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn the_extracted_text_alone_gives_the_class_again(
            (text, tool_calls) in replies(),
            folds_case in any::<bool>(),
            is_refusal in any::<bool>(),
            is_cut_off in any::<bool>(),
        ) {
            let reply = Reply { text: &text, tool_calls: &tool_calls, is_refusal, is_cut_off };
            for reading in [Reading::CHESSBENCH, Reading::ANCHORED] {
                let reading = Reading { folds_case, ..reading };
                let Judged { extracted, verdict } = reading.judge(&start(), &reply);
                let again = start().judge(&extracted);
                match verdict {
                    Err(RejectionClass::Refused) => prop_assert!(is_refusal && again.is_err()),
                    Err(RejectionClass::CutOff) => prop_assert!(is_cut_off && again.is_err()),
                    verdict => prop_assert_eq!(verdict, again),
                }
                prop_assert!(extracted.len() < 400);
            }
        }
    }
}
