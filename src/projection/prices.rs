use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::canonical::{Count, Total};
use crate::event::{EventId, PriceRecorded, Tokens};
use crate::projection::Corrections;

/// What tokens cost at which time, by the model that is asked for and its route.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prices {
    /// In the order of the ledger.
    recorded: Vec<Price>,
    /// The newest price of a model and route.
    #[serde(with = "crate::projection::pairs")]
    newest: BTreeMap<(String, String), usize>,
}

/// A price of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// The id of its `price.recorded`.
    pub id: EventId,
    /// What it says.
    pub recorded: PriceRecorded,
    /// What counts of it; nothing where a correction takes it out.
    pub counting: Option<PriceRecorded>,
}

/// The tokens of a call at a price: what an estimate is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    price: usize,
    prompt: u64,
    cached: u64,
    completion: u64,
}

impl Prices {
    /// The prices, in the order of the ledger.
    pub fn iter(&self) -> impl Iterator<Item = &Price> {
        self.recorded.iter()
    }

    /// The newest price of a model on a route.
    pub fn newest(&self, requested_model: &str, route: &str) -> Option<&Price> {
        self.recorded.get(self.number(requested_model, route)?)
    }

    pub(crate) fn record(&mut self, id: EventId, recorded: &PriceRecorded) {
        let key = (recorded.requested_model.clone(), recorded.route.clone());
        self.newest.insert(key, self.recorded.len());
        self.recorded.push(Price {
            id,
            recorded: recorded.clone(),
            counting: Some(recorded.clone()),
        });
    }

    /// Lets corrections of a price count; returns its place, where it is one.
    /// Calls at a price that is taken out have no estimate.
    pub(crate) fn correct(&mut self, id: &EventId, corrections: &Corrections) -> Option<usize> {
        let number = self.recorded.iter().position(|price| price.id == *id)?;
        let price = self.recorded.get_mut(number)?;
        let mut counting = price.recorded.clone();
        let word = |field| corrections.superseded_money(id, field);
        if let Some(usd) = word("cached_usd_per_million") {
            counting.cached_usd_per_million = Some(usd);
        }
        if let Some(usd) = word("completion_usd_per_million") {
            counting.completion_usd_per_million = usd;
        }
        if let Some(usd) = word("prompt_usd_per_million") {
            counting.prompt_usd_per_million = usd;
        }
        price.counting = (!corrections.is_excluded(id)).then_some(counting);
        Some(number)
    }

    /// The place of the newest price of a model on a route, for [`Usage`].
    pub(crate) fn number(&self, requested_model: &str, route: &str) -> Option<usize> {
        // A pair of borrowed texts is no borrowed pair of texts.
        let key = (requested_model.to_owned(), route.to_owned());
        self.newest.get(&key).copied()
    }

    /// What the tokens of a call cost. Prompt tokens from a cache are part of the
    /// prompt, and tokens of reasoning of the completion.
    pub(crate) fn estimate(&self, usage: &Usage) -> Option<Total> {
        let price = self.recorded.get(usage.price)?.counting.as_ref()?;
        let prompt = price.prompt_usd_per_million;
        let cached = price.cached_usd_per_million.unwrap_or(prompt);
        // The cached ones are not more than all: see `Usage::of`.
        let fresh = usage.prompt.saturating_sub(usage.cached);
        let parts = [
            (fresh, prompt),
            (usage.cached, cached),
            (usage.completion, price.completion_usd_per_million),
        ];
        let costs = parts.map(|(tokens, price)| Total::of_tokens(tokens, price));
        Some(costs.into_iter().sum())
    }
}

impl Usage {
    /// Returns the tokens of a call at a price, or nothing where not all of
    /// them are known, or where more came from a cache than there were.
    pub(crate) fn of(price: usize, tokens: &Tokens) -> Option<Self> {
        let prompt = tokens.prompt?.get();
        let cached = tokens.cached.map_or(0, Count::get);
        let usage = Self {
            price,
            prompt,
            cached,
            completion: tokens.completion?.get(),
        };
        (cached <= prompt).then_some(usage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(prompt: &str, cached: Option<&str>) -> PriceRecorded {
        PriceRecorded {
            cached_usd_per_million: cached.map(|cached| cached.parse().unwrap()),
            completion_usd_per_million: "10".parse().unwrap(),
            prompt_usd_per_million: prompt.parse().unwrap(),
            requested_model: "m".to_owned(),
            route: "r".to_owned(),
            source: "list".to_owned(),
        }
    }

    fn tokens(prompt: Option<u32>, cached: Option<u32>, completion: Option<u32>) -> Tokens {
        Tokens {
            cached: cached.map(Into::into),
            completion: completion.map(Into::into),
            prompt: prompt.map(Into::into),
            reasoning: Some(5_u32.into()),
        }
    }

    fn estimate(price: &PriceRecorded, tokens: &Tokens) -> Option<String> {
        let mut prices = Prices::default();
        prices.record(EventId::of(b"x"), price);
        let usage = Usage::of(prices.number("m", "r")?, tokens)?;
        Some(prices.estimate(&usage)?.to_string())
    }

    #[test]
    fn cached_tokens_cost_their_own_price_or_that_of_the_prompt_and_reasoning_is_in_the_completion()
    {
        let used = tokens(Some(1000), Some(400), Some(50));
        let told = |cached| estimate(&price("2", cached), &used).unwrap();
        // 600 x 2 + 400 x 0.5 + 50 x 10 millionths.
        assert_eq!(told(Some("0.5")), "0.0019");
        assert_eq!(told(None), "0.0025");
        assert_eq!(told(Some("0")), "0.0017");
        let uncached = tokens(Some(1000), None, Some(50));
        assert_eq!(
            estimate(&price("2", Some("0.5")), &uncached).unwrap(),
            "0.0025"
        );
    }

    #[test]
    fn tokens_that_are_not_all_known_or_contradict_one_another_are_no_estimate() {
        let price = price("2", None);
        assert_eq!(estimate(&price, &tokens(None, None, Some(1))), None);
        assert_eq!(estimate(&price, &tokens(Some(1), None, None)), None);
        assert_eq!(estimate(&price, &tokens(Some(1), Some(2), Some(1))), None);
    }

    #[test]
    fn the_newest_price_of_a_model_and_route_counts() {
        let mut prices = Prices::default();
        prices.record(EventId::of(b"1"), &price("1", None));
        prices.record(EventId::of(b"2"), &price("2", None));
        let newest = prices.newest("m", "r").unwrap();
        assert_eq!(newest.id, EventId::of(b"2"));
        assert_eq!(prices.newest("m", "q"), None);
        assert_eq!(prices.newest("n", "r"), None);
        assert_eq!(prices.iter().count(), 2);
    }
}
