//! Accepted findings, and the exit code that follows from them.

mod baseline;

use clap::Args;
use mpi_api::{
    finding::{Code, Finding, Severity, Verdict},
    outcome::{Ending, RunResult},
};
use scenarios::error::Error;

use self::baseline::Baseline;
use crate::{diagnostic, json};

/// What a user accepts of a program. Accepted findings are listed like others.
#[derive(Debug, Clone, Default, Args)]
pub struct Acceptance {
    /// Accept findings of a verdict or a code, such as resource-leak or WT0017: they are listed, but
    /// do not make the exit code 1. May be given several times.
    #[arg(long, value_name = "VERDICT|CODE", value_parser = allowed)]
    pub allow: Vec<Allowed>,
    /// Least severe findings that make the exit code 1: error, warning or note [default:
    /// warning; of mpiexec, error].
    #[arg(long, value_name = "SEVERITY", value_parser = severity)]
    pub fail_on: Option<Severity>,
    /// Accept the findings listed in a file, so that only new ones make the exit code 1. If there is
    /// no such file it is written, with the findings of today.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
}

/// A class of findings that is accepted wherever they occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// All findings of this verdict.
    Verdict(Verdict),
    /// All findings of this code.
    Code(Code),
}

fn allowed(text: &str) -> Result<Allowed, String> {
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.word() == text);
    let code = || Code::parse(text).map(Allowed::Code);
    verdict.map(Allowed::Verdict).or_else(code).ok_or_else(|| {
        let words = Verdict::ALL.into_iter().map(|verdict| verdict.word().to_string());
        let names: Vec<String> = words.chain(Code::ALL.iter().map(|code| code.name())).collect();
        let names = names.iter().map(String::as_str);
        Error::unknown("verdict or code", text, names).to_string()
    })
}

fn severity(text: &str) -> Result<Severity, String> {
    let all = [Severity::Error, Severity::Warning, Severity::Note];
    let found = all.into_iter().find(|severity| severity.word() == text);
    found.ok_or_else(|| "a severity is error, warning or note".into())
}

impl Allowed {
    fn holds(self, finding: &Finding) -> bool {
        match self {
            Self::Verdict(verdict) => finding.verdict() == verdict,
            Self::Code(code) => finding.code == code,
        }
    }

    fn word(self) -> String {
        match self {
            Self::Verdict(verdict) => verdict.word().into(),
            Self::Code(code) => code.name(),
        }
    }
}

impl Acceptance {
    /// Reads the baseline file, or checks that it can be written. `usually` is the least severity
    /// that makes a run fail unless the user has chosen another.
    ///
    /// # Errors
    /// Returns an error if the baseline can be neither read nor written.
    pub(crate) fn open(&self, usually: Severity) -> Result<Gate, Error> {
        let baseline = self.baseline.as_deref().map(Baseline::open).transpose()?;
        let fail_on = self.fail_on.unwrap_or(usually);
        Ok(Gate { allow: self.allow.clone(), fail_on, baseline })
    }

    /// Returns whether the user has chosen which findings fail.
    pub(crate) fn decides(&self) -> bool {
        self.fail_on.is_some() || self.baseline.is_some()
    }
}

/// Decides which findings are accepted and which make a run fail.
pub(crate) struct Gate {
    allow: Vec<Allowed>,
    fail_on: Severity,
    baseline: Option<Baseline>,
}

impl Gate {
    /// Judges `findings`, and writes the baseline if there was none.
    ///
    /// # Errors
    /// Returns an error if the baseline cannot be written.
    pub(crate) fn judge(self, findings: &[Finding]) -> Result<Judged, Error> {
        let known = match self.baseline {
            Some(baseline) => baseline.accept(findings)?,
            None => vec![None; findings.len()],
        };
        let accepted = findings.iter().zip(known).map(|(finding, known)| {
            let allowed = self.allow.iter().find(|allowed| allowed.holds(finding));
            allowed.map(|allowed| format!("--allow {}", allowed.word())).or(known)
        });
        let judged = findings.iter().cloned().zip(accepted.collect::<Vec<_>>()).collect();
        Ok(Judged { findings: judged, fail_on: self.fail_on })
    }
}

/// Findings, each with the reason why it is accepted, if it is.
pub(crate) struct Judged {
    findings: Vec<(Finding, Option<String>)>,
    fail_on: Severity,
}

impl Judged {
    /// Divides the findings, in order, into parts of these lengths.
    pub(crate) fn split(self, lengths: impl Iterator<Item = usize>) -> Vec<Self> {
        let mut findings = self.findings.into_iter();
        let part = |length| findings.by_ref().take(length).collect();
        let parts = lengths.map(part);
        parts.map(|findings| Self { findings, fail_on: self.fail_on }).collect()
    }

