//! One example of the documents and what must come out of it.

use std::{cell::RefCell, sync::Arc};

use mpi_api::{
    finding::{Code, Verdict},
    outcome::RunResult,
    run::{Body, Program},
};

use scenarios::scenario::Request;

/// One example: where it is from, what it shows, and its programs.
pub struct Row {
    /// Its name in the suite.
    pub id: &'static str,
    /// The document and the place in it.
    pub source: &'static str,
    /// One line.
    pub shows: &'static str,
    /// What is run.
    pub form: Form,
}

/// Whether an example can be run.
pub enum Form {
    /// Its programs; the first is the example itself, the others are variants of it.
    Programs(Vec<Case>),
    /// It cannot be a program, or is one of another kind: why, and where it is tested instead.
    Remark(&'static str),
}

/// One program of an example.
#[derive(Clone, Copy)]
pub struct Case {
    /// Empty for the example itself; a variant is run as `ID:NAME`.
    pub name: &'static str,
    /// The numbers of ranks the suite runs it on; the first is the default.
    pub ranks: &'static [u32],
    /// What must come out on a number of ranks.
    pub expect: fn(u32) -> Expect,
    /// Why.
    pub reason: &'static str,
    /// What every rank runs.
    pub body: fn(),
    /// What the example says of the machine and the options, where it says anything.
    pub options: fn(&mut Request),
}

impl Row {
    /// An example with its programs.
    pub const fn new(
        id: &'static str,
        source: &'static str,
        shows: &'static str,
        cases: Vec<Case>,
    ) -> Self {
        Self { id, source, shows, form: Form::Programs(cases) }
    }

    /// An example of one program, which is safe.
    pub fn safe(
        id: &'static str,
        source: &'static str,
        shows: &'static str,
        ranks: &'static [u32],
        reason: &'static str,
        body: fn(),
    ) -> Self {
        Self::new(id, source, shows, vec![Case::safe(ranks, reason, body)])
    }

    /// An example that is not run here, and why.
    pub const fn remark(
        id: &'static str,
        source: &'static str,
        shows: &'static str,
        why: &'static str,
    ) -> Self {
        Self { id, source, shows, form: Form::Remark(why) }
    }
}

impl Case {
    /// The example itself, on whatever machine.
    pub const fn new(
        ranks: &'static [u32],
        expect: fn(u32) -> Expect,
        reason: &'static str,
        body: fn(),
    ) -> Self {
        Self { name: "", ranks, expect, reason, body, options: |_| {} }
    }

    /// The example itself, safe on any number of ranks.
    pub const fn safe(ranks: &'static [u32], reason: &'static str, body: fn()) -> Self {
        Self::new(ranks, |_| Expect::safe(), reason, body)
    }

    /// A variant of the example.
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// With options that the example fixes.
    pub const fn with(self, options: fn(&mut Request)) -> Self {
        Self { options, ..self }
    }
}

/// What must come out of a check.
#[derive(Clone, Debug)]
pub struct Expect {
    /// The verdict.
    pub verdict: Verdict,
    /// The kind of the first finding, where it matters.
    pub code: Option<Code>,
    /// The smallest buffering that lets it finish: bytes in all, and at how many ranks.
    pub minimum: Option<(u64, u32)>,
    /// What the completed runs may [`declare`], each of which some run must; empty if it does not
    /// matter. The lines of a run are sorted and joined by a semicolon and a space.
    pub outcomes: Vec<String>,
}

impl Expect {
    /// Safe: completes with zero buffering in every order.
    pub fn safe() -> Self {
        Self::verdict(Verdict::Ok)
    }

    /// This verdict.
    pub fn verdict(verdict: Verdict) -> Self {
        Self { verdict, code: None, minimum: None, outcomes: Vec::new() }
    }

    /// Leans on buffering of at least `bytes` in all, at `ranks` ranks.
    pub fn buffering(bytes: u64, ranks: u32) -> Self {
        Self { minimum: Some((bytes, ranks)), ..Self::verdict(Verdict::Buffering) }
    }

    /// Can deadlock whatever the buffering.
    pub fn deadlock() -> Self {
        Self::verdict(Verdict::Deadlock)
    }

    /// Wrong in this way.
    pub fn wrong(code: Code) -> Self {
        Self { code: Some(code), ..Self::verdict(code.verdict()) }
    }

    /// With exactly these outcomes.
    pub fn reaching(self, outcomes: &[&str]) -> Self {
        Self { outcomes: outcomes.iter().map(ToString::to_string).collect(), ..self }
    }
}

thread_local! {
    static DECLARED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Called by a rank to say what came out, in programs that may legally end in several ways.
pub fn declare(line: impl Into<String>) {
    DECLARED.with_borrow_mut(|declared| declared.push(line.into()));
}

/// The case as a program whose results carry what its ranks declared.
pub(super) fn program(case: Case) -> Program {
    Arc::new(Declaring(case.body))
}

struct Declaring(fn());

impl Body for Declaring {
    fn start(&self, _: u32) {
        DECLARED.take();
    }

    fn rank(&self) {
        (self.0)();
    }

    fn finish(&self, result: &mut RunResult, _: Option<(u32, usize)>) {
        result.declared = DECLARED.take();
        result.declared.sort_unstable();
    }
}
