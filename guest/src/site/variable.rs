//! Finds the static data at or before an address, from the symbol tables of a program's objects.

use std::{fs, path::Path};

use object::{File, Object as _, ObjectSymbol as _, Symbol, SymbolKind};

/// Maximum distance of an address from the variable before it, in bytes: farther away the address
/// says nothing about the variable.
const FAR: u64 = 16 << 20;

/// The static data of a program near an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// A constant without a name, such as a string literal.
    Constant,
    /// The variable at the address, or the last one before it.
    Variable {
        /// Name as in the source.
        name: String,
        /// Size in bytes.
        bytes: u64,
        /// Distance of the address from the end of the variable in bytes; `None` if it lies inside.
        beyond: Option<u64>,
    },
}

/// Returns the data of an object at `address`, as its file counts addresses, or the last variable
/// before it, unless that is far away. `constant` says whether no program may write there.
pub(super) fn near(object: &Path, address: u64, constant: bool) -> Option<Data> {
    let contents = fs::read(object).ok()?;
    let file = File::parse(&*contents).ok()?;
    let variables = file.symbols().chain(file.dynamic_symbols());
    let known = variables.filter(|symbol| symbol.kind() == SymbolKind::Data && symbol.size() > 0);
    let before = known.filter(|symbol| symbol.address() <= address);
    let nearest = before.max_by_key(|symbol| (symbol.address(), symbol.size()));
    let distance =
        |variable: &Symbol<'_, '_>| (address - variable.address()).checked_sub(variable.size());
    if constant && nearest.as_ref().is_none_or(|variable| distance(variable).is_some()) {
        return Some(Data::Constant);
    }
    let nearest = nearest?;
    let (name, beyond) = (nearest.name().ok()?, distance(&nearest));
    if beyond.is_some_and(|bytes| bytes > FAR) {
        return None;
    }
    let name = addr2line::demangle_auto(name.into(), None).into_owned();
    // The compiler numbers the static variables of functions, as in `count.0`.
    let name = name.trim_end_matches(|c: char| c == '.' || c.is_ascii_digit());
    Some(Data::Variable { name: name.to_string(), bytes: nearest.size(), beyond })
}
