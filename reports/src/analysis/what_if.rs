//! Answers to questions of "what if": the run time when one setting changes, each by a run of its own.

use mpi_api::outcome::Ending;
use sim_core::SimTime;

use super::change_between;

/// What came of running again with one setting changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Again {
    /// The program ran.
    Ran {
        /// How the run ended.
        ending: Ending,
        /// Time at which the last rank ended, or the run stopped.
        makespan: SimTime,
        /// What was found, each as text; a run that completes may be unsafe all the same.
        findings: Vec<String>,
    },
    /// The configuration cannot be run, with the reason.
    Impossible(String),
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What changes, such as `latency`.
    pub setting: String,
    /// What it changes to: a value, or a factor as in `x0.5`.
    pub value: String,
    /// The factor, if the setting is multiplied.
    pub factor: Option<f64>,
    /// What came of it.
    pub again: Again,
}

/// A setting that is halved and doubled.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity<'a> {
    /// What changes.
    pub setting: &'a str,
    /// The answer with half of it, if that was asked.
    pub halved: Option<&'a Answer>,
    /// The answer with twice of it, if that was asked.
    pub doubled: Option<&'a Answer>,
}

/// All answers about one run.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf {
    /// Run time with nothing changed; `None` if the run did not complete.
    pub base: Option<SimTime>,
    /// Answers, in the order of the questions.
    pub answers: Vec<Answer>,
}

impl Answer {
    /// Returns setting and value, as in `latency=x0.5`.
    pub fn name(&self) -> String {
        format!("{}={}", self.setting, self.value)
    }

    /// Returns the run time, if the run completed.
    pub fn run_time(&self) -> Option<SimTime> {
        match self.again {
            Again::Ran { ending: Ending::Completed, makespan, .. } => Some(makespan),
            Again::Ran { .. } | Again::Impossible(_) => None,
        }
    }

    /// Returns the first line of what was found, or why the configuration cannot be run.
    pub fn remark(&self) -> Option<&str> {
        match &self.again {
            Again::Ran { findings, .. } => findings.first().and_then(|text| text.lines().next()),
            Again::Impossible(reason) => Some(reason),
        }
    }

    /// Returns whether it is one of the questions of a [`Sensitivity`].
    fn is_half_or_double(&self) -> bool {
        let ran = matches!(self.again, Again::Ran { .. });
        ran && self.factor.is_some_and(|factor| [0.5, 2.0].contains(&factor))
    }
}

impl WhatIf {
    /// Returns by how many percent the run time of an answer differs from that of the run; `None` if one
    /// of both did not complete.
    pub fn change(&self, answer: &Answer) -> Option<f64> {
        change_between(self.base?, answer.run_time()?)
    }

    /// Returns whether a change has no effect: the run time stays what it is and nothing is found.
    fn is_without_effect(&self, answer: &Answer) -> bool {
        self.change(answer) == Some(0.0) && answer.remark().is_none()
    }

    /// Returns how much a change matters: a run that does not complete most.
    fn effect(&self, answer: Option<&Answer>) -> f64 {
        match answer {
            None => 0.0,
            Some(answer) => self.change(answer).map_or(f64::INFINITY, f64::abs),
        }
    }

