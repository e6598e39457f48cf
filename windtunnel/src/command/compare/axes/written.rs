//! How a value of an axis is asked for in `windtunnel run`.

use scenarios::options::size;

use super::{Axis, field::Field};

/// The way to ask for one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) enum Written {
    /// Options of `windtunnel run`.
    Options(Vec<String>),
    /// Arguments of the program, after `--`.
    Arguments(Vec<String>),
    /// No option: a change of the machine, in words.
    Machine(String),
}

impl Axis {
    /// Returns how a value is asked for.
    pub(in crate::command) fn written(&self, at: usize) -> Written {
        let text = self.text(at);
        let option = |name: &str| Written::Options(vec![name.to_owned(), text.to_owned()]);
        let bytes = |name: &str| {
            let number = size(text).map_or_else(|| text.to_owned(), |bytes| bytes.to_string());
            Written::Options(vec![name.to_owned(), number])
        };
        let setting = format!("{}={text}", self.name());
        match &self.field {
            Field::Topology => option("--topology"),
            Field::Machine => option("--machine"),
            Field::Placement => option("--placement"),
            Field::Network => option("--network"),
            Field::Collectives => {
                Written::Options(vec!["--collectives".into(), text.replace('+', ",")])
            }
            Field::Collective(_) => Written::Options(vec!["--collectives".into(), setting]),
            Field::EagerLimit if self.factor(at).is_some() => Written::Machine(setting),
            Field::EagerLimit => bytes("--eager-limit"),
            Field::Buffering => bytes("--buffering"),
            Field::RanksPerNode => option("--ranks-per-node"),
            Field::RanksPerSocket => option("--ranks-per-socket"),
            Field::Ranks => bytes("--ranks"),
            Field::Seed => option("--seed"),
            Field::Noise => option("--noise"),
            Field::Background => option("--background"),
            Field::Number(_) | Field::Scaled(_) | Field::Link(_) => Written::Machine(setting),
            Field::Parameter(name) => {
                let number = size(text).map_or_else(|| text.to_owned(), |value| value.to_string());
                Written::Options(vec!["-p".into(), format!("{name}={number}")])
            }
            Field::Arguments => Written::Arguments(super::super::values::words(text)),
        }
    }
}
