//! What cannot be measured, each with its reason.

use std::collections::BTreeMap;

use lab::records::Status;

/// A case, by the name that it is measured under and its order.
pub type Key = (String, usize);

/// Cases that cannot be measured, and variants of which none can.
#[derive(Debug, Default)]
pub struct Failures {
    variants: BTreeMap<String, (usize, Status, String)>,
    cases: BTreeMap<Key, (Status, String)>,
    instructions: BTreeMap<Key, (Status, String)>,
}

impl Failures {
    /// A variant is wrong at an order, or does not come to an end there: none of its cases is
    /// measured. The first reason stays.
    pub fn of_variant(&mut self, variant: &str, order: usize, status: Status, reason: String) {
        self.variants.entry(variant.to_owned()).or_insert((order, status, reason));
    }

    /// Whether a variant is wrong.
    pub fn has_variant(&self, variant: &str) -> bool {
        self.variants.contains_key(variant)
    }

    /// The variants that are wrong, each with the order, what became of it there, and why.
    pub fn variants(&self) -> impl Iterator<Item = (&str, usize, Status, &str)> {
        self.variants
            .iter()
            .map(|(id, (order, status, reason))| (id.as_str(), *order, *status, reason.as_str()))
    }

    /// A case could not be timed. The first reason stays.
    pub fn of_case(&mut self, key: Key, status: Status, reason: String) {
        self.cases.entry(key).or_insert((status, reason));
    }

    /// What became of a case of the variant `subject` that cannot be timed, and why.
    pub fn case(&self, key: &Key, subject: &str) -> Option<(Status, String)> {
        let of_variant = self.variants.get(subject);
        self.cases.get(key).cloned().or_else(|| {
            let (order, status, reason) = of_variant?;
            Some((*status, format!("at order {order}: {reason}")))
        })
    }

    /// The instructions of a case could not be counted.
    pub fn of_instructions(&mut self, key: Key, status: Status, reason: String) {
        self.instructions.insert(key, (status, reason));
    }

    /// Whether nothing has failed.
    pub fn is_empty(&self) -> bool {
        self.variants.is_empty() && self.cases.is_empty() && self.instructions.is_empty()
    }

    /// What has failed, a line each.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = String> {
        let of = |what: &'static str, cases: &BTreeMap<Key, (Status, String)>| {
            cases
                .iter()
                .map(|((id, order), (status, reason))| {
                    format!("{id} at order {order}, {what}: {status}: {reason}")
                })
                .collect::<Vec<_>>()
        };
        let mut lines: Vec<String> = self
            .variants()
            .map(|(id, order, _, reason)| format!("{id} at order {order}: {reason}"))
            .collect();
        lines.extend(of("time", &self.cases));
        lines.extend(of("instructions", &self.instructions));
        lines.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A variant that is wrong takes all of its cases with it, and the control's that call it.
    #[test]
    fn a_wrong_variant_fails_in_each_of_its_cases() {
        let mut failures = Failures::default();
        failures.of_variant("a", 5, Status::Failed, "expected 10, got 9".to_owned());
        let key = |id: &str| (id.to_owned(), 8);
        let words = "at order 5: expected 10, got 9".to_owned();
        assert_eq!(failures.case(&key("a"), "a"), Some((Status::Failed, words.clone())));
        assert_eq!(failures.case(&key("control"), "a"), Some((Status::Failed, words)));
        assert_eq!(failures.case(&key("b"), "b"), None);
        failures.of_case(key("b"), Status::TimedOut, "too long".to_owned());
        assert_eq!(failures.case(&key("b"), "b").unwrap().0, Status::TimedOut);
        assert_eq!(failures.lines().len(), 2);
    }
}
