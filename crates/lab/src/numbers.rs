//! Every statistic of a run by a name of its own, for prose that must not drift from the data.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::charts;
use crate::data::Data;
use crate::environment;
use crate::format;
use crate::frontier;
use crate::growth;
use crate::paired;
use crate::stats::Comparison;
use crate::table::{Table, latex_text, typst_text};
use crate::tables;

/// A statistic, as prose quotes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its name: lower-case words, numbers and hyphens, beginning with a letter.
    pub name: String,
    /// Its value with its unit, and with the digits that its interval justifies.
    pub value: String,
}

/// The files that hold all numbers of a run, without ending.
pub const FILE: &str = "numbers";

/// Every statistic of these data.
#[must_use]
pub fn all(data: &Data, baseline: &str) -> Vec<Number> {
    let mut numbers = Numbers::default();
    numbers.of_run(data, baseline);
    for id in data.variants() {
        numbers.of_variant(data, baseline, id);
    }
    numbers.of_ranking(data, baseline);
    numbers.found
}

#[derive(Default)]
struct Numbers {
    found: Vec<Number>,
    taken: BTreeSet<String>,
}

/// A text as a part of a name: lower-case letters, digits and hyphens, beginning with a letter.
#[must_use]
pub fn word(text: &str) -> String {
    let lower = text.to_lowercase();
    let kept = lower.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    let text: String = kept.collect();
    let text = text.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) { text } else { format!("v-{text}") }
}

impl Numbers {
    /// Adds a number. Where foreign variants' names differ in nothing that a name may have, the later ones are
    /// told apart by a letter.
    fn add(&mut self, mut name: String, value: impl Into<String>) {
        while !self.taken.insert(macro_name(&name)) {
            name.push('x');
        }
        self.found.push(Number { name, value: value.into() });
    }

    /// A value and, where there is one, the ends of its interval.
    fn add_with_interval(
        &mut self,
        name: &str,
        (value, interval): (f64, Option<(f64, f64)>),
        write: fn(f64, Option<f64>) -> String,
    ) {
        self.add(name.to_owned(), write(value, format::half_width(interval)));
        if let Some([low, high]) = format::interval(interval, write) {
            self.add(format!("{name}-low"), low);
            self.add(format!("{name}-high"), high);
        }
    }

    fn add_factor(&mut self, name: &str, found: &Comparison) {
        self.add_with_interval(name, (found.factor, found.interval), format::factor_within);
    }

    fn of_run(&mut self, data: &Data, baseline: &str) {
        let mut add = |name: &str, value: String| self.add(name.to_owned(), value);
        add("variants", data.variants().len().to_string());
        add("baseline", baseline.to_owned());
        add("verdict", data.verdict_line());
        if let Some(order) = data.largest_common_order() {
            add("ranking-order", order.to_string());
        }
        if let Some(order) = charts::explained_order(data) {
            add("explained-order", order.to_string());
        }
        if let Some(floor) = data.noise_floor() {
            add("noise-floor", format::percent(floor));
        }
        let disturbed = environment::disturbed(&data.environment, data.rounds()).len();
        if let Some(run) = &data.run {
            add("run", run.id.clone());
            add("date", format::date(&run.started).to_owned());
            add("machine", run.machine_line());
            if let Some(commit) = &run.source.commit {
                add("commit", commit.clone());
            }
            if let Some(compiler) = &run.toolchain.rustc {
                add("compiler", compiler.clone());
            }
            add("rounds", run.rounds_finished.to_string());
            add("rounds-disturbed", disturbed.to_string());
            add("samples", format::grouped(data.samples.len() as u128));
            let sum =
                |of: fn(&crate::run::Session) -> f64| -> f64 { run.sessions.iter().map(of).sum() };
            let (wall, inside) = (sum(|s| s.wall_s), sum(|s| s.inside_s));
            add("wall-time", clock(wall));
            add("measuring-time", clock(run.measuring_s()));
            add("inside-time", clock(inside));
            if wall > 0.0 {
                add("inside-share", format!("{:.0} %", 100.0 * inside / wall));
            }
        }
        let totals: BTreeMap<usize, (Option<u128>, Option<u128>)> = data
            .measurements
            .iter()
            .filter(|row| row.total.is_some())
            .map(|row| (row.order, (row.total, row.fundamental)))
            .collect();
        for (order, (total, fundamental)) in totals {
            for (name, count) in [("total", total), ("fundamental", fundamental)] {
                if let Some(count) = count {
                    self.add(format!("order-{order}-{name}"), format::grouped(count));
                }
            }
        }
        for row in &data.control {
            let name = format!("order-{}-control", row.order);
            let value = (row.factor, row.low.zip(row.high));
            self.add_with_interval(&name, value, format::factor_within);
        }
    }

