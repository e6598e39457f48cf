//! [`Catalog`]: topologies and network models by name.

use std::{ops::Range, sync::Arc};

use crate::{
    model::{self, BadOption, ModelKind, ModelOption, ROUTING},
    routing::RouteTable,
    topology::{
        self, GraphFile, PLANES, PlaneSet, TopologyDescription, TopologyError, TopologyKind,
        TopologySpec,
    },
};

/// Topologies and network models by name: those that come with the library, and a user's own.
///
/// Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Catalog {
    topologies: Vec<Arc<dyn TopologyKind>>,
    models: Vec<Arc<dyn ModelKind>>,
}

/// Catalogs are equal if they hold the same objects, as a catalog and its clone do.
impl PartialEq for Catalog {
    fn eq(&self, other: &Self) -> bool {
        fn same<T: ?Sized>(one: &[Arc<T>], other: &[Arc<T>]) -> bool {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| Arc::ptr_eq(one, other))
        }
        same(&self.topologies, &other.topologies) && same(&self.models, &other.models)
    }
}

/// Why a topology or a network model cannot be added to a catalog.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// The name exists already.
    #[error("there is already a {what} called `{name}`")]
    Taken {
        /// Topology or network model.
        what: &'static str,
        /// The name that is taken.
        name: &'static str,
    },
    /// The name has a form that cannot be written on a command line.
    #[error("a {what} cannot be called `{name}`: a name is lowercase letters, digits and hyphens")]
    Form {
        /// Topology or network model.
        what: &'static str,
        /// The name.
        name: &'static str,
    },
}

/// Why a network model cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No network model has this name.
    #[error("no network model is called `{name}`; there are {}", allowed.join(", "))]
    Unknown {
        /// The name as written.
        name: String,
        /// The names that exist.
        allowed: Vec<&'static str>,
    },
    /// An option is there more than once.
    #[error("network model `{model}` is given `{option}` twice")]
    Twice {
        /// Name of the model.
        model: &'static str,
        /// Name of the option.
        option: String,
    },
    /// The model does not have this option, or the value is not of the option's form.
    #[error("network model `{model}` has no option `{option}`; {}", forms(allowed))]
    Option {
        /// Name of the model.
        model: &'static str,
        /// The option as written.
        option: String,
        /// The options that exist, with the forms of their values.
        allowed: &'static [ModelOption],
    },
    /// A file that an option names cannot be read or is malformed. The text begins with its path.
    #[error("{0}")]
    File(String),
}

/// Divides a path from the options behind it: it ends before a colon and the name of an option.
fn split_path<'a>(text: &'a str, options: &[ModelOption]) -> (&'a str, Option<&'a str>) {
    let is_option = |rest: &str| {
        options.iter().any(|option| {
            rest.strip_prefix(option.name).is_some_and(|behind| behind.starts_with('='))
        })
    };
    let end = text.match_indices(':').find(|(place, _)| is_option(&text[place + 1..]));
    end.map_or((text, None), |(place, _)| (&text[..place], Some(&text[place + 1..])))
}

/// Returns what follows `routing=table:` in the options of a model that begin with it.
fn behind_table(options: &str) -> Option<&str> {
    options.strip_prefix(ROUTING.name)?.strip_prefix("=table:")
}

fn forms(allowed: &[ModelOption]) -> String {
    let forms: Vec<String> = allowed.iter().map(ToString::to_string).collect();
    if forms.is_empty() {
        "it has none".to_owned()
    } else {
        format!("there are {}", forms.join(", "))
    }
}

impl Catalog {
    /// Returns the topologies and network models that come with the library.
    pub fn standard() -> Self {
        Self { topologies: topology::standard(), models: model::standard() }
    }

    /// Adds a topology.
    ///
    /// # Errors
    /// Returns an error if the name is taken or cannot be written on a command line.
    pub fn add_topology(&mut self, kind: impl TopologyKind + 'static) -> Result<(), CatalogError> {
        let name = kind.description().name;
        let taken = self.topologies().any(|known| known.name == name);
        check_name("topology", name, taken)?;
        self.topologies.push(Arc::new(kind));
        Ok(())
    }