    /// Returns the findings, each with the reason why it is accepted, if it is.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Finding, Option<&str>)> {
        self.findings.iter().map(|(finding, accepted)| (finding, accepted.as_deref()))
    }

    /// Returns whether there is a failing finding that is not accepted.
    pub(crate) fn fails(&self) -> bool {
        let counts = |(finding, accepted): &(Finding, Option<String>)| {
            accepted.is_none() && finding.severity <= self.fail_on
        };
        self.findings.iter().any(counts)
    }

    /// Returns the exit code of a run: 1 if a finding fails, or if the run did not complete and no
    /// finding explains why; otherwise 0.
    pub(crate) fn exit_code(&self, completed: bool) -> u8 {
        u8::from(self.fails() || !completed && self.findings.is_empty())
    }

    /// Returns the exit code of a run: that of a rank that ended abnormally, or 1 for a run that did
    /// not complete. Otherwise 1 if a finding fails and `decides` is set.
    pub(crate) fn exit_code_of(&self, result: &RunResult, decides: bool) -> u8 {
        let broken = result.ending != Ending::Completed;
        let own = result.exit_code.map_or(0, |code| code as u8);
        match self.exit_code(!broken) {
            0 => 0,
            _ if own > 0 => own,
            _ => u8::from(broken || decides),
        }
    }

    /// Returns the findings for display, with accepted ones marked.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.findings.iter().map(|(finding, accepted)| match accepted {
            Some(reason) => finding.clone().note(format!("accepted by {reason}")),
            None => finding.clone(),
        })
    }

    /// Returns one line of text for each failing finding.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let fails = |(finding, accepted): &&(Finding, Option<String>)| {
            accepted.is_none() && finding.severity <= self.fail_on
        };
        self.findings.iter().filter(fails).map(|(finding, _)| diagnostic::line(finding))
    }

    /// Returns the findings as `--json` prints them.
    pub(crate) fn objects(&self) -> Vec<json::finding::Finding> {
        let object = |(finding, accepted): &(Finding, Option<String>)| {
            json::finding::Finding::new(finding, accepted.as_deref())
        };
        self.findings.iter().map(object).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: Code) -> Finding {
        Finding::error(code, "found", vec![0], Vec::new())
    }

    fn judged(acceptance: &Acceptance, findings: &[Finding]) -> Judged {
        let gate = acceptance.open(Severity::Note).expect("there is no baseline");
        gate.judge(findings).expect("as above")
    }

    #[test]
    fn verdicts_and_codes_are_allowed_by_name() {
        assert_eq!(allowed("resource-leak"), Ok(Allowed::Verdict(Verdict::ResourceLeak)));
        assert_eq!(allowed("WT0017"), Ok(Allowed::Code(Code::ResourceLeak)));
        assert_eq!(allowed("wt17"), Ok(Allowed::Code(Code::ResourceLeak)));
        let wrong = allowed("resource-leek").expect_err("there is no such verdict");
        assert!(wrong.contains("did you mean `resource-leak`"), "{wrong}");
        assert!(allowed("ok").is_err() && severity("fatal").is_err());
    }

    #[test]
    fn what_is_allowed_is_listed_and_does_not_fail() {
        let allow = vec![Allowed::Verdict(Verdict::ResourceLeak)];
        let acceptance = Acceptance { allow, ..Acceptance::default() };
        let leak = found(Code::ResourceLeak);
        let one = judged(&acceptance, std::slice::from_ref(&leak));
        assert!(!one.fails() && one.lines().next().is_none());
        let objects = serde_json::to_value(one.objects()).expect("objects");
        assert_eq!(objects[0]["accepted"], "--allow resource-leak");
        assert_eq!(one.findings().next().map(|told| told.notes.len()), Some(1));
        let both = judged(&acceptance, &[leak, found(Code::DeadlockCycle)]);
        assert_eq!((both.fails(), both.lines().count(), both.exit_code(true)), (true, 1, 1));
    }

    #[test]
    fn the_severity_decides() {
        let warning = found(Code::ResourceLeak).warning();
        let with = |fail_on| Acceptance { fail_on, ..Acceptance::default() };
        let fails = |fail_on| judged(&with(fail_on), std::slice::from_ref(&warning)).fails();
        assert!(fails(None) && fails(Some(Severity::Warning)) && !fails(Some(Severity::Error)));
    }

    #[test]
    fn a_run_that_broke_off_without_a_finding_fails() {
        let none = judged(&Acceptance::default(), &[]);
        assert_eq!((none.exit_code(true), none.exit_code(false)), (0, 1));
    }
}