    fn of_variant(&mut self, data: &Data, baseline: &str, id: &str) {
        let (comparisons, name) = (data.comparisons(baseline), word(id));
        let steps = data.measurements.len().max(1);
        for order in data.timed_orders() {
            let Some(time) = data.time(id, order) else { continue };
            let at = format!("{name}-{order}");
            let value = (time.value, time.interval);
            self.add_with_interval(&format!("{at}-time"), value, format::time_within);
            if id != baseline
                && let Some(speedup) = data.compare(baseline, id, order, comparisons)
            {
                self.add_factor(&format!("{at}-speedup"), &speedup);
                self.add(format!("{at}-speedup-verdict"), verdict(&speedup, data.noise_floor()));
            }
            if let Some(step) = growth::step(data, id, order, steps) {
                self.add_factor(&format!("{at}-growth"), &step);
            }
        }
        for order in data.counted_orders() {
            let Some(count) = data.instructions(id, order) else { continue };
            let name = format!("{name}-{order}-instructions");
            self.add(name, format::grouped(u128::from(count)));
        }
        let orders: BTreeSet<usize> = data.search_tree.iter().map(|row| row.order).collect();
        for order in orders {
            let Some(nodes) = data.nodes(id, order) else { continue };
            self.add(format!("{name}-{order}-nodes"), format::grouped(nodes));
            if let Some([_, a_node, an_instruction]) = data.factors(id, order) {
                let name = format!("{name}-{order}");
                self.add(format!("{name}-instructions-a-node"), format::significant(a_node));
                self.add(format!("{name}-time-an-instruction"), format::short_time(an_instruction));
            }
            let total = data.measurement(id, order).and_then(|row| row.total);
            if let Some(total) = total.filter(|total| *total > 0) {
                let share = format::significant(nodes as f64 / total as f64);
                self.add(format!("{name}-{order}-nodes-a-placement"), share);
            }
        }
        for (words, ns) in [("second", frontier::SECOND_NS), ("minute", frontier::MINUTE_NS)] {
            if let Some(reach) = frontier::reach(data, id, ns) {
                self.add(format!("{name}-within-a-{words}"), reach.to_string());
            }
        }
        if let Some(lines) = data.run.as_ref().and_then(|run| run.code_lines.get(id)) {
            self.add(format!("{name}-lines-of-code"), lines.to_string());
        }
    }

    /// What holds for the ranking's table, whose intervals hold for all pairs together, and the growth.
    fn of_ranking(&mut self, data: &Data, baseline: &str) {
        for found in growth::of_times(data, |_, ns| ns >= growth::LEARNT_BY_HEART_NS) {
            let name = word(&found.variant);
            self.add_factor(&format!("{name}-growth"), &found.factor);
            self.add_factor(&format!("{name}-growth-of-the-last-queen"), &found.last);
            self.add(format!("{name}-growth-model"), found.verdict());
        }
        let Some(order) = data.largest_common_order() else { return };
        let ranked = data.ranking(order);
        let comparisons = paired::pairs(ranked.len()).len();
        for (place, (id, _)) in ranked.iter().enumerate() {
            let name = word(id);
            self.add(format!("{name}-rank"), (place + 1).to_string());
            if *id != baseline
                && let Some(speedup) = data.compare(baseline, id, order, comparisons)
            {
                self.add_factor(&format!("{name}-speedup"), &speedup);
            }
            let next = ranked.get(place + 1);
            if let Some(over) =
                next.and_then(|(next, _)| data.compare(next, id, order, comparisons))
            {
                self.add_factor(&format!("{name}-speedup-over-the-next"), &over);
                let words = verdict(&over, data.noise_floor());
                self.add(format!("{name}-speedup-over-the-next-verdict"), words);
            }
        }
        if let Some((fastest, _)) = ranked.first() {
            self.add("fastest".to_owned(), *fastest);
        }
    }
}