    /// Adds a network model.
    ///
    /// # Errors
    /// Returns an error if the name is taken or cannot be written on a command line.
    pub fn add_model(&mut self, kind: impl ModelKind + 'static) -> Result<(), CatalogError> {
        let name = kind.description().name;
        check_name(
            "network model",
            name,
            self.models().any(|known| known.description().name == name),
        )?;
        self.models.push(Arc::new(kind));
        Ok(())
    }

    /// Reads a topology such as `mesh:8x8`.
    ///
    /// # Errors
    /// Returns an error if no topology has this name, or the sizes are not of its form.
    pub fn topology(&self, text: &str) -> Result<TopologySpec, TopologyError> {
        let (name, sizes) = match text.split_once(':') {
            Some((name, sizes)) => (name, Some(sizes)),
            None => (text, None),
        };
        let find = |name: &str| {
            self.topologies.iter().find(|kind| kind.description().name == name).map(Arc::clone)
        };
        if name == PLANES.name {
            let size = sizes.unwrap_or_default();
            let Some((planes, inner)) = PlaneSet::split(size) else {
                let (name, form) = (PLANES.name, PLANES.sizes);
                return Err(TopologyError::Size { name, size: size.to_owned(), form });
            };
            let (name, sizes) = inner.split_once(':').map_or((inner, None), |(a, b)| (a, Some(b)));
            return match find(name) {
                Some(kind) => Ok(TopologySpec::new(kind, sizes)?.in_planes(planes)),
                None => Err(TopologyError::Unknown {
                    name: name.to_owned(),
                    allowed: self.topologies.iter().map(|kind| kind.description().name).collect(),
                }),
            };
        }
        match find(name) {
            Some(kind) => TopologySpec::new(kind, sizes),
            None => Err(TopologyError::Unknown {
                name: name.to_owned(),
                allowed: self.topologies().map(|known| known.name).collect(),
            }),
        }
    }

    /// Reads a network model such as `link`, or `fluid:weights=latency` with options. Files are not
    /// read: see [`Catalog::model_with_files`].
    ///
    /// # Errors
    /// Returns an error if there is no such model, or it does not have such an option.
    pub fn model(&self, text: &str) -> Result<Arc<dyn ModelKind>, ModelError> {
        self.model_with_files(text, &|path| Err(format!("{path}: files are not read here")))
    }

    /// Like [`Catalog::model`], and reads the file of `routing=table:PATH` by `read`, whose error
    /// names the path.
    ///
    /// # Errors
    /// Returns the errors of [`Catalog::model`] and those of the file.
    pub fn model_with_files(
        &self,
        text: &str,
        read: &dyn Fn(&str) -> Result<String, String>,
    ) -> Result<Arc<dyn ModelKind>, ModelError> {
        let (name, mut rest) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let found = self.models.iter().find(|kind| kind.description().name == name);
        let mut kind = found.map(Arc::clone).ok_or_else(|| ModelError::Unknown {
            name: name.to_owned(),
            allowed: self.models().map(|known| known.description().name).collect(),
        })?;
        let mut given: Vec<&str> = Vec::new();
        while let Some(options) = rest {
            let option = options.split(['=', ':']).next().unwrap_or_default();
            if given.contains(&option) {
                let model = kind.description().name;
                return Err(ModelError::Twice { model, option: option.to_owned() });
            }
            given.push(option);
            let bad = |option: &str| ModelError::Option {
                model: kind.description().name,
                option: option.to_owned(),
                allowed: kind.options(),
            };
            if let Some(behind) = behind_table(options) {
                let (path, next) = split_path(behind, kind.options());
                let text = read(path).map_err(ModelError::File)?;
                let table = RouteTable::parse(&text, path)
                    .map_err(|error| ModelError::File(format!("{path}: {error}")))?;
                let routed = kind.with_routing(Arc::new(table));
                (kind, rest) = (routed.ok_or_else(|| bad("routing=table"))?, next);
                continue;
            }
            let (option, next) =
                options.split_once(':').map_or((options, None), |(a, b)| (a, Some(b)));
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let changed = kind.with_option(name, value).map_err(|BadOption| bad(option))?;
            (kind, rest) = (changed, next);
        }
        Ok(kind)
    }

