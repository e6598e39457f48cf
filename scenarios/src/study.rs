//! Files of studies: one program in many configurations.

use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::{Digest, shuffle, stream};

use crate::{
    error::Error,
    json,
    options::{Folder, Options},
};

/// Most configurations of a study.
pub const CONFIGURATIONS_MAX: u64 = 10_000_000;

/// One program in many configurations.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object that describes a study")]
pub struct Study {
    /// What it shows, for readers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What all configurations have, as in a scenario file.
    pub scenario: Options,
    /// What differs: NAME=VALUES, as for `compare --axis`; paths are relative to the file's folder.
    #[schemars(length(min = 1))]
    pub axes: Vec<String>,
    /// Which combinations of the values are run.
    #[serde(default)]
    pub design: Design,
    /// Seed of the combinations that are drawn.
    #[serde(default)]
    pub seed: u64,
    /// Number of runs of each combination, with consecutive seeds from that of the scenario on.
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 100_000))]
    pub repetitions: u32,
}

fn once() -> u32 {
    1
}

/// The choice of combinations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// Every combination; values of the last axis vary fastest.
    #[default]
    Grid,
    /// This number of combinations; the values of an axis appear equally often, or once more (Latin
    /// hypercube; McKay, Beckman and Conover, Technometrics 21(2), 1979).
    LatinHypercube(u32),
    /// This number of combinations; each value is drawn independently.
    Random(u32),
}

impl Study {
    /// Reads a study. Paths in it are relative to its folder; those of its axes stay as they are written, since
    /// who reads the axes makes them so.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is no study.
    pub fn load(path: &str) -> Result<Self, Error> {
        let text = json::text_of(path)?;
        let mut study: Self = json::read(&text, path)?;
        let refuse = |pointer: &str, reason: &str| {
            Err(json::not_allowed(&text, path, pointer, reason.to_owned()))
        };
        if study.scenario.program.is_none() {
            return refuse("/scenario", "missing field `program`");
        }
        if study.axes.is_empty() {
            return refuse("/axes", "a study has at least one axis");
        }
        if !(1..=100_000).contains(&study.repetitions) {
            return refuse("/repetitions", "a number from 1 to 100000");
        }
        if let Design::LatinHypercube(0) | Design::Random(0) = study.design {
            return refuse("/design", "at least one combination");
        }
        study.scenario.resolve_paths(&Folder::of_file(path));
        Ok(study)
    }

    /// Returns a hash of everything in the study but its description.
    pub fn digest(&self) -> u64 {
        let plain = Self { description: String::new(), ..self.clone() };
        let text = serde_json::to_string(&plain).expect("an object with string keys");
        let mut digest = Digest::new();
        digest.mix_bytes(text.as_bytes());
        digest.value()
    }

    /// Returns the combinations of axes with this many values each.
    ///
    /// # Errors
    /// Returns an error if there are too many, repetitions included.
    pub fn points(&self, sizes: &[usize]) -> Result<Points, Error> {
        let grid = || sizes.iter().try_fold(1u64, |all, size| all.checked_mul(*size as u64));
        let count = match self.design {
            Design::Grid => grid(),
            Design::LatinHypercube(count) | Design::Random(count) => Some(count.into()),
        };
        let all = count.and_then(|count| count.checked_mul(self.repetitions.into()));
        let Some(count) = count.filter(|_| all.is_some_and(|all| all <= CONFIGURATIONS_MAX)) else {
            return Err(Error::BadValue {
                what: "the number of configurations".into(),
                value: all.map_or("more than 2^64".into(), |all| all.to_string()),
                allowed: format!("at most {CONFIGURATIONS_MAX}"),
            });
        };
        let drawn = match self.design {
            Design::Grid => Vec::new(),
            Design::LatinHypercube(count) => {
                self.columns(sizes, |size, rng| hypercube(size, count as usize, rng))
            }
            Design::Random(count) => self.columns(sizes, |size, rng| {
                (0..count).map(|_| rng.random_range(0..size as u32)).collect()
            }),
        };
        Ok(Points { sizes: sizes.to_vec(), drawn, count })
    }

