//! The list of programs.

use std::panic::Location;

use serde_json::{Value, json};
use windtunnel::mpi::{topology::SimpleCommunicator, traits::Equivalence};

/// What a line that a finding must name ends with.
const MARK: &str = "// here";

/// The source of this crate, in which marks are looked up.
const SOURCES: [(&str, &str); 7] = [
    ("collectives.rs", include_str!("collectives.rs")),
    ("files.rs", include_str!("files.rs")),
    ("messages.rs", include_str!("messages.rs")),
    ("objects.rs", include_str!("objects.rs")),
    ("orders.rs", include_str!("orders.rs")),
    ("sound.rs", include_str!("sound.rs")),
    ("windows.rs", include_str!("windows.rs")),
];

/// Elements of messages and windows.
pub(crate) trait Element: Equivalence + Copy + Default + PartialEq + Send + 'static {
    /// Returns a small whole number as an element.
    fn of(number: u8) -> Self;
}

macro_rules! elements {
    ($($name:ty),*) => {$(
        impl Element for $name {
            fn of(number: u8) -> Self {
                Self::from(number)
            }
        }
    )*};
}

elements!(i32, f32, f64, i64);

/// Calls a generic function that adds cases once for each type of elements.
macro_rules! with_each_type {
    ($add:ident($cases:expr $(, $more:expr)*)) => {
        $add::<i32>($cases $(, $more)*);
        $add::<f32>($cases $(, $more)*);
        $add::<f64>($cases $(, $more)*);
        $add::<i64>($cases $(, $more)*);
    };
}

pub(crate) use with_each_type;

type Body = Box<dyn Fn(&SimpleCommunicator) + Send + Sync>;

/// A program and what a check must say of it.
pub(crate) struct Case {
    family: String,
    variant: String,
    ranks: u32,
    expected: Vec<&'static str>,
    /// Where it is added to the list, above its text.
    place: &'static Location<'static>,
    body: Body,
}

impl Case {
    /// Runs it on one rank.
    pub(crate) fn run(&self, world: &SimpleCommunicator) {
        (self.body)(world);
    }
}

/// All programs.
#[derive(Default)]
pub(crate) struct Cases {
    all: Vec<Case>,
}

impl Cases {
    /// Adds a program. If its text has a line that ends with the mark, a finding must name that line.
    #[track_caller]
    pub(crate) fn add(
        &mut self,
        (family, variant): (&str, &str),
        ranks: u32,
        expected: &[&'static str],
        body: impl Fn(&SimpleCommunicator) + Send + Sync + 'static,
    ) {
        self.all.push(Case {
            family: family.into(),
            variant: variant.into(),
            ranks,
            expected: expected.to_vec(),
            place: Location::caller(),
            body: Box::new(body),
        });
    }

    pub(crate) fn get(&self, number: usize) -> Option<&Case> {
        self.all.get(number)
    }

    pub(crate) fn to_json(&self) -> Value {
        let object = |case: &Case| {
            json!({
                "family": case.family,
                "variant": case.variant,
                "ranks": case.ranks,
                "expected": case.expected,
                "mark": marked_after(case.place),
            })
        };
        self.all.iter().map(object).collect()
    }
}

/// Returns the first marked line after this place and before the next case; 0 if there is none.
fn marked_after(place: &Location<'_>) -> u32 {
    let source = SOURCES.iter().find(|(name, _)| place.file().ends_with(name));
    let (_, text) = source.expect("a file of this crate");
    let lines = (1u32..).zip(text.lines()).skip(place.line() as usize);
    let of_case = lines.take_while(|(_, line)| !line.contains("cases.add("));
    of_case.filter(|(_, line)| line.ends_with(MARK)).map(|(number, _)| number).next().unwrap_or(0)
}
