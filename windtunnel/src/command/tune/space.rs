//! The settings that are tuned: those that a user can choose, and those of `--axis`.

use std::ops::Range;

use network_models::NodeId;
use scenarios::{error::Error, scenario::Request};

use super::search::{Point, Space};
use crate::command::{
    compare::axes::{self, Axis, Written},
    program::Job,
};

/// Eager limits that are tried.
const EAGER_LIMITS: &str = "eager-limit=0,1K,4K,16K,64K,256K";

/// Placements that are tried.
const PLACEMENTS: [&str; 4] = ["block", "cyclic", "random", "gray"];

/// One setting with its values.
pub(super) struct Setting {
    /// Today's value comes first.
    pub(super) axis: Axis,
    /// Whether today's value may be chosen: an axis of the user may lack it.
    offers_today: bool,
}

/// Position of today's value.
const TODAY: usize = 0;

impl Setting {
    /// Returns the positions of the values that may be chosen.
    pub(super) fn offered(&self) -> Range<usize> {
        let first = if self.offers_today { TODAY } else { TODAY + 1 };
        first..self.axis.len()
    }
}

/// Returns the settings: for each of `collectives` its algorithms, the eager limit, the placement, and the
/// axes of the user, which replace those of equal names. Placements that put all ranks on the nodes of an
/// earlier one are left out, as are those that do not fit.
///
/// # Errors
/// Returns an error if an axis is bad, given twice, or nothing that anybody chooses.
pub(super) fn settings(
    job: &Job,
    collectives: &[String],
    asked: &[String],
) -> Result<Vec<Setting>, Error> {
    let base = &job.request;
    let mut own: Vec<Axis> = Vec::new();
    for text in asked {
        let axis = axes::read(text, base)?;
        let refuse = |allowed: &str| {
            Err(Error::BadValue {
                what: "--axis".into(),
                value: axis.name(),
                allowed: allowed.into(),
            })
        };
        if axis.is_chance() {
            return refuse("a setting to choose; chance is none: see `windtunnel compare`");
        }
        if own.iter().any(|other| other.is_same_setting(&axis)) {
            return refuse("each setting once");
        }
        own.push(axis);
    }
    let algorithms = collectives.iter().map(|name| format!("collectives.{name}=all"));
    let placements = format!("placement={}", placements(job)?.join(","));
    let usual = algorithms.chain([EAGER_LIMITS.to_owned(), placements]);
    let mut settings = Vec::new();
    for text in usual {
        let axis = axes::read(&text, base)?.with_today(base);
        if axis.varies() && !own.iter().any(|other| other.is_same_setting(&axis)) {
            settings.push(Setting { axis, offers_today: true });
        }
    }
    settings.extend(own.into_iter().map(|axis| {
        let offers_today = axis.today(base).is_some();
        Setting { axis: axis.with_today(base), offers_today }
    }));
    Ok(settings)
}

/// Returns the placements that differ from each other and from today's.
fn placements(job: &Job) -> Result<Vec<String>, Error> {
    let base = &job.request;
    let nodes = |placement: &str| -> Option<Vec<NodeId>> {
        let request = Request { placement: placement.into(), ..base.clone() };
        let scenario = job.scenario(request, mpi_abi::launch::Output::Discard).ok()?;
        Some(scenario.nodes().to_vec())
    };
    let mut known: Vec<Vec<NodeId>> = nodes(&base.placement).into_iter().collect();
    let mut found = vec![base.placement.clone()];
    for placement in PLACEMENTS {
        if let Some(nodes) = nodes(placement)
            && !known.contains(&nodes)
        {
            known.push(nodes);
            found.push(placement.to_owned());
        }
    }
    Ok(found)
}

/// Returns the space of all combinations.
pub(super) fn space(settings: &[Setting]) -> Space {
    Space {
        offered: settings.iter().map(Setting::offered).collect(),
        today: vec![TODAY; settings.len()],
    }
}

/// Returns the request of a combination.
pub(super) fn request(settings: &[Setting], base: &Request, point: &Point) -> Request {
    let mut request = base.clone();
    for (setting, at) in settings.iter().zip(point) {
        request = setting.axis.applied(*at, &request);
    }
    request
}

/// Returns how the settings of a combination that are not today's are asked for.
pub(super) fn written(settings: &[Setting], point: &Point) -> Vec<Written> {
    let changed = settings.iter().zip(point).filter(|(_, at)| **at != TODAY);
    changed.map(|(setting, at)| setting.axis.written(*at)).collect()
}
