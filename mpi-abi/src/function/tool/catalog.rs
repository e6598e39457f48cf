//! What the interface offers: control variables, performance variables, events, and categories of them.

use std::sync::LazyLock;

use mpi_api::{
    call::{Control, EventKind, Gauge},
    collective::select::Selector,
};

/// A control variable.
pub(super) struct ControlVariable {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) control: Control,
    /// The names of its values, from 0; none if it is a number of bytes.
    pub(super) values: Vec<&'static str>,
}

/// The class of a performance variable (MPI 15.3.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Level,
    HighWaterMark,
    Counter,
    Aggregate,
    Timer,
}

impl Class {
    /// Returns the value of `MPI_T_PVAR_CLASS_*`.
    pub(super) fn number(self) -> i32 {
        match self {
            Self::Level => 2,
            Self::HighWaterMark => 5,
            Self::Counter => 7,
            Self::Aggregate => 8,
            Self::Timer => 9,
        }
    }

    /// Reports whether handles are always started and cannot be written: the values are those of the
    /// rank, not those of a measurement.
    pub(super) fn is_state(self) -> bool {
        match self {
            Self::Level | Self::HighWaterMark => true,
            Self::Counter | Self::Aggregate | Self::Timer => false,
        }
    }
}

/// A performance variable.
pub(super) struct PerformanceVariable {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    pub(super) class: Class,
    pub(super) gauge: Gauge,
}

/// A type of event.
pub(super) struct EventType {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    pub(super) kind: EventKind,
}

/// A category.
pub(super) struct Category {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    pub(super) controls: fn(&ControlVariable) -> bool,
    pub(super) gauges: fn(&PerformanceVariable) -> bool,
    pub(super) events: fn(&EventType) -> bool,
    /// The indices of the categories in it.
    pub(super) categories: &'static [i32],
}

fn is_algorithm(variable: &ControlVariable) -> bool {
    matches!(variable.control, Control::Algorithm(_))
}