    /// Returns the settings all of whose questions halve or double them, largest effect first, without
    /// those of no effect.
    ///
    /// Ties: the order of the questions.
    pub fn sensitivities(&self) -> Vec<Sensitivity<'_>> {
        let mut found: Vec<Sensitivity> = Vec::new();
        for answer in self.answers.iter().filter(|answer| self.is_scaled(&answer.setting)) {
            let known = found.iter().position(|one| one.setting == answer.setting);
            let at = known.unwrap_or_else(|| {
                let setting = answer.setting.as_str();
                found.push(Sensitivity { setting, halved: None, doubled: None });
                found.len() - 1
            });
            match answer.factor {
                Some(0.5) => found[at].halved = Some(answer),
                _ => found[at].doubled = Some(answer),
            }
        }
        found.retain(|one| {
            let both = [one.halved, one.doubled];
            both.into_iter().flatten().any(|answer| !self.is_without_effect(answer))
        });
        let effect = |one: &Sensitivity| self.effect(one.halved).max(self.effect(one.doubled));
        found.sort_by(|a, b| effect(b).total_cmp(&effect(a)));
        found
    }

    /// Returns all other answers but those without effect, from the fastest run to the slowest; runs that did not
    /// complete come after them, and what cannot be run last.
    ///
    /// Ties: the order of the questions.
    pub fn choices(&self) -> Vec<&Answer> {
        let others = self.answers.iter().filter(|answer| !self.is_scaled(&answer.setting));
        let mut found: Vec<&Answer> =
            others.filter(|answer| !self.is_without_effect(answer)).collect();
        found.sort_by_key(|answer| match (answer.run_time(), &answer.again) {
            (Some(time), _) => (0, time),
            (None, Again::Ran { .. }) => (1, SimTime::ZERO),
            (None, Again::Impossible(_)) => (2, SimTime::ZERO),
        });
        found
    }

    /// Returns the settings whose change has no effect, each with its values, as in `placement=block,
    /// cyclic`; only the name of a setting that has no effect whether it is halved or doubled.
    pub fn without_effect(&self) -> Vec<String> {
        let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
        let shown = self.sensitivities();
        let is_shown =
            |setting: &str| shown.iter().any(|sensitivity| sensitivity.setting == setting);
        for answer in self.answers.iter().filter(|answer| self.is_without_effect(answer)) {
            if is_shown(&answer.setting) {
                continue;
            }
            match found.iter_mut().find(|(setting, _)| *setting == answer.setting) {
                Some((_, values)) => values.push(&answer.value),
                None => found.push((&answer.setting, vec![&answer.value])),
            }
        }
        let named = |(setting, values): (&str, Vec<&str>)| match self.is_scaled(setting) {
            true => setting.to_owned(),
            false => format!("{setting}={}", values.join(",")),
        };
        found.into_iter().map(named).collect()
    }

    /// Returns whether all questions about a setting halve or double it.
    fn is_scaled(&self, setting: &str) -> bool {
        let mut of = self.answers.iter().filter(|answer| answer.setting == setting);
        of.all(Answer::is_half_or_double)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(name: &str, factor: Option<f64>, ending: Ending, ps: u64) -> Answer {
        let (setting, value) = name.split_once('=').expect("a setting and a value");
        let makespan = SimTime::from_ps(ps);
        let stalled = "deadlock\nmore".to_owned();
        let findings = if ending == Ending::Completed { Vec::new() } else { vec![stalled] };
        let again = Again::Ran { ending, makespan, findings };
        Answer { setting: setting.into(), value: value.into(), factor, again }
    }

    fn completed(name: &str, factor: Option<f64>, ps: u64) -> Answer {
        answer(name, factor, Ending::Completed, ps)
    }

    #[test]
    fn answers_are_sorted_by_effect() {
        let impossible = Answer {
            again: Again::Impossible("it does not fit".into()),
            ..completed("placement=gray", None, 0)
        };
        let what_if = WhatIf {
            base: Some(SimTime::from_ps(1000)),
            answers: vec![
                completed("gap=x0.5", Some(0.5), 1000),
                completed("gap=x2", Some(2.0), 1000),
                completed("latency=x0.5", Some(0.5), 900),
                completed("latency=x2", Some(2.0), 1200),
                completed("bandwidth=x0.5", Some(0.5), 1500),
                completed("bandwidth=x2", Some(2.0), 1000),
                impossible,
                completed("placement=block", None, 1000),
                answer("placement=random", None, Ending::Stalled, 10),
                completed("placement=cyclic", None, 800),
                completed("eager-limit=x4", Some(4.0), 1100),
            ],
        };
        let sensitivities = what_if.sensitivities();
        let settings: Vec<&str> = sensitivities.iter().map(|one| one.setting).collect();
        assert_eq!(settings, ["bandwidth", "latency"]);
        assert_eq!(sensitivities[0].halved.and_then(|it| what_if.change(it)), Some(50.0));
        assert_eq!(sensitivities[0].doubled.and_then(|it| what_if.change(it)), Some(0.0));
        let choices: Vec<String> = what_if.choices().iter().map(|one| one.name()).collect();
        let expected = ["placement=cyclic", "eager-limit=x4", "placement=random", "placement=gray"];
        assert_eq!(choices, expected);
        assert_eq!(what_if.choices()[2].remark(), Some("deadlock"));
        assert_eq!(what_if.without_effect(), ["gap", "placement=block"]);
    }

    #[test]
    fn a_run_that_does_not_complete_has_no_change() {
        let what_if = WhatIf { base: None, answers: vec![completed("eager-limit=8K", None, 5)] };
        assert_eq!(what_if.change(&what_if.answers[0]), None);
        assert_eq!(what_if.choices().len(), 1);
        assert_eq!(what_if.without_effect(), [""; 0]);
    }
}
