//! The one list of variants. Everything that runs, measures, tabulates or draws them reads it.

use queens::Variant;

/// How a variant is drawn, in every chart alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Red, green and blue, 0 to 255.
    pub colour: (u8, u8, u8),
    /// The shape of its points.
    pub marker: Marker,
    /// Lengths of dash and gap in pixels; nothing for a solid line.
    pub dash: Option<(u32, u32)>,
}

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Marker {
    /// A filled circle.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle that points up.
    Triangle,
    /// A filled triangle that points down.
    TriangleDown,
    /// A filled diamond.
    Diamond,
    /// A diagonal cross.
    Cross,
    /// An upright cross.
    Plus,
    /// An open circle.
    Ring,
    /// A filled star with five points.
    Star,
}

/// What a marker is drawn of, in units of the layout around its place.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A circle.
    Circle {
        /// Its radius.
        radius: f64,
        /// Whether it is filled, or a stroke.
        filled: bool,
    },
    /// A filled polygon.
    Polygon(Vec<(f64, f64)>),
    /// Strokes from one end to another.
    Strokes(Vec<[(f64, f64); 2]>),
}

impl Marker {
    /// What it is drawn of: some 9 units wide and high.
    #[must_use]
    pub fn outline(self) -> Outline {
        const R: f64 = 4.5;
        let polygon = |corners: &[(f64, f64)]| Outline::Polygon(corners.to_vec());
        match self {
            Self::Circle => Outline::Circle { radius: R, filled: true },
            Self::Ring => Outline::Circle { radius: R, filled: false },
            Self::Square => polygon(&[(-R, -R), (R, -R), (R, R), (-R, R)]),
            Self::Triangle => polygon(&[(0.0, -R - 1.0), (R + 1.0, R), (-R - 1.0, R)]),
            Self::TriangleDown => polygon(&[(0.0, R + 1.0), (R + 1.0, -R), (-R - 1.0, -R)]),
            Self::Diamond => {
                polygon(&[(0.0, -R - 2.0), (R + 1.0, 0.0), (0.0, R + 2.0), (-R - 1.0, 0.0)])
            }
            Self::Cross => Outline::Strokes(vec![[(-R, -R), (R, R)], [(-R, R), (R, -R)]]),
            Self::Plus => Outline::Strokes(vec![
                [(-R - 1.0, 0.0), (R + 1.0, 0.0)],
                [(0.0, -R - 1.0), (0.0, R + 1.0)],
            ]),
            Self::Star => Outline::Polygon(
                (0..10)
                    .map(|corner| {
                        let radius = if corner % 2 == 0 { R + 2.5 } else { 2.8 };
                        let turn = f64::from(corner) / 10.0 * std::f64::consts::TAU;
                        (radius * turn.sin(), -radius * turn.cos())
                    })
                    .collect(),
            ),
        }
    }
}

/// A variant and how it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The variant.
    pub variant: &'static Variant,
    /// How it is drawn.
    pub style: Style,
}

/// Every variant, from the plainest to the fastest. Most colours are of Okabe and Ito's palette, which
/// readers with each kind of colour blindness can tell apart. Variants that grow out of each other share
/// a colour and differ in marker and dash; a variant keeps its own for good.
pub static REGISTRY: [Entry; 13] = [
    Entry {
        variant: &array_2d::VARIANT,
        style: Style { colour: (0, 0, 0), marker: Marker::Square, dash: None },
    },
    Entry {
        variant: &full_scan::VARIANT,
        style: Style { colour: (213, 94, 0), marker: Marker::Triangle, dash: None },
    },
    Entry {
        variant: &prefix_check::VARIANT,
        style: Style { colour: (0, 114, 178), marker: Marker::Circle, dash: None },
    },
    Entry {
        variant: &non_recursive::VARIANT,
        style: Style { colour: (86, 180, 233), marker: Marker::Diamond, dash: Some((6, 4)) },
    },
    Entry {
        variant: &dancing_links::VARIANT,
        style: Style { colour: (230, 159, 0), marker: Marker::Cross, dash: None },
    },
    Entry {
        variant: &lookahead::VARIANT,
        style: Style { colour: (0, 158, 115), marker: Marker::Ring, dash: Some((6, 4)) },
    },
    Entry {
        variant: &bitmask::VARIANT,
        style: Style { colour: (0, 158, 115), marker: Marker::TriangleDown, dash: None },
    },
    Entry {
        variant: &mirror::VARIANT,
        style: Style { colour: (0, 158, 115), marker: Marker::Triangle, dash: Some((2, 3)) },
    },
    Entry {
        variant: &threads::VARIANT,
        style: Style { colour: (120, 94, 240), marker: Marker::Cross, dash: Some((6, 4)) },
    },
    Entry {
        variant: &symmetry::VARIANT,
        style: Style { colour: (204, 121, 167), marker: Marker::Plus, dash: None },
    },
    Entry {
        variant: &middle_out::VARIANT,
        style: Style { colour: (204, 121, 167), marker: Marker::TriangleDown, dash: Some((6, 4)) },
    },
    Entry {
        variant: &quarters::VARIANT,
        style: Style { colour: (112, 72, 32), marker: Marker::Diamond, dash: None },
    },
    Entry {
        variant: &lanes::VARIANT,
        style: Style { colour: (170, 20, 60), marker: Marker::Star, dash: None },
    },
];

