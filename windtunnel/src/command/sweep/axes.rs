//! The axes of a study.

use scenarios::{error::Error, json::Document, options::Folder, study::Study};

use super::super::{
    compare::axes::{Axis, read_in},
    program::Job,
};

/// Reads the axes of a study.
///
/// # Errors
/// Returns an error with its place if one is wrong, is given twice or does not suit the program.
pub(super) fn read(study: &Study, job: &Job, document: &Document) -> Result<Vec<Axis>, Error> {
    let mut axes: Vec<Axis> = Vec::new();
    for (at, text) in study.axes.iter().enumerate() {
        let axis = read_axis(text, &axes, (study, job), document.path());
        axes.push(axis.map_err(|error| document.placed(&format!("/axes/{at}"), error))?);
    }
    for (at, axis) in axes.iter().enumerate() {
        check_values(axis, job).map_err(|error| document.placed(&format!("/axes/{at}"), error))?;
    }
    Ok(axes)
}

/// Reads an axis that follows others. Paths in it are relative to the folder of the study.
///
/// # Errors
/// Returns an error if it is wrong, is one of the others or does not suit the program.
fn read_axis(
    text: &str,
    others: &[Axis],
    (study, job): (&Study, &Job),
    path: &str,
) -> Result<Axis, Error> {
    let axis = read_in(text, &job.request, &Folder::of_file(path))?;
    let refuse = |allowed: &str| {
        let (what, value) = ("an axis".into(), axis.name());
        Err(Error::BadValue { what, value, allowed: allowed.into() })
    };
    if others.iter().any(|other| other.is_same_setting(&axis)) {
        return refuse("each axis once");
    }
    if axis.is_seed() && study.repetitions > 1 {
        return refuse("another axis: repetitions have consecutive seeds");
    }
    Ok(axis)
}

/// Checks every value of an axis by itself, so that a study does not begin with one that no
/// configuration can have.
///
/// # Errors
/// Returns an error if a value is unknown, cannot be read or is out of range.
fn check_values(axis: &Axis, job: &Job) -> Result<(), Error> {
    for at in 0..axis.len() {
        let request = axis.applied(at, &job.request);
        request.changed_machine()?;
        request.check_parts()?;
    }
    Ok(())
}
