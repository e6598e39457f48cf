//! Arrays that calls name: the memory of an argument that is written as an element of an array has to lie in that array,
//! and not in the variable beside it.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use super::{Begin, Frame, Misfit, debug::Variable, heap, innermost_frame, kind::Kind};
use crate::{
    libc::{errno, rank::Rank},
    site,
    statement::{self, Element},
};

/// Least number of bytes beside an array in which an element of it may be meant; beside longer arrays, as many as they have.
const NEAR: u64 = 1024;

thread_local! {
    /// The elements of arrays that are arguments of the calls at these addresses.
    static NAMED: RefCell<FxHashMap<usize, Option<Rc<Element>>>> = RefCell::default();
}

/// Forgets what calls name.
pub(super) fn forget() {
    NAMED.take();
}

/// Returns what is wrong with the memory of the buffer of the running call, which is one of `procedure`: it begins outside of
/// the array of which the source names an element. `argument` returns the number, from 0, of the argument that is the buffer.
pub fn outside_named(
    procedure: &str,
    argument: fn(&str) -> Option<usize>,
    address: usize,
) -> Option<Misfit> {
    let rank = Rank::current()?;
    errno::keeping(|| {
        let frames = innermost_frame(rank)?;
        let frame = &frames[0];
        let element = NAMED.with_borrow_mut(|known| {
            let read = || named_at(frame.code, procedure, argument(procedure)?).map(Rc::new);
            known.entry(frame.code).or_insert_with(read).clone()
        })?;
        // A block is no neighbour of a variable.
        if heap::holding(address).is_some() {
            return None;
        }
        let (variable, start) = array_of(frame, &element, address)?;
        let object = frame.object(variable, start);
        let end = start + object.bytes as usize;
        let (distance, begin) = match address.checked_sub(end) {
            Some(bytes) => (bytes as u64, Begin::Behind { bytes: bytes as u64 }),
            None => {
                let bytes = start.checked_sub(address)? as u64;
                (bytes, Begin::Before { bytes })
            }
        };
        (distance <= object.bytes.max(NEAR)).then_some(Misfit { object, begin })
    })
}

/// Returns the element of an array that the call at an address names as an argument. `None` where functions are inlined: each
/// has variables of its own.
fn named_at(code: usize, procedure: &str, argument: usize) -> Option<Element> {
    let sites = site::all_of_code(code);
    let [site] = &sites[..] else { return None };
    statement::element(site.file, (site.line, site.column), procedure, argument)
}

/// Returns the array that an element belongs to, with its address, if it is certain which one that is and that the element
/// is not in it.
fn array_of<'a>(
    frame: &'a Frame,
    element: &Element,
    address: usize,
) -> Option<(&'a Variable, usize)> {
    let is_named = |variable: &Variable, name: &str| match frame.scope.is_fortran {
        true => variable.name.eq_ignore_ascii_case(name),
        false => *variable.name == *name,
    };
    let all = || frame.scope.variables.iter().chain(&frame.scope.of_merged_blocks);
    // An index that is an array selects several elements, of which the call is given a copy, and a pointer may be what the
    // name of the array is an offset to.
    let is_address = |variable: &&Variable| variable.is_array || variable.target.is_some();
    let is_used = |variable: &&Variable| element.others.iter().any(|name| is_named(variable, name));
    if all().filter(is_used).any(|variable| is_address(&variable)) {
        return None;
    }
    let mut found = None;
    for variable in all().filter(|variable| is_named(variable, &element.array)) {
        let is_plain = variable.is_array && !variable.is_in_common && holds_data(&variable.kind);
        let start = frame.place_of(variable).filter(|_| is_plain && frame.holds(variable))?;
        if (start..start + variable.kind.bytes() as usize).contains(&address) {
            return None;
        }
        found = found.or(Some((variable, start)));
    }
    found
}

/// Reports whether a variable is an array whose elements are no addresses.
fn holds_data(kind: &Kind) -> bool {
    match kind {
        Kind::Array { element, .. } => match &**element {
            Kind::Number(_) => !element.is_pointer(),
            Kind::Any { bytes } => *bytes == 1,
            Kind::Array { .. } => holds_data(element),
            Kind::Struct { .. } => true,
        },
        Kind::Number(_) | Kind::Struct { .. } | Kind::Any { .. } => false,
    }
}
