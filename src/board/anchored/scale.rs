use crate::canonical::Decimal;
use crate::event::{AnchorBasis, AnchorRegistered, AnchoredRule, EngineIdentity};
use crate::measure::anchored::Terms;
use crate::projection::System;

/// What a cohort's ratings are measured in.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The name that the protocol gives it.
    pub name: String,
    /// Whether every anchor is what the primary scale of Track A takes.
    pub is_primary: bool,
    /// The draw rate between equals that the protocol declares. Absent: fitted.
    pub draw_rate: Option<String>,
    /// The color effect that it declares, in points. Absent: fitted.
    pub color_effect: Option<String>,
    pub(crate) terms: Terms,
}

/// The engine of the primary scale, as it names itself.
const ENGINE: &str = "Stockfish 18";

/// The networks that its full build plays with.
const NETS: [&str; 2] = ["nn-c288c895ea92", "nn-37f18f62d772"];

impl Scale {
    /// Returns the scale of a protocol with these anchors: what is registered of
    /// each, and the system that it is.
    pub(crate) fn of<'a>(
        rule: &AnchoredRule,
        anchors: impl Iterator<Item = (&'a AnchorRegistered, Option<&'a System>)>,
    ) -> Self {
        let mut anchors = anchors.peekable();
        Self {
            name: rule.scale.to_string(),
            is_primary: anchors.peek().is_some()
                && anchors.all(|(anchor, system)| is_primary(anchor, system)),
            draw_rate: rule.draw_rate.map(|rate| rate.to_string()),
            color_effect: rule.color_effect.map(|points| points.to_string()),
            terms: Terms::declared(
                rule.draw_rate.map(Decimal::to_f64),
                rule.color_effect.map(Decimal::to_f64),
            ),
        }
    }

    /// Its name for people: no other scale is called the primary one.
    pub fn in_words(&self) -> String {
        if self.is_primary {
            format!("the primary Track A scale ({})", self.name)
        } else {
            format!("the local scale {}", self.name)
        }
    }

    /// Which of the parameters beside the rating are declared, and which fitted.
    pub(crate) fn terms_in_words(&self) -> String {
        let fitted = || "fitted for each system from its own games".to_owned();
        let declared = |value: &String| format!("declared {value}");
        let draws = self.draw_rate.as_ref().map_or_else(fitted, declared);
        let color = self.color_effect.as_ref();
        let color = color.map_or_else(fitted, |value| format!("declared {value} points"));
        format!("Draw rate between equals (d0): {draws}. Color effect (gamma): {color}.")
    }
}

/// Whether an anchor is the full build of Stockfish 18 at its own level, at
/// fixed nodes.
fn is_primary(anchor: &AnchorRegistered, system: Option<&System>) -> bool {
    let engine = system.and_then(|system| system.registered.engine.as_ref());
    engine.is_some_and(|engine| {
        let option = |name: &str| {
            let mut named = engine.options.iter().filter(|one| one.name == name);
            named.next().map(|one| one.value.as_str())
        };
        engine.name == ENGINE
            && NETS.iter().all(|net| has_net(engine, net))
            && !engine.files.iter().any(|file| is_lite(&file.name))
            && engine.limit.nodes.is_some()
            && anchor.basis == AnchorBasis::Nominal
            && option("UCI_LimitStrength") == Some("true")
            && option("UCI_Elo") == Some(anchor.rating.to_string().as_str())
    })
}

fn has_net(engine: &EngineIdentity, net: &str) -> bool {
    let named = engine.net.iter();
    let files = engine.files.iter().map(|file| &file.name);
    named.chain(files).any(|text| text.contains(net))
}

fn is_lite(file: &str) -> bool {
    file.to_ascii_lowercase().contains("lite")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::digest::Digest;
    use crate::event::EventId;
    use crate::projection::Resources;

    #[test]
    fn a_protocol_declares_what_a_fit_takes_and_nothing_beyond() {
        for (draw_rate, color_effect, is_taken) in [
            ("0", "-1000", true),
            ("0.7", "1000", true),
            ("0.7000001", "0", false),
            ("-0.1", "0", false),
            ("0", "1000.1", false),
            ("0", "-1000.1", false),
        ] {
            let rule: AnchoredRule = serde_json::from_value(json!({
                "color_effect": color_effect, "draw_rate": draw_rate, "scale": "local",
            }))
            .unwrap();
            let scale = Scale::of(&rule, std::iter::empty());
            assert_eq!(scale.terms.check().is_ok(), is_taken, "{rule:?}");
            assert_eq!(rule.check_meaning().is_ok(), is_taken, "{rule:?}");
        }
    }

    /// An anchor of the primary scale, changed.
    fn is_primary_with(change: impl FnOnce(&mut serde_json::Value)) -> bool {
        let file = |name: &str| json!({"bytes": 1, "name": name, "sha256": Digest::of(b"")});
        let mut all = json!({
            "anchor": {"basis": "nominal", "rating": "1320", "system": EventId::of(b"")},
            "system": {
                "assistance": {"kind": "none"}, "name": "sf-1320",
                "engine": {
                    "files": [file("stockfish"), file("nn-37f18f62d772.nnue")],
                    "limit": {"nodes": 2000}, "name": "Stockfish 18", "net": "nn-c288c895ea92.nnue",
                    "options": [
                        {"name": "UCI_LimitStrength", "value": "true"},
                        {"name": "UCI_Elo", "value": "1320"},
                    ],
                },
            },
        });
        change(&mut all);
        let system = System {
            id: EventId::of(b""),
            index: 0,
            registered: serde_json::from_value(all["system"].clone()).unwrap(),
            resources: Resources::default(),
        };
        let anchor = serde_json::from_value(all["anchor"].clone()).unwrap();
        is_primary(&anchor, Some(&system))
    }

    #[test]
    fn only_the_full_build_of_stockfish_18_at_its_level_and_fixed_nodes_is_primary() {
        assert!(is_primary_with(|_| ()));
        let engine = |pointer: &'static str, value: serde_json::Value| {
            is_primary_with(move |all| *all.pointer_mut(pointer).unwrap() = value)
        };
        assert!(!engine("/system/engine/name", json!("Stockfish 17.1")));
        assert!(!engine("/system/engine/net", json!("nn-1c0000000000.nnue")));
        assert!(!engine("/system/engine/files/1/name", json!("book.bin")));
        assert!(!engine(
            "/system/engine/files/0/name",
            json!("stockfish-18-lite")
        ));
        assert!(!engine("/system/engine/limit", json!({"movetime_ms": 500})));
        assert!(!engine("/system/engine/options/1/value", json!("1500")));
        assert!(!engine("/system/engine/options/0/value", json!("false")));
        assert!(!engine("/anchor/rating", json!("1321")));
        assert!(!is_primary_with(|all| {
            all["anchor"]["basis"] = json!("fitted");
            all["anchor"]["fit"] = json!(Digest::of(b""));
        }));
    }
}