    /// Returns the positions of the values of each axis. Determinism: each axis has a random stream
    /// of its own.
    fn columns(
        &self,
        sizes: &[usize],
        draw: impl Fn(usize, &mut sim_core::ChaCha8Rng) -> Vec<u32>,
    ) -> Vec<Vec<u32>> {
        let column = |(axis, size): (usize, &usize)| {
            draw(*size, &mut stream(self.seed, "study", axis as u64))
        };
        sizes.iter().enumerate().map(column).collect()
    }
}

/// Returns a column of a Latin hypercube.
fn hypercube(size: usize, count: usize, rng: &mut sim_core::ChaCha8Rng) -> Vec<u32> {
    let mut column: Vec<u32> = (0..count).map(|place| (place * size / count) as u32).collect();
    shuffle(&mut column, |last| rng.random_range(0..=last));
    column
}

/// The combinations of a study.
#[derive(Clone, Debug)]
pub struct Points {
    sizes: Vec<usize>,
    /// The positions of the values by axis; empty for a grid.
    drawn: Vec<Vec<u32>>,
    count: u64,
}

impl Points {
    /// Returns the number of combinations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the position of the value of each axis.
    pub fn at(&self, number: u64) -> Vec<usize> {
        if !self.drawn.is_empty() {
            return self.drawn.iter().map(|column| column[number as usize] as usize).collect();
        }
        let mut rest = number;
        let mut at: Vec<usize> = Vec::with_capacity(self.sizes.len());
        for size in self.sizes.iter().rev() {
            at.push((rest % *size as u64) as usize);
            rest /= *size as u64;
        }
        at.reverse();
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(design: &str) -> Study {
        let text = format!(
            r#"{{"scenario": {{"program": "allreduce"}}, "axes": ["ranks=4,8"], "design": {design}}}"#
        );
        serde_json::from_str(&text).expect("a study")
    }

    fn all(design: &str, sizes: &[usize]) -> Vec<Vec<usize>> {
        let points = study(design).points(sizes).expect("few");
        (0..points.count()).map(|number| points.at(number)).collect()
    }

    #[test]
    fn an_array_is_no_study() {
        let read = |text: &str| json::read::<Study>(text, "s.json").expect_err("it is none");
        let told = "invalid type: array, expected an object";
        for text in ["[]", "\n [\"what it shows\"]", "{\"scenario\": [], \"axes\": []}"] {
            let error = read(text).to_string();
            assert!(error.contains(told) && !error.contains("struct"), "{text}: {error}");
        }
    }

    #[test]
    fn a_grid_has_every_combination() {
        let points = all("\"grid\"", &[2, 3]);
        assert_eq!(points, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    }

    #[test]
    fn a_latin_hypercube_has_every_value_equally_often() {
        let points = all("{\"latin-hypercube\": 12}", &[2, 3, 12, 50]);
        assert_eq!(points.len(), 12);
        for (axis, size, each) in [(0, 2, 6), (1, 3, 4), (2, 12, 1)] {
            for value in 0..size {
                let count = points.iter().filter(|point| point[axis] == value).count();
                assert_eq!(count, each, "axis {axis}, value {value}");
            }
        }
        let mut last: Vec<usize> = points.iter().map(|point| point[3]).collect();
        last.sort_unstable();
        last.dedup();
        assert_eq!(last.len(), 12, "no value of a long axis appears twice");
        assert_eq!(points, all("{\"latin-hypercube\": 12}", &[2, 3, 12, 50]));
    }

    #[test]
    fn random_combinations_are_within_the_axes() {
        let points = all("{\"random\": 1000}", &[2, 7]);
        assert_eq!(points.len(), 1000);
        assert!(points.iter().all(|point| point[0] < 2 && point[1] < 7));
        assert!((0..7).all(|value| points.iter().any(|point| point[1] == value)));
    }

    #[test]
    fn there_is_an_end_to_the_number_of_configurations() {
        assert!(study("\"grid\"").points(&[4000, 4000]).is_err());
        assert!(study("\"grid\"").points(&[usize::MAX, usize::MAX]).is_err());
    }

    #[test]
    fn the_digest_is_of_what_is_run() {
        let one = study("\"grid\"");
        let described = Study { description: "why".into(), ..one.clone() };
        let other = Study { seed: 1, ..one.clone() };
        assert_eq!(one.digest(), described.digest());
        assert_ne!(one.digest(), other.digest());
    }
}