/// All control variables, by index.
pub(super) static CONTROLS: LazyLock<Vec<ControlVariable>> = LazyLock::new(|| {
    let bytes = |name: &str, text: &str, control| ControlVariable {
        name: name.into(),
        text: text.into(),
        control,
        values: Vec::new(),
    };
    let mut all = vec![
        bytes(
            "eager_limit",
            "Largest message that a standard send buffers, in bytes; -1 for no limit. It is the same for \
             all ranks.",
            Control::EagerLimit,
        ),
        bytes(
            "buffer_pool",
            "Space for messages of standard sends, in bytes for each rank; -1 for no limit. It is the \
             same for all ranks.",
            Control::BufferPool,
        ),
    ];
    let algorithm = |(place, (name, algorithms)): (usize, (&str, Vec<&'static str>))| {
        ControlVariable {
            name: format!("{name}_algorithm"),
            text: format!(
                "Algorithm of {name}, for operations whose first rank has not entered: automatic leaves it \
             to the rule. It is the same for all ranks."
            ),
            control: Control::Algorithm(place as u32),
            values: std::iter::once("automatic").chain(algorithms).collect(),
        }
    };
    all.extend(Selector::table().into_iter().enumerate().map(algorithm));
    all
});

const fn variable(
    name: &'static str,
    class: Class,
    gauge: Gauge,
    text: &'static str,
) -> PerformanceVariable {
    PerformanceVariable { name, text, class, gauge }
}

/// All performance variables, by index.
pub(super) static GAUGES: [PerformanceVariable; 11] = [
    variable(
        "posted_receives",
        Class::Level,
        Gauge::PostedReceives,
        "Receives of this rank that wait for their messages, those of nonblocking collectives included.",
    ),
    variable(
        "unexpected_messages",
        Class::Level,
        Gauge::UnexpectedMessages,
        "Messages at this rank that wait for their receives.",
    ),
    variable(
        "unexpected_total",
        Class::Counter,
        Gauge::UnexpectedTotal,
        "Messages that came to this rank before their receives.",
    ),
    variable(
        "messages_sent",
        Class::Counter,
        Gauge::MessagesSent,
        "Messages that this rank has sent, those inside collectives included.",
    ),
    variable("bytes_sent", Class::Aggregate, Gauge::BytesSent, "Bytes of data in these messages."),
    variable(
        "buffered_bytes",
        Class::Level,
        Gauge::BufferedBytes,
        "Bytes of standard sends of this rank that the system holds.",
    ),
    variable(
        "buffered_bytes_peak",
        Class::HighWaterMark,
        Gauge::BufferedPeak,
        "The largest number of such bytes since the rank began.",
    ),
    variable(
        "computing_time",
        Class::Timer,
        Gauge::ComputingTime,
        "Seconds of simulated time of this rank outside MPI.",
    ),
    variable(
        "overhead_time",
        Class::Timer,
        Gauge::OverheadTime,
        "Seconds of simulated processor time of this rank inside MPI.",
    ),
    variable(
        "waiting_time",
        Class::Timer,
        Gauge::WaitingTime,
        "Seconds of simulated time in which this rank was blocked in MPI.",
    ),
    variable(
        "file_time",
        Class::Timer,
        Gauge::FileTime,
        "Seconds of that time for the file system.",
    ),
];

const fn event_type(kind: EventKind, name: &'static str, text: &'static str) -> EventType {
    EventType { name, text, kind }
}

/// All types of events, by index.
pub(super) static EVENTS: [EventType; EventKind::ALL.len()] = [
    event_type(
        EventKind::MatchedPosted,
        "message_matched_posted",
        "A message between two ranks came to this rank and found its receive posted.",
    ),
    event_type(
        EventKind::Unexpected,
        "message_unexpected",
        "A message between two ranks came to this rank before its receive, and waits.",
    ),
    event_type(
        EventKind::MatchedUnexpected,
        "message_matched_unexpected",
        "A receive of this rank took a message that had waited for it.",
    ),
];

/// All categories, by index.
pub(super) static CATEGORIES: [Category; 4] = [
    Category {
        name: "windtunnel",
        text: "Everything.",
        controls: |_| false,
        gauges: |_| false,
        events: |_| false,
        categories: &[1, 2, 3],
    },
    Category {
        name: "point_to_point",
        text: "Messages between two ranks.",
        controls: |variable| !is_algorithm(variable),
        gauges: |variable| variable.class != Class::Timer,
        events: |_| true,
        categories: &[],
    },
    Category {
        name: "collectives",
        text: "Algorithms of collective operations.",
        controls: is_algorithm,
        gauges: |_| false,
        events: |_| false,
        categories: &[],
    },
    Category {
        name: "time",
        text: "Where the time of a rank goes.",
        controls: |_| false,
        gauges: |variable| variable.class == Class::Timer,
        events: |_| false,
        categories: &[],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_variable_is_in_one_category() {
        for control in &*CONTROLS {
            assert_eq!(CATEGORIES.iter().filter(|it| (it.controls)(control)).count(), 1);
        }
        for gauge in &GAUGES {
            assert_eq!(CATEGORIES.iter().filter(|it| (it.gauges)(gauge)).count(), 1);
        }
        for event in &EVENTS {
            assert_eq!(CATEGORIES.iter().filter(|it| (it.events)(event)).count(), 1);
        }
    }

    #[test]
    fn names_are_unique() {
        let controls: BTreeSet<&str> = CONTROLS.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(controls.len(), CONTROLS.len());
        assert!(controls.contains("allreduce_algorithm"), "{controls:?}");
        let gauges: BTreeSet<&str> = GAUGES.iter().map(|it| it.name).collect();
        assert_eq!(gauges.len(), GAUGES.len());
        let events: BTreeSet<&str> = EVENTS.iter().map(|it| it.name).collect();
        assert_eq!(events.len(), EVENTS.len());
    }

    #[test]
    fn types_of_events_are_in_the_order_of_their_kinds() {
        assert_eq!(EVENTS.each_ref().map(|it| it.kind), EventKind::ALL);
    }
}
