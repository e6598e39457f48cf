//! Plans as compiled programs: built together, then run by `run`, `check` and `mpiexec` and
//! compared with the interpretation of the same plan.

mod build;
mod compare;
mod tool;

use std::slice::from_ref;

use rayon::prelude::*;

use self::compare::compare;
pub use self::{
    build::Form,
    tool::{AS_WINDTUNNEL, Tool},
};
use crate::{
    plan::Plan,
    shrink::shrink,
    sweep::Complaint,
    written::{Language, program},
};

/// Most plans in one program: the data of a program are copied for each rank of each execution.
const CHUNK: usize = 25;

/// Returns the source of a program that runs the plan whose seed is its argument.
pub fn source(plans: &[Plan], language: Language) -> String {
    program(plans, language)
}

/// Tests each plan in every one of the forms.
///
/// # Errors
/// Returns a text for each failure, with the source of the smallest program that still fails.
pub fn examine_in_all(plans: &[Plan], forms: &[Form], tool: &Tool) -> Result<(), Vec<String>> {
    let jobs =
        plans.chunks(CHUNK).flat_map(|chunk| forms.iter().map(|form| (chunk.to_vec(), *form)));
    examine(jobs.collect(), tool)
}

/// Tests each plan in one of the forms.
///
/// # Errors
/// The same as [`examine_in_all`].
pub fn examine_in_one(plans: &[Plan], forms: &[Form], tool: &Tool) -> Result<(), Vec<String>> {
    let mut jobs = Vec::new();
    for (number, form) in forms.iter().enumerate() {
        let every = plans.iter().skip(number).step_by(forms.len());
        let mine: Vec<Plan> = every.cloned().collect();
        jobs.extend(mine.chunks(CHUNK).map(|chunk| (chunk.to_vec(), *form)));
    }
    examine(jobs, tool)
}

fn examine(jobs: Vec<(Vec<Plan>, Form)>, tool: &Tool) -> Result<(), Vec<String>> {
    let examined = jobs.into_par_iter().flat_map(|(plans, form)| examine_chunk(&plans, form, tool));
    let failures: Vec<String> = examined.collect();
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

fn examine_chunk(plans: &[Plan], form: Form, tool: &Tool) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = match tool.compile(plans, form, folder.path()) {
        Ok(program) => program,
        Err(text) if plans.len() == 1 => return vec![failure(&plans[0], form, tool, text)],
        // At least one plan cannot be compiled: compiling each alone shows which.
        Err(_) => {
            let each = plans.iter().flat_map(|plan| examine_chunk(from_ref(plan), form, tool));
            return each.collect();
        }
    };
    let failed = plans.par_iter().filter_map(|plan| {
        let what = compare(plan, form, &program, tool).err()?;
        Some(failure(plan, form, tool, what))
    });
    failed.collect()
}

/// Returns the report on a plan that fails.
fn failure(plan: &Plan, form: Form, tool: &Tool, what: String) -> String {
    let first = Complaint::new(form.name(), what);
    let told = format!("seed {}: {first}", plan.seed);
    let (smallest, last) = shrink(plan, first, |plan| alone(plan, form, tool));
    let text = source(from_ref(&smallest), form.language);
    format!("{told}\nsmallest: {last}\n{smallest}\n{text}")
}

/// Tests one plan, compiled as a program of its own.
fn alone(plan: &Plan, form: Form, tool: &Tool) -> Result<(), Complaint> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let complain = |what| Complaint::new(form.name(), what);
    let program = tool.compile(from_ref(plan), form, folder.path()).map_err(complain)?;
    compare(plan, form, &program, tool).map_err(complain)
}
