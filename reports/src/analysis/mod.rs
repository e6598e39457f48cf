//! Analyses of a run, computed from its result and its trace.

mod advice;
mod critical;
mod difference;
mod front;
mod gain;
mod link;
mod matrix;
mod pivot;
mod profile;
mod ranges;
pub(crate) mod size_class;
mod spread;
mod statistics;
mod summary;
mod tuning;
mod weighed;
mod what_if;

pub use advice::advice;
pub(crate) use advice::amount as cost_amount;
pub use critical::{CriticalPath, Part, Segment};
pub use difference::{
    Both, COMPLETED, ComparisonDifference, ConfigurationPair, Difference, Pair, Place, Results,
    RunDifference, Times, different,
};
pub use front::front;
pub use gain::Gain;
pub use link::{HottestLink, losses};
pub use matrix::CommunicationMatrix;
pub use pivot::{Pivot, pivots};
pub(crate) use profile::largest;
pub use profile::{
    Accesses, AlgorithmUse, Algorithms, CallSite, CollectiveTime, Efficiencies, NoIdeal, OneSided,
    Profile, Profiler, ProfilerHandle, SizeClass, Synchronizing, WaitState, Waits,
};
pub use ranges::{Range, Stretch, ranges};
pub use spread::{Agreement, Spread, Winner, spreads, winners};
pub use statistics::{Repetitions, Statistics};
pub use summary::Summary;
pub(crate) use tuning::percent as change_between;
pub use tuning::{Alone, Trial, TunedSetting, Tuning};
pub use what_if::{Again, Answer, Sensitivity, WhatIf};