/// Whether the data separate two variants, in words.
fn verdict(found: &Comparison, noise_floor: Option<f64>) -> &'static str {
    if found.is_separated(noise_floor) { "separated" } else { tables::NOT_SEPARATED }
}

/// Seconds as a clock has them: `5 min 17 s`.
fn clock(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    if whole < 120 { format!("{whole} s") } else { format!("{} min {} s", whole / 60, whole % 60) }
}

/// The name of a number as a macro of LaTeX, whose names have letters only: every digit is a word.
#[must_use]
pub fn macro_name(name: &str) -> String {
    const DIGITS: [&str; 10] =
        ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    let mut text = String::from("lab");
    let mut begins = true;
    for character in name.chars() {
        match character.to_digit(10) {
            Some(digit) => {
                text.push_str(DIGITS[digit as usize]);
                begins = true;
            }
            None if character == '-' => begins = true,
            None if begins => {
                text.push(character.to_ascii_uppercase());
                begins = false;
            }
            None => text.push(character),
        }
    }
    text
}

/// The numbers as macros of LaTeX.
#[must_use]
pub fn latex(numbers: &[Number]) -> String {
    let mut text = String::from(
        "% Every statistic of the run as a macro. A digit of a name is a word: \\labLanesOneThreeTime is\n\
         % lanes-13-time. An unknown one is an error, so prose cannot drift from the data.\n",
    );
    for Number { name, value } in numbers {
        let _ = writeln!(
            text,
            "\\newcommand{{\\{}}}{{{}}}% {name}",
            macro_name(name),
            latex_text(value)
        );
    }
    text
}

/// The numbers as variables of Typst.
#[must_use]
pub fn typst(numbers: &[Number]) -> String {
    let mut text = String::from(
        "// Every statistic of the run as a variable: #import \"numbers.typ\": lanes-13-time. An unknown one is\n\
         // an error, so prose cannot drift from the data.\n",
    );
    for Number { name, value } in numbers {
        let _ = writeln!(text, "#let {name} = {}", typst_text(value));
    }
    text
}

/// The numbers as a table.
#[must_use]
pub fn table(numbers: &[Number]) -> Table {
    let rows = numbers.iter().map(|n| vec![n.name.clone(), n.value.clone()]).collect();
    Table { header: vec!["name".to_owned(), "value".to_owned()], rows }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn names_of_macros_have_letters_only() {
        assert_eq!(macro_name("array-2d-13-time-low"), "labArrayTwoDOneThreeTimeLow");
        assert_eq!(macro_name("lanes-13-time"), "labLanesOneThreeTime");
        assert_eq!(word("A&B <fast> 50%"), "a-b-fast-50");
        assert_eq!(word("8x"), "v-8x");
        assert_eq!(clock(317.4), "5 min 17 s");
    }

    /// Every number of the reference run has a name of its own in each form.
    #[test]
    fn every_statistic_has_a_name_of_its_own() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/reference");
        let data = Data::read(&folder).unwrap();
        let numbers = all(&data, "array-2d");
        let macros: BTreeSet<String> = numbers.iter().map(|n| macro_name(&n.name)).collect();
        assert_eq!(macros.len(), numbers.len());
        assert!(macros.iter().all(|name| name.chars().all(|c| c.is_ascii_alphabetic())));
        let cases = data.measurements.iter().filter(|row| row.median().is_some()).count();
        let times = numbers.iter().filter(|number| number.name.ends_with("-time-low")).count();
        assert_eq!(times, cases);
        let latex = latex(&numbers);
        assert_eq!(latex.matches("\\newcommand{").count(), numbers.len());
        assert_eq!(latex.matches('{').count(), latex.matches('}').count());
        let typst = typst(&numbers);
        assert_eq!(typst.matches("\n#let ").count(), numbers.len());
        let value = |name: &str| &numbers.iter().find(|n| n.name == name).unwrap().value;
        assert_eq!(value("order-13-total"), "73,712");
        assert_eq!(value("order-13-fundamental"), "9,233");
        assert_eq!(value("bitmask-13-nodes"), "4,674,889");
    }
}
