//! Plans as compiled programs: built in one go, then run by `run`, `check` and `mpiexec` beside the
//! interpretation of the same plan.

mod build;
mod compare;
mod tool;

use std::path::Path;

use rayon::prelude::*;

use self::{build::Level, compare::compare};
pub use self::{build::source, tool::{AS_WINDTUNNEL, Tool}};
use crate::{
    plan::Plan,
    shrink::shrink,
    sweep::Complaint,
};

/// Plans in one program.
const CHUNK: usize = 50;

/// Examines the plans as programs; tells of each that fails, with the source of the smallest that
/// still does.
///
/// # Errors
/// A text for each failure.
pub fn examine_compiled(plans: &[Plan], tool: &Tool) -> Result<(), Vec<String>> {
    let jobs: Vec<(&[Plan], Level)> =
        plans.chunks(CHUNK).flat_map(|chunk| Level::ALL.map(|level| (chunk, level))).collect();
    let failures: Vec<String> =
        jobs.into_par_iter().flat_map(|(chunk, level)| examine_chunk(chunk, level, tool)).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

fn examine_chunk(plans: &[Plan], level: Level, tool: &Tool) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = match tool.compile(&source(plans), level, folder.path()) {
        Ok(program) => program,
        // One of them cannot be compiled: each alone tells which.
        Err(text) if plans.len() == 1 => return vec![failure(&plans[0], level, tool, text)],
        Err(_) => {
            return plans
                .iter()
                .flat_map(|plan| examine_chunk(std::slice::from_ref(plan), level, tool))
                .collect();
        }
    };
    plans
        .par_iter()
        .filter_map(|plan| {
            let what = compare(plan, level, &program, tool).err()?;
            Some(failure(plan, level, tool, what))
        })
        .collect()
}

/// What is told of a plan that fails.
fn failure(plan: &Plan, level: Level, tool: &Tool, what: String) -> String {
    let first = Complaint::new(level.flag(), what);
    let told = format!("seed {}: {first}", plan.seed);
    let (smallest, last) = shrink(plan, first, |plan| alone(plan, level, tool));
    let text = source(std::slice::from_ref(&smallest));
    format!("{told}\nsmallest: {last}\n{smallest}\n{text}")
}

/// One plan as a program of its own.
fn alone(plan: &Plan, level: Level, tool: &Tool) -> Result<(), Complaint> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path: &Path = folder.path();
    let complain = |what| Complaint::new(level.flag(), what);
    let text = source(std::slice::from_ref(plan));
    let program = tool.compile(&text, level, path).map_err(complain)?;
    compare(plan, level, &program, tool).map_err(complain)
}
