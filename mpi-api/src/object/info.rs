//! Keys and values that say what to expect of an object (MPI chapter 10).

/// Keys and values, in order of setting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info(pub Vec<(String, String)>);

impl Info {
    /// Gives a key a value.
    pub fn set(&mut self, key: String, value: String) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key, value)),
        }
    }

    /// Takes over all that another has.
    pub fn update(&mut self, other: Self) {
        other.0.into_iter().for_each(|(key, value)| self.set(key, value));
    }
}

impl From<&[(&str, &str)]> for Info {
    fn from(entries: &[(&str, &str)]) -> Self {
        let mut info = Self::default();
        entries.iter().for_each(|(key, value)| info.set((*key).into(), (*value).into()));
        info
    }
}