    /// Returns where the path of a file is in a topology or a network model, if it names one: of `file:PATH`, as
    /// in placements, too, of `planes:2*file:PATH`, and of `routing=table:PATH`.
    pub fn path_in(&self, text: &str) -> Option<Range<usize>> {
        if let Some((_, path)) = GraphFile::named_in(text) {
            return (!path.is_empty()).then(|| text.len() - path.len()..text.len());
        }
        let mut colons = text.match_indices(':').map(|(place, _)| &text[place + 1..]);
        let behind = colons.find_map(behind_table)?;
        let begin = text.len() - behind.len();
        let name = text.split(':').next().unwrap_or_default();
        let kind = self.models().find(|known| known.description().name == name);
        let (path, _) = split_path(behind, kind.map_or(&[], |kind| kind.options()));
        Some(begin..begin + path.len())
    }

    /// Returns the topologies, in the order in which they were added, then that of several planes of
    /// another one and that of files, which [`GraphFile`](crate::GraphFile) reads.
    pub fn topologies(&self) -> impl Iterator<Item = TopologyDescription> {
        self.topologies.iter().map(|kind| kind.description()).chain([PLANES, topology::FILE])
    }

    /// Returns the network models, in the order in which they were added.
    pub fn models(&self) -> impl Iterator<Item = &dyn ModelKind> {
        self.models.iter().map(|kind| &**kind)
    }
}

impl Default for Catalog {
    fn default() -> Self {
        Self::standard()
    }
}

