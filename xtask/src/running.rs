//! How variants run, as far as it does not follow from which they are: on how many threads, and on which
//! body.

use lab::registry::{self, REGISTRY};
use queens::Variant;

use crate::instruments;

/// A sentence on the threads and one on each variant that has several bodies; `counted` says whether
/// instructions are counted, for which valgrind may choose another body.
pub fn sentences<'a>(
    ids: impl Iterator<Item = &'a str>,
    threads: Option<usize>,
    counted: bool,
) -> Vec<String> {
    let variants: Vec<&Variant> =
        ids.filter_map(|id| registry::find(&REGISTRY, id)).map(|entry| entry.variant).collect();
    let mut sentences = Vec::new();
    let shares = if threads.is_some() { Variant::shares } else { Variant::always_shares };
    let sharing: Vec<&str> =
        variants.iter().filter(|variant| shares(variant)).map(|variant| variant.id()).collect();
    if !sharing.is_empty() {
        sentences.push(format!(
            "Calls are shared out among {} threads by: {}. Their time is that of the clock, their \
             instructions are those of all threads, however many, to about a thousandth. Every other call \
             is of one thread.",
            threads.unwrap_or_else(cores),
            sharing.join(", ")
        ));
    } else if threads.is_some() {
        sentences.push("None of the variants can share its calls out among threads.".to_owned());
    }
    let choosing: Vec<(&str, &str)> =
        variants.iter().filter_map(|variant| Some((variant.id(), variant.body()?))).collect();
    let under_valgrind = if counted && !choosing.is_empty() {
        instruments::bodies_under_valgrind()
    } else {
        Vec::new()
    };
    for (id, body) in choosing {
        let other = under_valgrind.iter().find(|(other, _)| other == id).map(|(_, body)| body);
        sentences.push(match other {
            Some(other) if other != body => format!(
                "{id} runs its {body} body; its instructions are those of its {other} body, the best that \
                 valgrind knows, so its time an instruction is of neither."
            ),
            None if counted => {
                format!("{id} runs its {body} body; which one valgrind counts is not known.")
            }
            _ => format!("{id} runs its {body} body."),
        });
    }
    sentences
}

/// The processors that this program may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
