//! Finds out whether functions around a call use the memory of a variable or a heap block as something else than what is
//! known of it: then it is memory for anything, as the work arrays of old Fortran programs are.

use std::rc::Rc;

use super::{
    Frame, Object, Storage,
    debug::{Location, Variable},
    kind::{Kind, Leaf},
};
use crate::libc::heap;

/// Most numbers of what a pointer points to that are compared with the memory there.
const LEAVES_MAX: usize = 64;

/// A pointer, as far as the code around a call tells where it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    At(usize),
    /// Not known: the pointer is in a register, or has been optimised away.
    Unknown,
}

/// How a variable leads to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// It is a pointer or an array.
    Direct,
    /// It is a reference to a variable: an argument of Fortran that is no array, or a reference of C++.
    Single,
    /// By pointers in it, or in what it points to.
    Indirect,
}

/// What a variable has memory used as.
struct Use {
    target: Target,
    kind: Rc<Kind>,
    way: Way,
}

/// Reports whether a function around the running call uses memory that an object holds as something else than the object's
/// type says. `address` is that of a number in the object of which it is asked.
///
/// A pointer that is known counts if it points anywhere into the object and the memory there is of another type. Of others
/// only the types are known. They count if the statement of the call names them, as do all parameters that are arrays.
pub(super) fn is_used_otherwise(object: &Object, address: usize, frames: &[Frame]) -> bool {
    let frames = &frames[..object.depth.min(frames.len())];
    let is_optimised = frames.iter().any(|frame| frame.scope.optimised);
    let is_named = || frames.iter().any(|frame| frame.names(&object.name));
    match object.storage {
        // The program says itself that the block holds something else than the pointer's type.
        Storage::Heap if frames.first().is_some_and(Frame::casts) => true,
        // How the call has come to the address of a variable that nobody names is not known where pointers are in registers.
        Storage::Static if is_optimised && !is_named() => true,
        Storage::Static | Storage::Automatic | Storage::Heap => {
            frames.iter().any(|frame| frame.uses_otherwise(object, address))
        }
    }
}

impl Frame {
    fn uses_otherwise(&self, object: &Object, address: usize) -> bool {
        let is_named = self.names(&object.name);
        let is_on_heap = object.storage == Storage::Heap;
        let names = |variable: &Variable| self.names(&variable.name);
        let variables = self.scope.variables.iter();
        let all = variables.flat_map(|it| self.uses(it).into_iter().map(move |of| (it, of)));
        let mut others = all.filter(|(_, it)| match it.target {
            Target::At(at) => object.differs_at(at, &it.kind),
            Target::Unknown => object.may_differ(address, &it.kind),
        });
        others.any(|(variable, it)| match (it.target, it.way) {
            // Pointers to a block that was freed before may still be there.
            (Target::At(_), _) => !is_on_heap || names(variable),
            (Target::Unknown, Way::Direct) => {
                let is_array = variable.is_parameter && it.kind.begins_with_number();
                is_array && !is_on_heap || names(variable)
            }
            (Target::Unknown, Way::Single) => {
                names(variable) && !is_named && !self.hands_on(object, address)
            }
            (Target::Unknown, Way::Indirect) => names(variable) && !is_named,
        })
    }

    /// Reports whether the statement of the call names a pointer, or a parameter that is an array, with numbers like the one
    /// at an address in an object: then this is what leads there, and not a variable beside it such as a count.
    fn hands_on(&self, object: &Object, address: usize) -> bool {
        let mut named = self.scope.variables.iter().filter(|it| self.names(&it.name));
        let is_like = |it: &Use| it.way == Way::Direct && object.is_like(address, &it.kind);
        named.any(|variable| self.uses(variable).iter().any(is_like))
    }

    /// Returns what a variable has memory used as.
    fn uses(&self, variable: &Variable) -> Vec<Use> {
        let place = self.memory_of(variable);
        let kind = Rc::clone(&variable.kind);
        let single = match variable.is_array {
            true => Way::Direct,
            false => Way::Single,
        };
        let itself = match variable.location {
            Location::Reference(_) => place.map(|at| (Target::At(at), single)),
            // A parameter of a function that is inlined here lies where the caller's variable does.
            Location::Frame(_) | Location::Fixed(_) if variable.is_parameter => {
                place.map(|at| (Target::At(at), single))
            }
            // Arguments of Fortran are passed by their addresses.
            Location::Unknown if variable.is_parameter && self.scope.is_fortran => {
                Some((Target::Unknown, single))
            }
            Location::Frame(_) | Location::Fixed(_) | Location::Unknown => None,
        };
        let pointers = self.debug.pointers(variable.of);
        // The memory of a descriptor is not that of the array.
        let is_descriptor = variable.is_array && pointers.iter().any(|it| it.path == [0]);
        let itself = itself.filter(|_| !is_descriptor);
        let itself = itself.map(|(target, way)| Use { target, kind, way });
        let others = pointers.iter().filter_map(|pointer| {
            let target = match place {
                Some(place) => Target::At(follow(place, &pointer.path)?),
                None => Target::Unknown,
            };
            let way = match pointer.path.len() {
                1 if pointer.is_reference => Way::Single,
                1 if pointer.path == [0] => Way::Direct,
                _ => Way::Indirect,
            };
            Some(Use { target, kind: Rc::clone(&pointer.target), way })
        });
        itself.into_iter().chain(others).collect()
    }
}

/// Returns where the last pointer of a path points to that begins at a variable; `None` if there is no memory on the way.
pub(super) fn follow(variable: usize, path: &[u64]) -> Option<usize> {
    let step = |at: usize, offset: &u64| heap::word_at(at.checked_add(*offset as usize)?);
    path.iter().try_fold(variable, step)
}

impl Object {
    /// Reports whether memory at an address in the object is used otherwise by something of this kind there. Of pointers
    /// nothing is said where the object has pointers, too.
    fn differs_at(&self, at: usize, kind: &Kind) -> bool {
        let end = self.start + self.bytes as usize;
        (self.start..end).contains(&at)
            && kind.leaves(LEAVES_MAX).into_iter().any(|(offset, leaf)| {
                let Some((number, inside)) = self.number(at + offset as usize) else {
                    return false;
                };
                let is_address = number.class.is_address();
                match leaf {
                    Leaf::Number(other) if other.class.is_address() => !is_address,
                    Leaf::Number(other) => {
                        (other.class, other.bytes, 0) != (number.class, number.bytes, inside)
                    }
                    Leaf::Byte => true,
                    Leaf::Any => !is_address,
                }
            })
    }

    /// Reports whether the number at an address is used otherwise if it is what a pointer to this kind points to.
    fn may_differ(&self, address: usize, kind: &Kind) -> bool {
        match (self.number(address), kind.leaves(1).first()) {
            (Some((number, _)), Some((_, Leaf::Number(other)))) => {
                !other.class.is_address()
                    && (other.class, other.bytes) != (number.class, number.bytes)
            }
            (Some(_), Some((_, Leaf::Byte))) => true,
            (Some((number, _)), Some((_, Leaf::Any))) => !number.class.is_address(),
            (Some(_), None) | (None, _) => false,
        }
    }

    /// Reports whether the number at an address is like those of a kind.
    fn is_like(&self, address: usize, kind: &Kind) -> bool {
        match (self.number(address), kind.leaves(1).first()) {
            (Some((number, _)), Some((_, Leaf::Number(other)))) => {
                (other.class, other.bytes) == (number.class, number.bytes)
            }
            _ => false,
        }
    }
}