fn check_name(what: &'static str, name: &'static str, taken: bool) -> Result<(), CatalogError> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.starts_with('-') || !name.chars().all(plain) {
        return Err(CatalogError::Form { what, name });
    }
    if taken { Err(CatalogError::Taken { what, name }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{BadSizes, Plan, Sizes};

    #[derive(Debug)]
    struct Named(&'static str);

    impl TopologyKind for Named {
        fn description(&self) -> TopologyDescription {
            TopologyDescription { name: self.0, syntax: self.0, sizes: "nothing", summary: "" }
        }

        fn plan(&self, _: Sizes, _: u32) -> Result<Plan, BadSizes> {
            Err(BadSizes)
        }
    }

    #[test]
    fn names_are_unique_and_can_be_written() {
        let mut catalog = Catalog::standard();
        assert_eq!(catalog.add_topology(Named("own")), Ok(()));
        assert!(catalog.topologies().any(|known| known.name == "own"));
        let taken = |name| Err(CatalogError::Taken { what: "topology", name });
        for name in ["own", "ring", "file"] {
            assert_eq!(catalog.add_topology(Named(name)), taken(name));
        }
        for name in ["", "a b", "a:b", "a,b", "Own", "-n"] {
            let form = Err(CatalogError::Form { what: "topology", name });
            assert_eq!(catalog.add_topology(Named(name)), form);
        }
        assert!(matches!(catalog.topology("own"), Err(TopologyError::Size { name: "own", .. })));
        assert!(matches!(catalog.topology("owl:3"), Err(TopologyError::Unknown { .. })));
    }

    #[test]
    fn a_catalog_equals_its_clone_until_something_is_added() {
        let catalog = Catalog::standard();
        let mut other = catalog.clone();
        assert_eq!(catalog, other);
        assert_eq!(other.add_topology(Named("own")), Ok(()));
        assert_ne!(catalog, other);
    }

    #[test]
    fn paths_end_before_options() {
        let catalog = Catalog::standard();
        let path = |text: &'static str| catalog.path_in(text).map(|place| &text[place]);
        for (text, expected) in [
            ("file:a/b:c.dot", Some("a/b:c.dot")),
            ("planes:2*file:a*b", Some("a*b")),
            ("planes:2:round-robin*file:a", Some("a")),
            ("planes:2*mesh:2x2", None),
            ("packet:size=4K:routing=table:a:b", Some("a:b")),
            ("packet:routing=table:a:b:size=4K", Some("a:b")),
            ("packet:routing=ecmp", None),
            ("file", None),
            ("file:", None),
            ("files:a", None),
        ] {
            assert_eq!(path(text), expected, "{text}");
        }
    }

    #[test]
    fn options_of_drop_tail_are_checked() {
        let catalog = Catalog::standard();
        let good = [
            "packet:loss=drop-tail",
            "packet:queue=65536:loss=drop-tail:rto=1ms:window=4:size=1500",
            "packet:loss=none:buffers=2",
            "packet:loss=drop-tail:routing=ecmp",
        ];
        let spec = catalog.topology("fat-tree:4x2").expect("a topology");
        let topology = spec.build(1).expect("it can be built");
        let hardware = model::test_hardware(0, 1);
        for text in good {
            let kind = catalog.model(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(kind.check(&hardware, &topology), Ok(()), "{text}");
        }
        let wrong = ["rto=0ms", "rto=1", "rto=-1ms", "rto=61s", "queue=0", "window=0", "loss=red"];
        for option in wrong {
            assert!(catalog.model(&format!("packet:loss=drop-tail:{option}")).is_err(), "{option}");
        }
        let misfits = [
            ("packet:rto=1ms", "option `rto` of network model `packet` needs `loss=drop-tail`"),
            ("packet:window=3", "option `window` of network model `packet` needs `loss=drop-tail`"),
            (
                "packet:buffers=3:loss=drop-tail",
                "option `buffers` of network model `packet` needs `loss=none`",
            ),
        ];
        for (text, error) in misfits {
            let kind = catalog.model(text).expect("it can be read");
            let found = kind.check(&hardware, &topology).expect_err(text).to_string();
            assert_eq!(found, error);
        }
        let spraying = catalog.model("packet:loss=drop-tail:routing=spray").expect("it is read");
        assert!(spraying.check(&hardware, &topology).is_err(), "packets would come out of order");
    }

    #[test]
    fn an_option_is_given_once() {
        let catalog = Catalog::standard();
        let twice = |text: &str| matches!(catalog.model(text), Err(ModelError::Twice { .. }));
        assert!(twice("packet:size=4K:size=8K") && twice("packet:seed=1:routing=valiant:seed=2"));
        assert!(!twice("packet:size=4K:buffers=2"));
    }

    #[test]
    fn options_follow_the_name_of_a_model() {
        let catalog = Catalog::standard();
        for text in ["link", "fluid", "fluid:weights=latency", "fluid:weights=equal:gamma=65536"] {
            assert!(catalog.model(text).is_ok(), "{text}");
        }
        let error = |text: &str| catalog.model(text).err().map(|error| error.to_string());
        assert_eq!(
            error("lnk:x=1").as_deref(),
            Some(
                "no network model is called `lnk`; there are constant, loggp, link, fluid, packet, \
                 flit"
            )
        );
        assert_eq!(
            error("loggp:x=1").as_deref(),
            Some("network model `loggp` has no option `x=1`; it has none")
        );
        for option in ["weights=heavy", "weights", "gamma=0", "gamma=-1", "", "x=1"] {
            let text = format!(
                "network model `fluid` has no option `{option}`; there are \
                 weights=equal|latency, gamma=BYTES, \
                 routing=dimension-order|ecmp|up-down|table:PATH"
            );
            assert_eq!(error(&format!("fluid:{option}")), Some(text));
        }
    }
}
