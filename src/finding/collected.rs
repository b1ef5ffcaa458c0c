use std::collections::BTreeMap;

use crate::finding::{Code, Finding, Place};

/// Findings in the order in which they were made: of each code the first
/// thousand, and how many more there were. So the memory that they take does
/// not grow with what is wrong.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    kept: Vec<Finding>,
    counts: BTreeMap<Code, u64>,
}

/// As many of a code are kept: more than anybody reads.
const KEPT: u64 = 1000;

impl Collected {
    /// Takes in the next findings.
    pub fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            let count = self.counts.entry(finding.code).or_default();
            *count += 1;
            if *count <= KEPT {
                self.kept.push(finding);
            }
        }
    }

    /// Returns what was kept; behind it, for each code of which there were
    /// more, one that says how many.
    pub fn into_findings(self) -> Vec<Finding> {
        let more = self.counts.into_iter().filter(|(_, count)| KEPT < *count);
        let more = more.map(|(code, count)| {
            let found = format!("{} more of {count}", count - KEPT);
            Finding::new(code, Place::default(), "the findings above", found)
        });
        self.kept.into_iter().chain(more).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_a_thousand_of_a_code_they_are_counted() {
        let finding = |code, line| Finding::new(code, Place::default().line(line), "a", "b");
        let mut collected = Collected::default();
        collected.add((1..=1001).map(|line| finding(Code::ClockBackwards, line)));
        collected.add((1..=1000).map(|line| finding(Code::LineFault, line)));
        let findings = collected.into_findings();
        assert_eq!(findings.len(), 2001);
        assert_eq!(findings[999], finding(Code::ClockBackwards, 1000));
        assert_eq!(findings[1000], finding(Code::LineFault, 1));
        assert_eq!(findings[2000].code, Code::ClockBackwards);
        assert_eq!(findings[2000].found, "1 more of 1001");
    }
}