/// The variant named `id` in `registry`.
#[must_use]
pub fn find<'a>(registry: &'a [Entry], id: &str) -> Option<&'a Entry> {
    registry.iter().find(|entry| entry.variant.id() == id)
}

/// The fastest variant that accepts `order`: the last of the registry that does.
#[must_use]
pub fn fastest(registry: &[Entry], order: queens::Order) -> Option<&Entry> {
    registry.iter().rev().find(|entry| entry.variant.check(order).is_ok())
}

/// The names of the variants of `registry`, with commas between them.
#[must_use]
pub fn names(registry: &[Entry]) -> String {
    registry.iter().map(|entry| entry.variant.id()).collect::<Vec<_>>().join(", ")
}

/// The variants that a person's list names, in the registry's order, each once.
///
/// # Errors
/// Where the list is empty or names none of `registry`; the message lists those that there are.
pub fn select(registry: &[Entry], list: &str) -> Result<Vec<Entry>, String> {
    let wanted: Vec<&str> = list.split(',').collect();
    for id in &wanted {
        if find(registry, id).is_none() {
            return Err(format!(
                "'{}' is not a variant: the variants are {}",
                id.escape_debug(),
                names(registry)
            ));
        }
    }
    Ok(registry.iter().filter(|entry| wanted.contains(&entry.variant.id())).copied().collect())
}

/// How a variant that is not of the registry is drawn: one that a person wrote into a file, or
/// one that has left since. `position` tells several of them apart.
#[must_use]
pub fn foreign_style(position: usize) -> Style {
    const COLOURS: [(u8, u8, u8); 4] =
        [(230, 159, 0), (112, 112, 112), (148, 103, 40), (90, 60, 160)];
    const MARKERS: [Marker; 2] = [Marker::Ring, Marker::Cross];
    Style {
        colour: COLOURS[position % COLOURS.len()],
        marker: MARKERS[position / COLOURS.len() % MARKERS.len()],
        dash: Some((2, 3)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_styles_are_each_their_own() {
        for (i, a) in REGISTRY.iter().enumerate() {
            assert_ne!(a.variant.id(), crate::plan::CONTROL);
            for b in &REGISTRY[..i] {
                assert_ne!(a.variant.id(), b.variant.id());
                assert_ne!((a.style.colour, a.style.marker), (b.style.colour, b.style.marker));
                assert_ne!((a.style.colour, a.style.dash), (b.style.colour, b.style.dash));
            }
        }
    }

    #[test]
    fn selects_in_the_registrys_order_and_refuses_strangers_by_name() {
        let ids: Vec<_> = select(&REGISTRY, "symmetry,array-2d,symmetry")
            .unwrap()
            .iter()
            .map(|entry| entry.variant.id())
            .collect();
        assert_eq!(ids, ["array-2d", "symmetry"]);
        for list in ["bitmsak", "", "bitmask,", "bitmask, symmetry"] {
            let message = select(&REGISTRY, list).unwrap_err();
            assert!(message.contains("array-2d, full-scan, prefix-check"), "{message}");
        }
    }
}
